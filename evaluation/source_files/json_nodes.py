"""JSON values that know where they stand, so that every refusal names its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.source_files.reading import is_finite_number
from evaluation.source_files.refusals import WrongKindOfFile

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def kind_of(value: object) -> str:
    """What a JSON value is, in words: an object, a list, a text, a number…"""
    return _KINDS.get(type(value), type(value).__name__)


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value of a parsed JSON file with its place (``data[0].qas[2].id``; empty at the root).

    Every reader below raises WrongKindOfFile when the value is of another kind.
    """

    value: Any
    path: Path
    place: str = ""

    def refuse(self, reason: str) -> WrongKindOfFile:
        return WrongKindOfFile(self.path, reason, place=self.place)

    def fields(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.refuse(f"an object is needed here, not {kind_of(self.value)}")
        return self.value

    def find(self, name: str) -> JsonNode | None:
        """The field, or None where it is absent or null."""
        value = self.fields().get(name)
        return None if value is None else self._child(f".{name}", value)

    def field(self, name: str) -> JsonNode:
        found = self.find(name)
        if found is None and name in self.fields():
            raise self.refuse(f"the field “{name}” is null")
        if found is None:
            known = ", ".join(sorted(map(str, self.fields()))) or "none"
            raise self.refuse(f"the field “{name}” is missing (fields here: {known})")
        return found

    def each(self) -> list[JsonNode]:
        if not isinstance(self.value, list):
            raise self.refuse(f"a list is needed here, not {kind_of(self.value)}")
        return [self._child(f"[{index}]", value) for index, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refuse(f"a text is needed here, not {kind_of(self.value)}")
        return self.value

    def label(self) -> str:
        """A text or a whole number, as text and without outer spaces: identifiers and answers
        that some files write as numbers. Never empty."""
        value = self.value
        if is_finite_number(value):
            value = repr(value)
        if not isinstance(value, str):
            raise self.refuse(f"a text or number is needed here, not {kind_of(value)}")
        if not value.strip():
            raise self.refuse("this is empty")
        return value.strip()

    def whole_number(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refuse(f"a whole number is needed here, not {kind_of(self.value)}")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refuse(f"true or false is needed here, not {kind_of(self.value)}")
        return self.value

    def _child(self, step: str, value: Any) -> JsonNode:
        return JsonNode(value, self.path, f"{self.place}{step}".lstrip("."))
