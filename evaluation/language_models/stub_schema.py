"""Fills a JSON schema from a text: names where names are asked for, sentences where facts are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evaluation.language_models.stub_text import names_of, sentences_of

_DEEPEST = 8
_FROM = re.compile(r"source|subject|from|head|entity_?1|start")
_TO = re.compile(r"target|object|(^|_)to(_|$)|tail|entity_?2|end_node")
_NAMED = re.compile(r"name|entity|title|label")
_TEXTUAL = re.compile(r"text|fact|summary|content|description|statement|what|answer|reason|claim")
_NAME_LISTS = re.compile(r"entit|node|name|keyword|tag|concept|topic")
_SENTENCE_LISTS = re.compile(r"fact|memor|statement|sentence|claim|observation|extract|item")
_SCHEMA_START = re.compile(r'\{\s*"(?:\$defs|properties|title|type|description)"')


@dataclass(frozen=True, slots=True)
class Scope:
    """What a value may be made of: the sentence at hand, its name, and all the text's names."""

    text: str
    names: tuple[str, ...]
    name: str = ""
    sentence: str = ""
    place: int = 0


def fill(schema: Mapping[str, Any], text: str) -> Any:
    """A value that fits the schema, made of the text; the same for the same text."""
    return _value(schema, schema, "", Scope(text, tuple(names_of(text))), 0)


def schema_in(prompt: str) -> Mapping[str, Any] | None:
    """The first JSON schema that is written in the prompt."""
    for start in _SCHEMA_START.finditer(prompt):
        try:
            read, _ = json.JSONDecoder().raw_decode(prompt, start.start())
        except ValueError:
            continue
        if isinstance(read, dict) and ("properties" in read or "$defs" in read):
            return read
    return None


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    for _ in range(_DEEPEST):
        if "$ref" not in schema:
            break
        found: Any = root
        for step in str(schema["$ref"]).lstrip("#/").split("/"):
            found = found.get(step, {})
        schema = {**found, **{name: one for name, one in schema.items() if name != "$ref"}}
    merged: dict[str, Any] = {}
    for part in schema.get("allOf", ()):
        merged.update(_resolved(part, root))
    return {**merged, **schema} if merged else schema


def _value(
    schema: Mapping[str, Any], root: Mapping[str, Any], field: str, scope: Scope, depth: int
) -> Any:
    schema = _resolved(schema, root)
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        real = [one for one in choices if _resolved(one, root).get("type") != "null"]
        if not real or (len(real) < len(choices) and not _TEXTUAL.search(field)):
            return None
        return _value(real[0], root, field, scope, depth + 1)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if kind == "object" or "properties" in schema:
        return {
            name: _value(part, root, name.lower(), scope, depth + 1)
            for name, part in schema.get("properties", {}).items()
        }
    if kind == "array":
        return _list(schema.get("items", {}), root, field, scope, depth)
    return _plain(kind, schema, field, scope)


def _list(
    item: Mapping[str, Any], root: Mapping[str, Any], field: str, scope: Scope, depth: int
) -> list[Any]:
    item = _resolved(item, root)
    if item.get("type") == "string":
        if _NAME_LISTS.search(field):
            return list(scope.names[:6])
        return sentences_of(scope.text)[:8] if _SENTENCE_LISTS.search(field) else []
    if "properties" not in item:
        return []
    properties = {name.lower(): name for name in item["properties"]}
    ends = [next((one for one in properties if end.search(one)), "") for end in (_FROM, _TO)]
    if all(ends):
        return _pairs(item, root, [properties[end] for end in ends], scope, depth)
    if _NAME_LISTS.search(field) or "name" in properties:
        return [
            _value(item, root, field, replace(scope, name=name, place=place), depth + 1)
            for place, name in enumerate(scope.names)
        ]
    return [
        _value(item, root, field, _about(scope, sentence, place), depth + 1)
        for place, sentence in enumerate(sentences_of(scope.text))
    ]


def _pairs(
    item: Mapping[str, Any], root: Mapping[str, Any], ends: list[str], scope: Scope, depth: int
) -> list[Any]:
    """One relation for each sentence that holds two names."""
    found = []
    for place, sentence in enumerate(sentences_of(scope.text)):
        held = [name for name in scope.names if name in sentence]
        if len(held) < 2:
            continue
        about = replace(_about(scope, sentence, place), name=held[0])
        relation = _value(item, root, "", about, depth + 1)
        for end, name in zip(ends, held, strict=False):
            is_number = _resolved(item["properties"][end], root).get("type") == "integer"
            is_id = end.lower().endswith("id")
            named = _slug(name) if is_id else name
            relation[end] = scope.names.index(name) if is_number else named
        found.append(relation)
    return found


def _about(scope: Scope, sentence: str, place: int) -> Scope:
    held = [name for name in scope.names if name in sentence]
    return replace(scope, sentence=sentence, name=held[0] if held else "", place=place)


def _plain(kind: object, schema: Mapping[str, Any], field: str, scope: Scope) -> Any:
    if kind == "integer":
        is_place = re.search(r"(^|_)(id|idx|index)$", field) and "type" not in field
        return scope.place if is_place else int(schema.get("minimum", 0) or 0)
    if kind == "number":
        return 0.5
    if kind == "boolean":
        return False
    if kind not in ("string", None):
        return None
    sentence = scope.sentence or scope.name or next(iter(sentences_of(scope.text)), "nothing")
    if str(schema.get("format", "")).startswith("date"):
        return "2024-01-01T00:00:00Z"
    if re.search(r"(^|_)(id|uuid)$", field):
        return _slug(scope.name or sentence)
    if re.search(r"relation|predicate", field):
        return "RELATED_TO"
    if _NAMED.search(field):
        return (scope.name or next(iter(scope.names), "text"))[:80]
    if _TEXTUAL.search(field):
        return _sentence_about(scope)
    return "N/A" if re.search(r"when|where|who|why|date|time", field) else "text"


def _sentence_about(scope: Scope) -> str:
    if scope.sentence or not scope.name:
        return scope.sentence or next(iter(sentences_of(scope.text)), "nothing")
    told = [one for one in sentences_of(scope.text) if scope.name in one]
    return " ".join(told[:3]) or scope.name


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name.lower()).strip("_")[:60] or "text"
