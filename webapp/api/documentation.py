"""The OpenAPI schema as a page: rendered here, readable without a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator

METHODS = ("get", "post", "put", "patch", "delete")
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter or a property. ``type_name`` is in words, ``reference`` a schema it names."""

    name: str
    type_name: str
    reference: str
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Answer:
    status: str
    type_name: str
    reference: str


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    address: str
    anchor: str
    summary: str
    description: str
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    body_types: tuple[str, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    name: str
    description: str
    fields: tuple[Field, ...]


def docs(request: HttpRequest) -> HttpResponse:
    schema = whole_schema()
    return render(
        request,
        "api/docs.html",
        {"operations": list(operations(schema)), "shapes": list(shapes(schema))},
    )


@lru_cache(maxsize=1)
def whole_schema() -> dict[str, Any]:
    """The schema of every address, as an anonymous reader sees it; it never changes while the
    process lives."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def operations(schema: Schema) -> Iterator[Operation]:
    for address, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                yield _operation(schema, address, method, methods[method])


def shapes(schema: Schema) -> Iterator[Shape]:
    for name, part in sorted(schema.get("components", {}).get("schemas", {}).items()):
        yield Shape(name, part.get("description", ""), _fields(part))


def _operation(schema: Schema, address: str, method: str, operation: Schema) -> Operation:
    content = operation.get("requestBody", {}).get("content", {})
    body: Schema = next((part.get("schema", {}) for part in content.values()), {})
    named = schema.get("components", {}).get("schemas", {}).get(_reference(body), body)
    return Operation(
        method=method.upper(),
        address=address,
        anchor=operation["operationId"],
        summary=operation.get("summary", ""),
        description=operation.get("description", ""),
        parameters=tuple(
            Field(
                each["name"],
                type_in_words(each.get("schema", {})),
                "",
                each.get("required", False),
                each.get("description", ""),
            )
            for each in operation.get("parameters", ())
        ),
        body=_fields(named),
        body_types=tuple(content),
        answers=tuple(
            Answer(status, *_answer(response))
            for status, response in operation["responses"].items()
        ),
    )


def _answer(response: Schema) -> tuple[str, str]:
    for part in response.get("content", {}).values():
        found = part.get("schema", {})
        return type_in_words(found), _reference(found)
    return "nothing", ""


def _fields(schema: Schema) -> tuple[Field, ...]:
    required = set(schema.get("required", ()))
    return tuple(
        Field(
            name,
            type_in_words(part),
            _reference(part),
            name in required,
            part.get("description", ""),
        )
        for name, part in schema.get("properties", {}).items()
    )


def type_in_words(schema: Schema) -> str:
    """``list of LeaderboardRow``, ``number or null``, ``object of text`` and so on."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return " or ".join(dict.fromkeys(type_in_words(part) for part in schema[word]))
    if "enum" in schema:
        return " or ".join(str(value) for value in schema["enum"])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(_word(each) for each in kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_in_words(part) for part in schema['prefixItems'])}]"
        return f"list of {type_in_words(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {type_in_words(schema['additionalProperties'])}"
    return _word(kind)


def _word(kind: str) -> str:
    return {"string": "text", "boolean": "true or false", "integer": "whole number"}.get(kind, kind)


def _reference(schema: Schema) -> str:
    """The first schema that this one names, to link to."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    inner: list[Any] = [schema.get("items"), schema.get("additionalProperties")]
    inner += [part for word in ("anyOf", "oneOf", "allOf") for part in schema.get(word, ())]
    for part in inner:
        if isinstance(part, Mapping) and (found := _reference(part)):
            return found
    return ""
