"""Typed links between claims of different items: supports, contradicts, extends, depends on.

Each claim is compared with its five nearest among the claims of items that came before its own.
The relation is decided by rule from words, quantities, polarity and cues of general English.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from memory_systems.evidence.features import IDENTIFIER, Features
from memory_systems.evidence.nearest import nearest

Relation = Literal["supports", "contradicts", "extends", "depends-on"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
NEIGHBOURS = 5
LEAST_COSINE = 0.5
# Half of the shorter claim's words: about the same thing. Four fifths: the same statement.
_SAME_SUBJECT = 0.5
_SAME_STATEMENT = 0.8


@dataclass(frozen=True, slots=True)
class Link:
    """The later claim ``source`` says this of the earlier ``target``; both are unit indices."""

    source: int
    target: int
    relation: Relation
    cosine: float


def find_links(
    vectors: NDArray[np.float32],
    items: NDArray[np.int64],
    indices: NDArray[np.int64],
    features: Callable[[int], Features],
    *,
    since: int = 0,
) -> list[Link]:
    """Links among claims with these vectors (rows), items (never falling) and unit indices, from
    the row ``since`` on. ``features`` gives those of a unit index."""
    neighbours, cosines = nearest(vectors, NEIGHBOURS, groups=items, since=since)
    links = []
    rows, places = np.nonzero((neighbours >= 0) & (cosines >= LEAST_COSINE))
    for row, place in zip(rows.tolist(), places.tolist(), strict=True):
        source, target = int(indices[row]), int(indices[neighbours[row, place]])
        relation = relation_of(features(source), features(target))
        if relation is not None:
            # Rounded vectors may be a little longer than 1.
            cosine = min(1.0, float(cosines[row, place]))
            links.append(Link(source, target, relation, cosine))
    return links


def relation_of(new: Features, old: Features) -> Relation | None:
    """What the newer claim is to the older, or None where no rule says.

    Of claims about the same thing: opposite polarity or direction contradicts; equal quantities
    support; the same statement with one quantity changed contradicts, with none it supports. None
    of these holds where different things are named by number. Of claims that share a name: a cue
    of dependence or of continuation in the newer one.
    """
    overlap = _overlap(new.words, old.words)
    if overlap >= _SAME_SUBJECT and not new.names ^ old.names:
        stated = _compared(new, old, overlap)
        if stated is not None:
            return stated
    if new.names & old.names or overlap >= _SAME_SUBJECT:
        if new.depends:
            return "depends-on"
        if new.extends:
            return "extends"
    return None


def _compared(new: Features, old: Features, overlap: float) -> Relation | None:
    if new.quantities.get(IDENTIFIER) != old.quantities.get(IDENTIFIER):
        return None
    is_same = overlap >= _SAME_STATEMENT
    if new.is_negated != old.is_negated or new.direction * old.direction < 0:
        return "contradicts" if is_same else None
    shared = new.quantities.keys() & old.quantities.keys()
    differing = [unit for unit in shared if not new.quantities[unit] & old.quantities[unit]]
    if not new.quantities and not old.quantities:
        return "supports" if is_same else None
    if shared and not differing:
        return "supports"
    if is_same and len(differing) == 1 and new.quantities.keys() == old.quantities.keys():
        return "contradicts"
    return None


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared words as a share of the shorter claim's, in [0, 1]; 0 where either has under two."""
    shorter = min(len(a), len(b))
    return len(a & b) / shorter if shorter > 1 else 0.0


def by_relation(links: Sequence[Link]) -> dict[Relation, list[Link]]:
    """The links of each relation, the nearest pairs first."""
    found: dict[Relation, list[Link]] = {relation: [] for relation in RELATIONS}
    for link in sorted(links, key=lambda one: (-one.cosine, one.source, one.target)):
        found[link.relation].append(link)
    return found
