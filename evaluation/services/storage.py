"""How records are laid down in rows: compressed JSON and texts, and back."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from evaluation.records import SourceItem


def pack_json(value: Any) -> bytes:
    return zlib.compress(
        json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(), 6
    )


def unpack_json(body: bytes | memoryview) -> Any:
    return json.loads(zlib.decompress(bytes(body)))


def pack_text(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def unpack_text(body: bytes | memoryview) -> str:
    return zlib.decompress(bytes(body)).decode("utf-8", "surrogatepass")


def item_sha256(item: SourceItem) -> str:
    """Identifies one version of a source item by everything in it."""
    digest = hashlib.sha256()
    for part in (item.id, item.title, item.kind, item.timestamp, item.text):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()
