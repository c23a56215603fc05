"""Runs inside mem0's own environment: the package on Qdrant's local store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mem0.memory.main as mem0_main
from mem0 import Memory

USER = "memjury"
COLLECTION = "facts"
UNDATED = "2025-01-01"
PAGE = 1000


class Worker:
    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        place = Path(folder) / "mem0"
        place.mkdir(exist_ok=True)
        access = {"api_key": settings["api_key"], "openai_base_url": settings["base_url"]}
        dim = settings["embedding_dim"]
        self._memory = Memory.from_config(
            {
                "llm": {
                    "provider": "openai",
                    "config": {"model": settings["model"], "temperature": 0.0, **access},
                },
                "embedder": {
                    "provider": "openai",
                    "config": {
                        "model": settings["embedding_model"],
                        "embedding_dims": dim,
                        **access,
                    },
                },
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "collection_name": COLLECTION,
                        "path": str(place / "qdrant"),
                        "embedding_model_dims": dim,
                        "on_disk": True,
                    },
                },
                "history_db_path": str(place / "history.db"),
            }
        )
        self._client = self._memory.vector_store.client
        self._date = UNDATED
        _date_prompts(lambda: self._date)
        self._history = self._memory.db.connection
        self._history.execute(
            "CREATE TABLE IF NOT EXISTS memjury_messages (message TEXT PRIMARY KEY, item TEXT)"
        )
        self._history.commit()

    def add(self, item_id: str, part: int, text: str, title: str, timestamp: str) -> dict[str, Any]:  # noqa: ARG002
        self._date = timestamp[:10] or UNDATED
        self._forget_messages("message IS NULL", ())
        before = self._count()
        added = self._memory.add(
            [{"role": "user", "content": text}],
            user_id=USER,
            metadata={"item": item_id, "part": part},
        )
        self._history.execute(
            "INSERT INTO memjury_messages SELECT id, ? FROM messages "
            "WHERE id NOT IN (SELECT message FROM memjury_messages)",
            (item_id,),
        )
        self._history.commit()
        handles = [one["id"] for one in added["results"] if one.get("event", "ADD") == "ADD"]
        return {"handles": handles, "units": self._count() - before}

    def remove(self, item_id: str, handles: list[str]) -> dict[str, Any]:
        """All facts of the item, those of an interrupted ingest too."""
        stored = {row["id"] for row in self._rows() if row["source"] == item_id}
        for fact in sorted(stored | (set(handles) & {row["id"] for row in self._rows()})):
            self._memory.delete(fact)
        self._forget_messages("item = ?", (item_id,))
        return {}

    def units(self) -> list[dict[str, Any]]:
        return list(self._rows())

    def search(self, text: str, k: int, kinds: list[str]) -> list[list[Any]]:  # noqa: ARG002
        found = self._memory.search(text, filters={"user_id": USER}, top_k=k, threshold=0.0)
        return [[one["id"], one["score"]] for one in found["results"]]

    def flush(self) -> dict[str, Any]:
        return {}

    def close(self) -> dict[str, Any]:
        self._memory.close()
        self._client.close()
        return {}

    def _count(self) -> int:
        """What the store itself says: the package's reply may claim more."""
        counted: int = self._client.count(COLLECTION, exact=True).count
        return counted

    def _rows(self) -> Iterator[dict[str, Any]]:
        offset = None
        while True:
            points, offset = self._client.scroll(
                COLLECTION, limit=PAGE, offset=offset, with_payload=True, with_vectors=False
            )
            for point in points:
                told = point.payload
                yield {
                    "id": str(point.id),
                    "text": told.get("data", ""),
                    "kind": "fact",
                    "source": told.get("item", ""),
                    "part": told.get("part", 0),
                }
            if offset is None:
                return

    def _forget_messages(self, of: str, values: tuple[str, ...]) -> None:
        """mem0 shows its model the last messages: those of an item that is taken out, or that was
        interrupted (they belong to no item), must not be among them."""
        self._history.execute(
            "DELETE FROM messages WHERE id IN (SELECT id FROM messages "  # noqa: S608
            f"LEFT JOIN memjury_messages ON message = id WHERE {of})",
            values,
        )
        self._history.execute(
            "DELETE FROM memjury_messages WHERE message NOT IN (SELECT id FROM messages)"
        )
        self._history.commit()


def _date_prompts(date: Any) -> None:
    original = mem0_main.generate_additive_extraction_prompt

    def dated(**given: Any) -> str:
        day = date()
        prompt: str = original(**{**given, "current_date": day, "timestamp": day})
        return prompt

    mem0_main.generate_additive_extraction_prompt = dated
