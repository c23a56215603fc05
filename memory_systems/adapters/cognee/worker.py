"""Runs inside Cognee's own environment: the package on SQLite, LanceDB and its graph file."""

from __future__ import annotations

import asyncio
import json
import os
import uuid
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

DATASET = "memjury"
# The proxy has waited and sent again already; the package would go on for four minutes.
MOST_ATTEMPTS = 2


class Worker:
    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        # Its identifiers of rows must never repeat; those that matter are made of content.
        uuid.uuid4 = lambda: uuid.UUID(bytes=os.urandom(16), version=4)
        os.environ.update(_variables(Path(folder) / "cognee", settings))
        import cognee
        from cognee.infrastructure.llm import retry_config
        from cognee.modules.engine.operations.setup import setup
        from tenacity import stop_after_attempt

        retry_config.llm_retry_stop_condition.stops = (stop_after_attempt(MOST_ATTEMPTS),)
        self._cognee = cognee
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._settings = settings
        # Whatever is asked first finds its tables.
        self._do(setup())

    def add(self, item_id: str, part: int, text: str, title: str, timestamp: str) -> dict[str, Any]:  # noqa: ARG002
        from cognee.tasks.ingestion.data_item import DataItem

        before = len(self.units())
        item = DataItem(
            text,
            label=title or item_id,
            external_metadata={"item": item_id},
            data_id=_data_id(item_id),
            literal_text=True,
        )
        self._do(self._cognee.add(item, dataset_name=DATASET))
        self._do(
            self._cognee.cognify(
                datasets=[DATASET],
                chunk_size=int(self._settings["chunk_tokens"]),
                chunks_per_batch=int(self._settings["parallel_calls"]),
            )
        )
        return {"handles": [str(_data_id(item_id))], "units": len(self.units()) - before}

    def remove(self, item_id: str, handles: list[str]) -> dict[str, Any]:  # noqa: ARG002
        """The document, its chunks and what only they support; the files of an interrupted ingest
        too, for an item's identifier is made of its id."""
        for dataset in self._do(self._cognee.datasets.list_datasets()):
            if dataset.name == DATASET:
                self._do(self._cognee.datasets.delete_data(dataset.id, _data_id(item_id)))
        return {}

    def units(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self._do(self._rows())
        return rows

    def search(self, text: str, k: int, kinds: list[str]) -> list[list[Any]]:  # noqa: ARG002
        """The package's own chunk retriever; its ``search`` would write a log of every question
        and reply into the store."""
        from cognee.modules.retrieval.chunks_retriever import ChunksRetriever

        found = self._do(ChunksRetriever(top_k=k).get_retrieved_objects(text))
        return [[str(one.id), 1.0 - float(one.score)] for one in found]

    def flush(self) -> dict[str, Any]:
        return {}

    def close(self) -> dict[str, Any]:
        return {}

    async def _rows(self) -> list[dict[str, Any]]:
        """Chunks say themselves which item they are of; a summary names its chunk."""
        chunks = await _stored("DocumentChunk_text")
        items = {row["id"]: json.loads(row["external_metadata"])["item"] for row in chunks}
        places = {row["id"]: row["chunk_index"] for row in chunks}
        summaries = [
            (row, row["source_chunk_id"])
            for row in await _stored("TextSummary_text")
            if row["source_chunk_id"] in items
        ]
        return [
            {
                "id": row["id"],
                "text": row["text"],
                "kind": kind,
                "source": items[chunk],
                "part": places[chunk],
            }
            for kind, rows in (
                ("chunk", [(row, row["id"]) for row in chunks]),
                ("summary", summaries),
            )
            for row, chunk in rows
        ]

    def _do(self, what: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(what)


def _variables(place: Path, settings: dict[str, Any]) -> dict[str, str]:
    """Read by the package when it is imported."""
    import litellm

    tokenizers = Path(litellm.__file__).parent / "litellm_core_utils" / "tokenizers"
    return {
        "TIKTOKEN_CACHE_DIR": str(tokenizers),
        "DATA_ROOT_DIRECTORY": str(place / "data"),
        "SYSTEM_ROOT_DIRECTORY": str(place / "system"),
        "CACHE_ROOT_DIRECTORY": str(place / "cache"),
        "COGNEE_LOGS_DIR": str(place / "logs"),
        "LLM_PROVIDER": "openai",
        "LLM_MODEL": f"openai/{settings['model']}",
        "LLM_ENDPOINT": settings["base_url"],
        "LLM_API_KEY": settings["api_key"],
        "EMBEDDING_PROVIDER": "openai_compatible",
        "EMBEDDING_MODEL": settings["embedding_model"],
        "EMBEDDING_ENDPOINT": settings["base_url"],
        "EMBEDDING_API_KEY": settings["api_key"],
        # The package's own cap; the house's embedders read longer texts in windows.
        "EMBEDDING_MAX_COMPLETION_TOKENS": str(settings["chunk_tokens"]),
        "EMBEDDING_DIMENSIONS": str(settings["embedding_dim"]),
    }


def _data_id(item_id: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"memjury:{item_id}")


async def _stored(collection: str) -> list[dict[str, Any]]:
    """What the vector store holds of every point of the collection; nothing before the first."""
    from cognee.infrastructure.databases.vector import get_vector_engine_async

    engine = await get_vector_engine_async()
    if not await engine.has_collection(collection):
        return []
    table = await engine.get_collection(collection)
    return [row["payload"] for row in await table.query().select(["payload"]).to_list()]
