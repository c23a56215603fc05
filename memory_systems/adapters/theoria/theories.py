"""The theory layer: statements anchored to a community, promoted by support and demoted by
contradiction.

A finding is compared with the theories of its five nearest communities and their neighbours only.
One at a cosine of 0.25 or more is a candidate; the relation between their texts says whether the
finding bears on it. A finding that bears on none, and is not 0.80 or nearer to any theory, seeds
one of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memory_systems.evidence.features import Features
from memory_systems.evidence.links import Relation, relation_of
from memory_systems.evidence.store import EvidenceTable

Confidence = Literal["low", "medium", "high"]
CONFIDENCES: tuple[Confidence, ...] = ("high", "medium", "low")
MATCH_COSINE = 0.25
DUPLICATE_COSINE = 0.80
TOP_COMMUNITIES = 5
# A contradiction weighs as much as two supports.
_CONTRADICTION_WEIGHT = 2
_MEDIUM_FROM = 2
_HIGH_FROM = 4
_SECOND_THEORY_FROM_SIZE = 40
_COMPARED_A_THEORY = 60

Vectors = NDArray[np.float32]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Theory:
    """``unit`` is the claim that the statement was taken from."""

    id: int
    community: int
    unit: int
    statement: str
    support: int = 0
    contradiction: int = 0

    @property
    def confidence(self) -> Confidence:
        """From low: medium at a balance of 2, high at 4, where a contradiction takes 2 away."""
        balance = self.support - _CONTRADICTION_WEIGHT * self.contradiction
        if balance >= _HIGH_FROM:
            return "high"
        return "medium" if balance >= _MEDIUM_FROM else "low"


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a claim (a unit index) is to a theory."""

    theory: int
    unit: int
    relation: Relation
    cosine: float


@dataclass(frozen=True, slots=True)
class Observation:
    """What one claim of a finding did: the theories it bore on with the relation, or the one it
    seeded (-1: none)."""

    bearings: tuple[Bearing, ...]
    seeded: int = -1


class TheoryLayer:
    """Theories with their vectors, changed by findings one at a time. ``neighbours`` are each
    community's, nearest first. ``features`` and ``text`` give those of a unit index."""

    def __init__(
        self,
        *,
        centres: Vectors,
        neighbours: Mapping[int, Sequence[int]],
        features: Callable[[int], Features],
        text: Callable[[int], str],
    ) -> None:
        self.theories: list[Theory] = []
        self.bearings: list[Bearing] = []
        self._vectors = np.zeros((0, centres.shape[1]), np.float32)
        self._centres = centres
        self._neighbours = neighbours
        self._features = features
        self._text = text
        self._heard: set[tuple[int, Relation]] = set()

    def restore(
        self, theories: Sequence[Theory], bearings: Sequence[Bearing], vectors: Vectors
    ) -> None:
        """Take up where an earlier layer stopped; ``vectors`` are all units'."""
        self.theories = list(theories)
        self.bearings = list(bearings)
        self._vectors = vectors[[theory.unit for theory in theories]].copy()

    def seed_communities(
        self, fine: Indices, units: Indices, vectors: Vectors, table: EvidenceTable
    ) -> None:
        """One theory a community: its most central claim, and a second one in large communities,
        unless one that says nearly the same is there; then what all members say of them.

        ``fine``, ``units`` and ``vectors`` are the claims' communities, unit indices and vectors.
        """
        order = np.argsort(fine, kind="stable")
        bounds = np.searchsorted(fine[order], np.arange(len(self._centres) + 1))
        members_of = [order[bounds[c] : bounds[c + 1]] for c in range(len(self._centres))]
        for community, members in enumerate(members_of):
            closeness = vectors[members] @ self._centres[community]
            central = members[np.argsort(-closeness, kind="stable")]
            wanted = 2 if len(members) >= _SECOND_THEORY_FROM_SIZE else 1
            for row in central.tolist():
                if wanted == 0:
                    break
                if self._nearest_any(vectors[row]) < DUPLICATE_COSINE:
                    self._seed(int(units[row]), community, vectors[row])
                    wanted -= 1
        for theory in tuple(self.theories):
            around = [theory.community, *self._neighbours.get(theory.community, ())]
            rows = np.concatenate([members_of[community] for community in around])
            self._weigh(theory, units[rows], vectors[rows], table)

    def _weigh(
        self, theory: Theory, units: Indices, vectors: Vectors, table: EvidenceTable
    ) -> None:
        """Compare a theory with the nearest of these claims. A wording counts once, and the
        theory's own not at all; a document supports or contradicts a theory once."""
        cosines = vectors @ self._vectors[theory.id]
        said = set(table.gists[theory.unit])
        heard: set[tuple[int, Relation]] = set()
        n_compared = 0
        for place in np.argsort(-cosines, kind="stable").tolist():
            unit, cosine = int(units[place]), float(cosines[place])
            if n_compared == _COMPARED_A_THEORY or cosine < MATCH_COSINE:
                break
            if said.issuperset(table.gists[unit]):
                continue
            said.update(table.gists[unit])
            n_compared += 1
            relation = self._relation(theory.id, unit)
            if relation is not None and (int(table.items[unit]), relation) not in heard:
                heard.add((int(table.items[unit]), relation))
                self._note(theory.id, unit, relation, cosine)

    def observe_all(self, units: Iterable[int], vectors: Vectors, table: EvidenceTable) -> None:
        """The claims of findings, in their order; ``vectors`` are all units'. A finding supports or
        contradicts a theory once, however often it says so."""
        last = -1
        for unit in units:
            if int(table.items[unit]) != last:
                last = int(table.items[unit])
                self._heard = set()
            self.observe(unit, vectors[unit])

    def observe(self, unit: int, vector: Vectors) -> Observation:
        """Let a claim support or contradict the theories near it, where its finding has not done so
        already, or seed one."""
        candidates = self._candidates(vector)
        bearings: list[Bearing | None] = []
        nearest_cosine = self._nearest_any(vector)
        if len(candidates):
            cosines = self._vectors[candidates] @ vector
            for place in np.argsort(-cosines, kind="stable").tolist():
                cosine = float(cosines[place])
                if cosine < MATCH_COSINE:
                    break
                theory_id = int(candidates[place])
                relation = self._relation(theory_id, unit)
                if relation is not None:
                    bearings.append(self._note_once(theory_id, unit, relation, cosine))
        if not bearings and nearest_cosine >= DUPLICATE_COSINE:
            repeated = int(np.argmax(self._vectors @ vector))
            bearings.append(self._note_once(repeated, unit, "supports", nearest_cosine))
        if bearings:
            return Observation(tuple(one for one in bearings if one is not None))
        communities = self._top_communities(vector)
        anchor = int(communities[0]) if len(communities) else -1
        return Observation((), seeded=self._seed(unit, anchor, vector).id)

    def _candidates(self, vector: Vectors) -> Indices:
        """Theories of the five nearest communities and of their neighbours, and those that are
        anchored to none."""
        near = {-1}
        for community in self._top_communities(vector).tolist():
            near.update((community, *self._neighbours.get(community, ())))
        return np.array([one.id for one in self.theories if one.community in near], np.int64)

    def _top_communities(self, vector: Vectors) -> Indices:
        order: Indices = np.argsort(-(self._centres @ vector), kind="stable")[:TOP_COMMUNITIES]
        return order

    def _nearest_any(self, vector: Vectors) -> float:
        return float((self._vectors @ vector).max()) if self.theories else -1.0

    def _relation(self, theory_id: int, unit: int) -> Relation | None:
        """Whether the claim supports or contradicts the theory, if their texts show it."""
        stated = self._features(self.theories[theory_id].unit)
        relation = relation_of(self._features(unit), stated)
        return relation if relation in ("supports", "contradicts") else None

    def _note_once(
        self, theory_id: int, unit: int, relation: Relation, cosine: float
    ) -> Bearing | None:
        if (theory_id, relation) in self._heard:
            return None
        self._heard.add((theory_id, relation))
        return self._note(theory_id, unit, relation, cosine)

    def _note(self, theory_id: int, unit: int, relation: Relation, cosine: float) -> Bearing:
        theory = self.theories[theory_id]
        self.theories[theory_id] = (
            replace(theory, support=theory.support + 1)
            if relation == "supports"
            else replace(theory, contradiction=theory.contradiction + 1)
        )
        # Rounded vectors may be a little longer than 1.
        bearing = Bearing(theory_id, unit, relation, min(1.0, cosine))
        self.bearings.append(bearing)
        return bearing

    def _seed(self, unit: int, community: int, vector: Vectors) -> Theory:
        theory = Theory(len(self.theories), community, unit, self._text(unit))
        self.theories.append(theory)
        self._vectors = np.concatenate([self._vectors, vector[None, :]])
        return theory
