"""Frozen rows as plain JSON values, for the API and for commands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter


def plain(value: Any) -> Any:
    """A dataclass (or what a TypeAdapter knows) as dicts, lists, texts, numbers and None. Times
    become ISO 8601."""
    shape: Any = type(value)
    return adapter(shape).dump_python(value, mode="json")


@lru_cache(maxsize=256)
def adapter(shape: Any) -> TypeAdapter[Any]:
    """Making one takes milliseconds, so each is made once."""
    return TypeAdapter(shape)
