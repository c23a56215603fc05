"""Runs inside Graphiti's own environment: the package on a Kuzu file."""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

GROUP = "memjury"
UNDATED = "2025-01-01T00:00:00+00:00"
# Over-fetching takes what the package's own threshold would leave out.
LEAST_SIMILARITY = 0.0
_RANKED = 100_000


class Worker:
    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        # Read by the package when it is imported.
        os.environ["EMBEDDING_DIM"] = str(settings["embedding_dim"])
        os.environ["SEMAPHORE_LIMIT"] = str(settings["parallel_calls"])
        warnings.simplefilter("ignore", DeprecationWarning)
        self._n_previous = int(settings["previous_episodes"])
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._driver = _open_driver(Path(folder) / "graph.kuzu")
        self._graphiti = _open_graphiti(self._driver, settings)
        self._do(self._graphiti.build_indices_and_constraints())

    def add(self, item_id: str, part: int, text: str, title: str, timestamp: str) -> dict[str, Any]:
        before = len(self.units())
        result = self._do(
            self._graphiti.add_episode(
                name=title or item_id,
                episode_body=text,
                source_description=f"{item_id}#{part}",
                reference_time=_time(timestamp),
                source=_episode_type(),
                group_id=GROUP,
                previous_episode_uuids=self._previous(),
            )
        )
        lost = [] if result.nodes else ["no entity was extracted: only the episode is stored"]
        return {
            "handles": [result.episode.uuid],
            "units": len(self.units()) - before,
            "remarks": lost,
        }

    def remove(self, item_id: str, handles: list[str]) -> dict[str, Any]:
        """The item's episodes with what only they support, and what an interrupted ingest left."""
        found = [row["uuid"] for row in self._episodes() if _source(row)[0] == item_id]
        for episode in sorted(set(found) | (set(handles) & set(found))):
            self._do(self._graphiti.remove_episode(episode))
        known = {row["uuid"] for row in self._episodes()}
        for row in self._query("MATCH (e:RelatesToNode_) RETURN e.uuid AS uuid, e.episodes AS of"):
            if not known.intersection(row["of"] or []):
                self._query("MATCH (e:RelatesToNode_ {uuid: $uuid}) DETACH DELETE e", row["uuid"])
        for row in self._query(
            "MATCH (n:Entity) WHERE NOT EXISTS { MATCH (:Episodic)-[:MENTIONS]->(n) } "
            "RETURN n.uuid AS uuid"
        ):
            self._query("MATCH (n:Entity {uuid: $uuid}) DETACH DELETE n", row["uuid"])
        return {}

    def units(self) -> list[dict[str, Any]]:
        episodes = {row["uuid"]: _source(row) for row in self._episodes()}
        rows = [
            _unit(row["uuid"], row["content"], "episode", episodes[row["uuid"]])
            for row in self._episodes()
        ]
        for row in self._query(
            "MATCH (e:RelatesToNode_) RETURN e.uuid AS uuid, e.fact AS fact, e.episodes AS of"
        ):
            of = [episodes[one] for one in row["of"] or [] if one in episodes]
            if of:
                rows.append(_unit(row["uuid"], row["fact"], "edge", of[0]))
        first: dict[str, dict[str, Any]] = {}
        for row in self._query(
            "MATCH (p:Episodic)-[:MENTIONS]->(n:Entity) RETURN n.uuid AS uuid, n.name AS name, "
            "n.summary AS summary, p.uuid AS episode ORDER BY p.created_at, p.uuid"
        ):
            text = f"{row['name']}: {row['summary']}" if row["summary"] else row["name"]
            unit = _unit(row["uuid"], text, "node", episodes[row["episode"]])
            first.setdefault(row["uuid"], unit)
        return rows + list(first.values())

    def search(self, text: str, k: int, kinds: list[str]) -> list[list[Any]]:
        """Edges, nodes and episodes in turn, each in the order of the package's own fusion."""
        from graphiti_core.search.search_config_recipes import COMBINED_HYBRID_SEARCH_RRF

        config = COMBINED_HYBRID_SEARCH_RRF.model_copy(deep=True)
        config.limit = k
        config.community_config = None
        if kinds:
            config.edge_config.sim_min_score = LEAST_SIMILARITY
            config.node_config.sim_min_score = LEAST_SIMILARITY
            if "episode" not in kinds:
                config.episode_config = None
        found = self._do(self._graphiti.search_(text, config=config, group_ids=[GROUP]))
        lists = [[one.uuid for one in kind] for kind in (found.edges, found.nodes, found.episodes)]
        longest = max(map(len, lists), default=0)
        ranked = [one[place] for place in range(longest) for one in lists if place < len(one)]
        return [[name, 1 - place / _RANKED] for place, name in enumerate(ranked)]

    def flush(self) -> dict[str, Any]:
        return {}

    def close(self) -> dict[str, Any]:
        self._do(self._graphiti.close())
        self._driver.db.close()
        return {}

    def _do(self, awaited: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(awaited)

    def _query(self, query: str, uuid: str = "") -> list[dict[str, Any]]:
        given = {"uuid": uuid} if uuid else {}
        rows, _, _ = self._do(self._driver.execute_query(query, **given))
        return list(rows or [])

    def _episodes(self) -> list[dict[str, Any]]:
        return self._query(
            "MATCH (p:Episodic) RETURN p.uuid AS uuid, p.content AS content, "
            "p.source_description AS source ORDER BY p.created_at, p.uuid"
        )

    def _previous(self) -> list[str]:
        rows = self._episodes()
        return [row["uuid"] for row in rows[len(rows) - self._n_previous :]]


def _open_driver(file: Path) -> Any:
    """The Kuzu driver, with the full-text indices that its searches use and nobody else makes."""
    import kuzu
    from graphiti_core.driver.driver import GraphProvider
    from graphiti_core.driver.kuzu_driver import KuzuDriver
    from graphiti_core.graph_queries import get_fulltext_indices

    # A kill leaves a log that Kuzu replays without its full-text indices; writing to those again
    # ends the process.
    was_interrupted = file.with_name(f"{file.name}.wal").exists()
    driver = KuzuDriver(db=str(file))
    # Of several threads in one full-text query now and then one looks for what another has not yet
    # written: "unordered_map::at".
    driver.client.close()
    driver.client = kuzu.AsyncConnection(
        driver.db, max_concurrent_queries=1, max_threads_per_query=1
    )
    connection = kuzu.Connection(driver.db)
    connection.execute("INSTALL fts; LOAD EXTENSION fts;")
    held = connection.execute("CALL SHOW_INDEXES() RETURN table_name, index_name")
    indices = []
    while held.has_next():
        indices.append(tuple(held.get_next()))
    if was_interrupted:
        for table, index in indices:
            connection.execute(f"CALL DROP_FTS_INDEX('{table}', '{index}')")
        connection.execute("CHECKPOINT")
        indices = []
    for query in get_fulltext_indices(GraphProvider.KUZU):
        if not any(f"'{index}'" in query for _, index in indices):
            connection.execute(query)
    connection.execute("CHECKPOINT")
    connection.close()
    if not hasattr(driver, "_database"):
        driver._database = "default"
    return driver


def _open_graphiti(driver: Any, settings: dict[str, Any]) -> Any:
    from graphiti_core import Graphiti
    from graphiti_core.cross_encoder.client import CrossEncoderClient
    from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
    from graphiti_core.llm_client.client import LLMClient
    from graphiti_core.llm_client.config import LLMConfig
    from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient
    from tenacity import wait_none

    # The proxy has waited and sent again already; the package would wait up to six minutes more.
    LLMClient._generate_response_with_retry.retry.wait = wait_none()

    class InOrder(CrossEncoderClient):  # type: ignore[misc]
        """The searches used here fuse ranks; the client is asked for all the same."""

        async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:  # noqa: ARG002
            return [(passage, 1 / (place + 1)) for place, passage in enumerate(passages)]

    most_tokens = int(settings["max_output_tokens"])

    class Bounded(OpenAIGenericClient):  # type: ignore[misc]
        """The package asks for 16,384 tokens a reply: more than the context of many models."""

        async def generate_response(
            self,
            messages: Any,
            response_model: Any = None,
            max_tokens: int | None = None,
            **given: Any,
        ) -> Any:
            most = min(max_tokens or most_tokens, most_tokens)
            return await super().generate_response(messages, response_model, most, **given)

    access = {"api_key": settings["api_key"], "base_url": settings["base_url"]}
    model = settings["model"]
    return Graphiti(
        graph_driver=driver,
        llm_client=Bounded(LLMConfig(model=model, small_model=model, temperature=0.0, **access)),
        embedder=OpenAIEmbedder(
            OpenAIEmbedderConfig(
                embedding_model=settings["embedding_model"],
                embedding_dim=settings["embedding_dim"],
                **access,
            )
        ),
        cross_encoder=InOrder(),
        max_coroutines=int(settings["parallel_calls"]),
    )


def _episode_type() -> Any:
    from graphiti_core.nodes import EpisodeType

    return EpisodeType.text


def _time(timestamp: str) -> datetime:
    read = datetime.fromisoformat(timestamp or UNDATED)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _source(row: dict[str, Any]) -> tuple[str, int]:
    item, _, part = row["source"].rpartition("#")
    return item, int(part)


def _unit(uuid: str, text: str, kind: str, source: tuple[str, int]) -> dict[str, Any]:
    return {"id": uuid, "text": text, "kind": kind, "source": source[0], "part": source[1]}
