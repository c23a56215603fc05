"""The layers above the evidence: derived from the stored items in their order, kept in the store.

Findings that were observed are replayed after the corpus, in the order they came: deriving anew
gives what observing them one by one gave.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory_systems.adapters.theoria.communities import (
    MOST_MEMBERSHIPS,
    Community,
    assign,
    community_edges,
    describe,
    near_graph,
    partition,
)
from memory_systems.adapters.theoria.theories import Bearing, Theory, TheoryLayer
from memory_systems.evidence.features import Features, features_of
from memory_systems.evidence.links import Link, find_links
from memory_systems.evidence.store import EvidenceStore

TABLES = (
    """CREATE TABLE communities (
        id INTEGER PRIMARY KEY, coarse INTEGER NOT NULL, size INTEGER NOT NULL,
        terms TEXT NOT NULL, centre BLOB NOT NULL)""",
    """CREATE TABLE memberships (
        unit INTEGER NOT NULL, community INTEGER NOT NULL, weight REAL NOT NULL,
        PRIMARY KEY (unit, community)) WITHOUT ROWID""",
    """CREATE TABLE community_edges (
        community INTEGER NOT NULL, neighbour INTEGER NOT NULL, weight REAL NOT NULL,
        PRIMARY KEY (community, neighbour)) WITHOUT ROWID""",
    """CREATE TABLE theories (
        id INTEGER PRIMARY KEY, community INTEGER NOT NULL, unit INTEGER NOT NULL,
        statement TEXT NOT NULL, support INTEGER NOT NULL, contradiction INTEGER NOT NULL,
        confidence TEXT NOT NULL)""",
    """CREATE TABLE bearings (
        ordinal INTEGER PRIMARY KEY, theory INTEGER NOT NULL, unit INTEGER NOT NULL,
        relation TEXT NOT NULL, cosine REAL NOT NULL)""",
)


@dataclass(frozen=True)
class Layers:
    """``centres``: (fine communities, dim). ``memberships`` and ``weights``: (units, 3), -1 and 0
    where there are fewer. ``edges``: (community, neighbour, weight), by community, the greatest
    first."""

    links: list[Link]
    communities: list[Community]
    centres: NDArray[np.float32]
    memberships: NDArray[np.int64]
    weights: NDArray[np.float64]
    edges: list[tuple[int, int, float]]
    theories: list[Theory]
    bearings: list[Bearing]

    @cached_property
    def neighbours(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for community, neighbour, _ in self.edges:
            found.setdefault(community, []).append(neighbour)
        return found

    def counts(self) -> dict[str, int]:
        """How much there is of each layer."""
        confidences = [theory.confidence for theory in self.theories]
        relations = [link.relation for link in self.links]
        return {
            "links": len(self.links),
            **{
                f"links: {relation}": relations.count(relation)
                for relation in sorted(set(relations))
            },
            "coarse communities": len({one.coarse for one in self.communities}),
            "fine communities": len(self.communities),
            "community edges": len(self.edges),
            "theories": len(self.theories),
            **{
                f"theories: {level}": confidences.count(level) for level in sorted(set(confidences))
            },
        }


class _Claims:
    """The stored claims, with features noted as they are asked for."""

    def __init__(self, store: EvidenceStore) -> None:
        self.table, self.vectors, self.texts = store.table(), store.vectors, store.texts()
        self.units = np.flatnonzero(self.table.level == 0)
        self._noted: dict[int, Features] = {}

    def features(self, unit: int) -> Features:
        if unit not in self._noted:
            self._noted[unit] = features_of(self.texts[unit])
        return self._noted[unit]

    def links(self, *, since: int = 0) -> list[Link]:
        units = self.units
        return find_links(
            self.vectors[units], self.table.items[units], units, self.features, since=since
        )

    def theory_layer(self, layers: Layers) -> TheoryLayer:
        return TheoryLayer(
            centres=layers.centres,
            neighbours=layers.neighbours,
            features=self.features,
            text=self.texts.__getitem__,
        )


def derive(store: EvidenceStore, *, seed: int) -> Layers:
    """All layers from the stored items: the corpus first, then each finding."""
    claims = _Claims(store)
    is_finding = claims.table.is_finding[claims.units]
    corpus = claims.units[~is_finding]
    vectors = claims.vectors[corpus]
    fine, centres = np.zeros(0, np.int64), np.zeros((0, claims.vectors.shape[1]), np.float32)
    edges: list[tuple[int, int, float]] = []
    communities: list[Community] = []
    if len(corpus):
        graph = near_graph(vectors)
        found = partition(vectors, graph, seed=seed)
        fine, centres = found.fine, found.centres
        edges = community_edges(fine, graph)
        words = [claims.features(unit).words for unit in corpus.tolist()]
        communities = describe(fine, found.coarse, words, [claims.texts[unit] for unit in corpus])
    own = np.full(len(claims.vectors), -1, np.int64)
    own[corpus] = fine
    memberships, weights = assign(claims.vectors, centres, own)
    layers = Layers(claims.links(), communities, centres, memberships, weights, edges, [], [])
    theories = claims.theory_layer(layers)
    theories.seed_communities(fine, corpus, vectors, claims.table)
    theories.observe_all(claims.units[is_finding].tolist(), claims.vectors, claims.table)
    return replace(layers, theories=theories.theories, bearings=theories.bearings)


def extend(layers: Layers, store: EvidenceStore) -> Layers:
    """The layers with the findings that were stored after they were derived, each observed. What
    comes out is what deriving anew gives."""
    claims = _Claims(store)
    n_before = len(layers.memberships)
    vectors = claims.vectors[n_before:]
    memberships, weights = assign(vectors, layers.centres, np.full(len(vectors), -1, np.int64))
    theories = claims.theory_layer(layers)
    theories.restore(layers.theories, layers.bearings, claims.vectors)
    since = int(np.searchsorted(claims.units, n_before))
    theories.observe_all(claims.units[since:].tolist(), claims.vectors, claims.table)
    return replace(
        layers,
        links=[*layers.links, *claims.links(since=since)],
        memberships=np.concatenate([layers.memberships, memberships]),
        weights=np.concatenate([layers.weights, weights]),
        theories=theories.theories,
        bearings=theories.bearings,
    )


def write(layers: Layers, db: sqlite3.Connection) -> None:
    """Replace the stored layers but the links; for ``replace_derived``."""
    for table in ("communities", "memberships", "community_edges", "theories", "bearings"):
        # Only the names above are put into the statement.
        db.execute(f"DELETE FROM {table}")  # noqa: S608
    db.executemany(
        "INSERT INTO communities VALUES (?, ?, ?, ?, ?)",
        (
            (one.id, one.coarse, one.size, json.dumps(one.terms), centre.astype("<f4").tobytes())
            for one, centre in zip(layers.communities, layers.centres, strict=True)
        ),
    )
    units, places = np.nonzero(layers.memberships >= 0)
    db.executemany(
        "INSERT INTO memberships VALUES (?, ?, ?)",
        zip(
            units.tolist(),
            layers.memberships[units, places].tolist(),
            layers.weights[units, places].tolist(),
            strict=True,
        ),
    )
    db.executemany("INSERT INTO community_edges VALUES (?, ?, ?)", layers.edges)
    db.executemany(
        "INSERT INTO theories VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (t.id, t.community, t.unit, t.statement, t.support, t.contradiction, t.confidence)
            for t in layers.theories
        ),
    )
    db.executemany(
        "INSERT INTO bearings VALUES (?, ?, ?, ?, ?)",
        (
            (ordinal, one.theory, one.unit, one.relation, one.cosine)
            for ordinal, one in enumerate(layers.bearings)
        ),
    )


def read(store: EvidenceStore, db: sqlite3.Connection, *, n_units: int, dim: int) -> Layers:
    """The stored layers."""
    rows = db.execute(
        "SELECT id, coarse, size, terms, centre FROM communities ORDER BY id"
    ).fetchall()
    memberships, weights = _read_memberships(
        db.execute(
            "SELECT unit, community, weight FROM memberships ORDER BY unit, weight DESC, community"
        ),
        n_units,
    )
    return Layers(
        links=store.links(),
        communities=[
            Community(number, coarse, size, tuple(json.loads(terms)))
            for number, coarse, size, terms, _ in rows
        ],
        centres=np.frombuffer(b"".join(row[4] for row in rows), "<f4").reshape(len(rows), dim),
        memberships=memberships,
        weights=weights,
        edges=db.execute(
            "SELECT community, neighbour, weight FROM community_edges "
            "ORDER BY community, weight DESC, neighbour"
        ).fetchall(),
        theories=[
            Theory(*row)
            for row in db.execute(
                "SELECT id, community, unit, statement, support, contradiction FROM theories "
                "ORDER BY id"
            )
        ],
        bearings=[
            Bearing(*row)
            for row in db.execute(
                "SELECT theory, unit, relation, cosine FROM bearings ORDER BY ordinal"
            )
        ],
    )


def _read_memberships(
    rows: Sequence[tuple[int, int, float]] | sqlite3.Cursor, n_units: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    table = np.array(list(rows), np.float64).reshape(-1, 3)
    units = table[:, 0].astype(np.int64)
    place = np.arange(len(units)) - np.searchsorted(units, units)
    memberships = np.full((n_units, MOST_MEMBERSHIPS), -1, np.int64)
    weights = np.zeros((n_units, MOST_MEMBERSHIPS), np.float64)
    memberships[units, place] = table[:, 1].astype(np.int64)
    weights[units, place] = table[:, 2]
    return memberships, weights
