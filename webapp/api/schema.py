"""How the OpenAPI schema describes frozen rows: by their types, read by pydantic."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction

from evaluation.services.plain_json import adapter

REFERENCE = "#/components/schemas/{model}"


class FrozenRows(OpenApiSerializerExtension):
    """Any dataclass that a view names as its response."""

    target_class = "webapp.api.schema.AnyRow"

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return isinstance(target, type) and is_dataclass(target)

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        del auto_schema, direction
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        del direction
        schema = adapter(self.target).json_schema(ref_template=REFERENCE, mode="serialization")
        for name, part in schema.pop("$defs", {}).items():
            component = ResolvedComponent(
                name=name, type=ResolvedComponent.SCHEMA, object=name, schema=part
            )
            auto_schema.registry.register_on_missing(component)
        return schema
