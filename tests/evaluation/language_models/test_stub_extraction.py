"""The stub gives what the memory packages ask for: by their forms, by schema, by tool."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluation.language_models.stub_bodies import chat_completion_body
from evaluation.language_models.stub_extraction import extraction_reply
from evaluation.language_models.stub_faults import react
from evaluation.language_models.stub_schema import fill, schema_in
from evaluation.language_models.stub_text import names_of, sentences_of, text_in

TEXT = "The Zephyr-9 kernel needs 17 registers. The Zephyr-9 kernel beats Orchid by 3 points."
TEXT_FIELD = {"type": "string"}


def asked(user: str, schema: Any = None, *, system: str = "") -> Any:
    form = (
        {"type": "json_object"}
        if schema is None
        else {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    )
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    said = extraction_reply({"messages": messages, "response_format": form})
    return None if said is None else json.loads(said)


def test_prose_is_left_to_the_other_replies() -> None:
    assert extraction_reply({"messages": [{"role": "user", "content": TEXT}]}) is None


def test_mem0s_memories_are_the_sentences_of_its_new_messages() -> None:
    new = json.dumps([{"role": "user", "content": TEXT}])
    said = asked(f"## Existing Memories\n[]\n\n## New Messages\n{new}\n\n## Current Date\n2024")
    assert [one["text"] for one in said["memory"]] == sentences_of(TEXT)


def test_entities_get_names_and_relations_join_two_of_them() -> None:
    entity = {
        "type": "object",
        "properties": {"name": TEXT_FIELD, "entity_type_id": {"type": "integer"}},
    }
    edge = {
        "type": "object",
        "properties": {
            "source_entity_name": TEXT_FIELD,
            "target_entity_name": TEXT_FIELD,
            "relation_type": TEXT_FIELD,
            "fact": TEXT_FIELD,
            "valid_at": {"anyOf": [TEXT_FIELD, {"type": "null"}]},
        },
    }
    schema = {
        "$defs": {"Entity": entity, "Edge": edge},
        "type": "object",
        "properties": {
            "extracted_entities": {"type": "array", "items": {"$ref": "#/$defs/Entity"}},
            "edges": {"type": "array", "items": {"$ref": "#/$defs/Edge"}},
        },
    }
    said = asked(f"<TEXT>\n{TEXT}\n</TEXT> extract", schema)
    assert [one["name"] for one in said["extracted_entities"]][:2] == ["Zephyr-9", "Orchid"]
    assert said["edges"][-1] == {
        "source_entity_name": "Zephyr-9",
        "target_entity_name": "Orchid",
        "relation_type": "RELATED_TO",
        "fact": "The Zephyr-9 kernel beats Orchid by 3 points.",
        "valid_at": None,
    }


def test_known_entities_are_resolved_by_equal_names() -> None:
    schema = {"properties": {"entity_resolutions": {"type": "array"}}}
    prompt = (
        '<ENTITIES>[{"id": 0, "name": "Orchid"}, {"id": 1, "name": "New"}]</ENTITIES>'
        '<EXISTING ENTITIES>[{"candidate_id": 4, "name": "orchid"}]</EXISTING ENTITIES>'
    )
    said = asked(prompt, schema)["entity_resolutions"]
    assert [one["duplicate_candidate_id"] for one in said] == [4, -1]


def test_a_schema_that_is_written_in_the_prompt_is_filled() -> None:
    schema = {"properties": {"facts": {"type": "array", "items": TEXT_FIELD}}}
    said = asked(f"Reply like {json.dumps(schema)}\nText: {TEXT}")
    assert said == {"facts": sentences_of(TEXT)}


def test_a_tool_is_called_with_its_input() -> None:
    tool = {"function": {"name": "keep", "parameters": {"properties": {"summary": TEXT_FIELD}}}}
    body: dict[str, Any] = {
        "model": "m",
        "messages": [{"role": "user", "content": TEXT}],
        "tools": [tool],
    }
    reply = chat_completion_body(body, TEXT, react("m", body, TEXT, 0))
    called = reply["choices"][0]["message"]["tool_calls"][0]["function"]
    assert called["name"] == "keep"
    assert json.loads(called["arguments"]) == {"summary": sentences_of(TEXT)[0]}


def test_garbage_talks_where_json_is_asked_for() -> None:
    body: dict[str, object] = {"messages": [], "response_format": {"type": "json_object"}}
    assert react("stub-garbage", body, "", 0).text.startswith("Sorry")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 3}, 3),
        ({"enum": ["a", "b"]}, "a"),
        ({"type": "boolean"}, False),
        ({"type": "number"}, 0.5),
        ({"type": "integer", "minimum": 2}, 2),
        ({"type": ["string", "null"], "format": "date-time"}, "2024-01-01T00:00:00Z"),
        ({"anyOf": [{"type": "null"}]}, None),
        ({"type": "array", "items": {"type": "integer"}}, []),
        ({"allOf": [{"properties": {"ok": {"type": "boolean"}}}]}, {"ok": False}),
    ],
)
def test_plain_values_fit_their_schema(schema: dict[str, Any], value: Any) -> None:
    assert fill(schema, TEXT) == value


def test_a_schema_that_refers_to_itself_ends() -> None:
    node = {"type": "object", "properties": {"child": {"$ref": "#/$defs/Node"}}}
    assert "child" in fill({"$defs": {"Node": node}, "$ref": "#/$defs/Node"}, TEXT)


def test_a_text_without_names_is_told_by_its_long_words() -> None:
    assert names_of("the lantern and the harbour; the lantern again")[0] == "lantern"


def test_a_text_that_is_not_marked_is_the_prompt_itself() -> None:
    assert text_in("plain words") == "plain words"
    assert schema_in("no schema { here") is None
