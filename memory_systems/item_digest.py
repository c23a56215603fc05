"""What an item's content is recognised by."""

from __future__ import annotations

import hashlib
import json

from memory_systems.base import SourceItem, SystemRefused


class TextNotUnicode(SystemRefused):
    """An item's id or text holds a lone surrogate, which no encoding can store."""


def digest_of(item: SourceItem) -> str:
    """SHA-256 (hex) of an item's content, its id left out. Raises TextNotUnicode."""
    fields = [item.text, item.title, item.kind, item.timestamp]
    try:
        item.id.encode()
        return hashlib.sha256(json.dumps(fields, ensure_ascii=False).encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise TextNotUnicode(
            f"item {item.id!a} holds a lone surrogate, which is not Unicode text"
        ) from error
