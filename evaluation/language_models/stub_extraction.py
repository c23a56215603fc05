"""What the stub says to the published memory packages, which ask for facts, entities, relations and
summaries as JSON. By rules, the same for the same prompt: it drives the packages, it knows nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from evaluation.language_models.stub_schema import fill, schema_in
from evaluation.language_models.stub_text import (
    json_lists_in,
    messages_of,
    sentences_of,
    text_in,
)

Rule = Callable[[str, str, Mapping[str, Any]], Any]


def extraction_reply(body: Mapping[str, Any]) -> str | None:
    """The JSON that a body asks for by tool, schema or prompt; None where it asks for prose."""
    wanted = body.get("response_format")
    form = wanted if isinstance(wanted, dict) else {}
    tools = body.get("tools")
    is_openai_tool = isinstance(tools, list) and tools and "function" in tools[0]
    if form.get("type") not in ("json_schema", "json_object") and not is_openai_tool:
        return None
    system, user = messages_of(body, "system", "developer"), messages_of(body, "user")
    schema = _asked_schema(form, tools if is_openai_tool else None) or schema_in(system + user)
    for rule in _RULES:
        said = rule(system, user, schema or {})
        if said is not None:
            return json.dumps(said)
    text = text_in(user)
    if schema is not None:
        return json.dumps(fill(schema, text))
    return json.dumps({"facts": sentences_of(text)[:8]})


def _asked_schema(form: Mapping[str, Any], tools: Any) -> Mapping[str, Any] | None:
    asked = form.get("json_schema")
    if isinstance(asked, dict) and isinstance(asked.get("schema"), dict):
        return dict(asked["schema"])
    parameters = tools[0]["function"].get("parameters") if tools else None
    return dict(parameters) if isinstance(parameters, dict) else None


def _memories(_system: str, user: str, schema: Mapping[str, Any]) -> Any:
    """mem0: a list of memories in a free form that its prompt describes."""
    if schema or "## New Messages" not in user:
        return None
    told = sentences_of(text_in(user))
    return {"memory": [{"id": str(place), "text": text} for place, text in enumerate(told)]}


def _resolutions(_system: str, user: str, schema: Mapping[str, Any]) -> Any:
    """graphiti: which of the extracted entities are known already, by equal names."""
    if "entity_resolutions" not in schema.get("properties", {}):
        return None
    known = {
        str(one.get("name", "")).lower(): one.get("candidate_id", -1)
        for one in json_lists_in(user, "EXISTING ENTITIES")
    }
    return {
        "entity_resolutions": [
            {
                "id": one.get("id", place),
                "name": one.get("name", ""),
                "duplicate_candidate_id": known.get(str(one.get("name", "")).lower(), -1),
            }
            for place, one in enumerate(json_lists_in(user, "ENTITIES"))
        ]
    }


def _timestamps(_system: str, user: str, schema: Mapping[str, Any]) -> Any:
    """graphiti: when facts hold; the stub never says."""
    if "timestamps" not in schema.get("properties", {}):
        return None
    facts = json_lists_in(user, "FACTS")
    return {"timestamps": [{"valid_at": None, "invalid_at": None} for _ in facts]}


def _entity_summaries(_system: str, user: str, schema: Mapping[str, Any]) -> Any:
    """graphiti: summaries of the named entities out of the sentences that name them."""
    if "summaries" not in schema.get("properties", {}):
        return None
    told = sentences_of(text_in(user))
    names = [str(one.get("name", "")) for one in json_lists_in(user, "ENTITIES")]
    about = {name: [one for one in told if name and name in one][:3] for name in names}
    return {
        "summaries": [
            {"name": name, "summary": " ".join(found)[:500]} for name, found in about.items()
        ]
    }


def _observations(system: str, user: str, schema: Mapping[str, Any]) -> Any:
    """hindsight: observations out of facts that are listed with their ids."""
    if "creates" not in schema.get("properties", {}) and "ConsolidationBatch" not in system + user:
        return None
    facts = re.findall(r"\[([0-9a-f]{8}-[0-9a-f-]{27})\] (.+?)(?: \| |\(mentioned_at|\n|$)", user)
    return {
        "creates": [
            {"text": f"Observation: {text.strip()}", "source_fact_ids": [name]}
            for name, text in dict(facts).items()
        ],
        "updates": [],
        "deletes": [],
    }


_RULES: tuple[Rule, ...] = (
    _memories,
    _resolutions,
    _timestamps,
    _entity_summaries,
    _observations,
)
