"""The stub endpoint's replies in the shape of each API. Four characters count as one token."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

from evaluation.language_models.stub_faults import Reaction
from evaluation.language_models.stub_replies import embedding

_ANTHROPIC_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def last_message(body: dict[str, Any]) -> str:
    """The text of the last message; a list of parts comes as JSON."""
    messages = body.get("messages") or [{}]
    content = messages[-1].get("content", "")
    return content if isinstance(content, str) else json.dumps(content)


def _n_tokens(text: str) -> int:
    return len(text) // 4 + 1


def chat_completion_body(body: dict[str, Any], prompt: str, reaction: Reaction) -> dict[str, Any]:
    """The body of OpenAI's chat completions; of a tool that is called, its input is the reply."""
    message: dict[str, Any] = {"role": "assistant", "content": reaction.text}
    if body.get("tools") and body.get("tool_choice") != "none" and reaction.text.startswith("{"):
        called = {"name": body["tools"][0]["function"]["name"], "arguments": reaction.text}
        call = {"id": "stub", "type": "function", "function": called}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": reaction.finish,
            }
        ],
        "usage": {
            "prompt_tokens": _n_tokens(prompt),
            "completion_tokens": _n_tokens(reaction.text),
            "total_tokens": _n_tokens(prompt) + _n_tokens(reaction.text),
        },
    }


def message_body(body: dict[str, Any], prompt: str, reaction: Reaction) -> dict[str, Any]:
    """The body of Anthropic's messages; where a tool must be called, the reply is its input."""
    block: dict[str, Any] = {"type": "text", "text": reaction.text}
    if "tools" in body:
        name = body["tools"][0]["name"]
        block = {"type": "tool_use", "id": "stub", "name": name, "input": json.loads(reaction.text)}
    return {
        "id": "stub",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [block],
        "stop_reason": _ANTHROPIC_STOPS[reaction.finish],
        "usage": {
            "input_tokens": _n_tokens(prompt),
            "output_tokens": _n_tokens(reaction.text),
        },
    }


def embeddings_body(body: dict[str, Any]) -> dict[str, Any]:
    """The body of OpenAI's embeddings, as numbers or as base64 of little-endian floats."""
    texts = body.get("input", [])
    texts = [texts] if isinstance(texts, str) else texts
    vectors: list[Any] = [embedding(str(text)) for text in texts]
    if body.get("encoding_format") == "base64":
        vectors = [
            base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
            for vector in vectors
        ]
    n_tokens = sum(_n_tokens(str(text)) for text in texts)
    return {
        "object": "list",
        "model": body["model"],
        "data": [
            {"object": "embedding", "index": place, "embedding": vector}
            for place, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": n_tokens, "total_tokens": n_tokens},
    }
