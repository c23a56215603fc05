"""Runs inside Hindsight's own environment: a client of the server that it starts for its memory."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException, NotFoundException

if TYPE_CHECKING:
    from memory_systems.adapters.hindsight import servers
else:
    # This file is run by its path: what stands beside it is found there.
    sys.path.insert(0, str(Path(__file__).parent))
    import servers

BANK = "memjury"
UNDATED = "2025-01-01T00:00:00+00:00"
PAGE = 1000
POLL_S = 0.25
LONGEST_CALL_S = 3600.0
# Over-fetching takes what the package's own threshold and default would leave out.
LEAST_SIMILARITY = -1.0
MOST_TOKENS = 1_000_000
# The package's default; it wants more tokens for a reply than a chunk has characters.
CHUNK_CHARS = 3000
_RANKED = 100_000


class ServerRefused(RuntimeError):
    """The server answered with an error, in its own words."""


class Worker:
    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        self._has_observations = bool(settings["observations"])
        self._latest = ""
        key = secrets.token_urlsafe(24)
        self._servers = servers.Servers(Path(folder), _variables(settings, key))
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._client = self._do(self._connect(key))

    def add(self, item_id: str, part: int, text: str, title: str, timestamp: str) -> dict[str, Any]:  # noqa: ARG002
        before = len(self._do(self._rows()))
        n_failed = self._n_failed()
        # A document of the same id is replaced by the package.
        self._do(
            self._client.aretain(
                bank_id=BANK,
                content=text,
                document_id=_document_id(item_id),
                context=title or None,
                timestamp=timestamp or UNDATED,
            )
        )
        self._settle()
        lost = self._n_failed() - n_failed
        after = len(self._do(self._rows()))
        remarks = (
            [f"no observations were made of {lost} facts: their making failed"] if lost else []
        )
        return {"handles": [item_id], "units": after - before, "remarks": remarks}

    def remove(self, item_id: str, handles: list[str]) -> dict[str, Any]:  # noqa: ARG002
        """The document, its facts and the observations that only they support."""
        with suppress(NotFoundException):
            self._do(self._client.documents.delete_document(BANK, _document_id(item_id)))
        self._settle()
        return {}

    def units(self) -> list[dict[str, Any]]:
        """Facts, and observations with the document of their first fact."""
        rows = self._do(self._rows())
        documents = {row.id: row.document_id for row in rows}
        return [
            {
                "id": row.id,
                "text": row.text,
                "kind": row.fact_type,
                "source": _item_id(
                    row.document_id or _document_of(row.source_memory_ids, documents)
                ),
            }
            for row in rows
        ]

    def search(self, text: str, k: int, kinds: list[str]) -> list[list[Any]]:  # noqa: ARG002
        """``k`` 0 is a recall with the package's own defaults. The question is asked at the time of
        the latest fact, so that no result depends on the day it was measured."""
        knobs: dict[str, Any] = {}
        if k:
            floor = {"semantic": LEAST_SIMILARITY}
            knobs = {"max_tokens": MOST_TOKENS, "budget": "high", "min_scores": floor}
        if not self._latest:
            dates = (row.mentioned_at for row in self._do(self._rows()))
            self._latest = max((date for date in dates if date), default=UNDATED)
        found = self._do(
            self._client.arecall(bank_id=BANK, query=text, query_timestamp=self._latest, **knobs)
        )
        return [[one.id, 1 - place / _RANKED] for place, one in enumerate(found.results)]

    def flush(self) -> dict[str, Any]:
        return {}

    def close(self) -> dict[str, Any]:
        self._do(self._client.aclose())
        self._servers.stop()
        return {}

    async def _connect(self, key: str) -> Hindsight:
        client = Hindsight(base_url=self._servers.base_url, api_key=key, timeout=LONGEST_CALL_S)
        await client.acreate_bank(bank_id=BANK, name=BANK)
        return client

    async def _rows(self) -> list[Any]:
        rows: list[Any] = []
        while True:
            page = await self._client.alist_memories(bank_id=BANK, limit=PAGE, offset=len(rows))
            rows += page.items
            if not page.items or len(rows) >= page.total:
                return rows

    def _settle(self) -> None:
        """Wait: observations are made, and removals completed, in the background."""
        self._latest = ""
        while self._is_busy():
            time.sleep(POLL_S)
        self._servers.renew_statistics()

    def _is_busy(self) -> bool:
        told = self._do(self._client.banks.get_agent_stats(BANK))
        waiting = told.pending_consolidation if self._has_observations else 0
        return bool(told.pending_operations or waiting)

    def _n_failed(self) -> int:
        told = self._do(self._client.banks.get_agent_stats(BANK))
        return int(told.failed_consolidation)

    def _do(self, what: Coroutine[Any, Any, Any]) -> Any:
        """Raises ServerRefused, and NotFoundException."""
        try:
            return self._loop.run_until_complete(what)
        except NotFoundException:
            raise
        except ApiException as error:
            raise ServerRefused(f"HTTP {error.status}: {error.body}") from error


def _variables(settings: Mapping[str, Any], key: str) -> dict[str, str]:
    most_tokens = int(settings["max_output_tokens"])
    return {
        "HINDSIGHT_API_RETAIN_MAX_COMPLETION_TOKENS": str(most_tokens),
        "HINDSIGHT_API_RETAIN_CHUNK_SIZE": str(min(CHUNK_CHARS, most_tokens - 1)),
        "HINDSIGHT_API_TENANT_EXTENSION": (
            "hindsight_api.extensions.builtin.tenant:ApiKeyTenantExtension"
        ),
        "HINDSIGHT_API_TENANT_API_KEY": key,
        "HINDSIGHT_API_LLM_BASE_URL": settings["base_url"],
        "HINDSIGHT_API_LLM_API_KEY": settings["api_key"],
        "HINDSIGHT_API_LLM_MODEL": settings["model"],
        "HINDSIGHT_API_LLM_MAX_CONCURRENT": str(settings["parallel_calls"]),
        "HINDSIGHT_API_EMBEDDINGS_OPENAI_BASE_URL": settings["base_url"],
        "HINDSIGHT_API_EMBEDDINGS_OPENAI_API_KEY": settings["api_key"],
        "HINDSIGHT_API_EMBEDDINGS_OPENAI_MODEL": settings["embedding_model"],
        "HINDSIGHT_API_ENABLE_OBSERVATIONS": str(settings["observations"]).lower(),
    }


def _document_id(item_id: str) -> str:
    """It is part of addresses, and items may be called anything."""
    return f"x{item_id.encode().hex()}"


def _item_id(document_id: str) -> str:
    return bytes.fromhex(document_id[1:]).decode()


def _document_of(facts: Sequence[str], documents: Mapping[str, str]) -> str:
    return next((documents[fact] for fact in facts if documents.get(fact)), "")
