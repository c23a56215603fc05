"""From a ranking to what comes back: each thing said once, with one hop along the links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_systems.evidence.links import Link
from memory_systems.evidence.store import EvidenceTable
from memory_systems.fetching import Ranking

Adjacency = Mapping[int, Sequence[tuple[int, float]]]


def adjacency_of(links: Sequence[Link]) -> dict[int, list[tuple[int, float]]]:
    """(linked unit, cosine) of every unit that has links, both ways, in the order of the links."""
    adjacent: dict[int, list[tuple[int, float]]] = {}
    for link in links:
        adjacent.setdefault(link.source, []).append((link.target, link.cosine))
        adjacent.setdefault(link.target, []).append((link.source, link.cosine))
    return adjacent


def said_once(ranked: Ranking, table: EvidenceTable) -> list[tuple[int, float]]:
    """The ranking without units that say only what better ones said: claims in the same words and
    numbers, and summaries all of whose quoted claims came before."""
    seen: set[int] = set()
    kept = []
    for index, score in ranked:
        gists = table.gists[index]
        if not seen.issuperset(gists):
            seen.update(gists)
            kept.append((index, score))
    return kept


def with_linked(
    ranked: Ranking, k: int, adjacent: Adjacency, table: EvidenceTable
) -> tuple[list[tuple[int, float]], int]:
    """The ranking with the units linked to its leading ``k``, and how many of those moved up.

    A linked unit scores its neighbour's score times the link's cosine, where that is more than its
    own; what the leading units say already is not said again.
    """
    own = dict(ranked)
    leading = ranked[:k]
    lifted: dict[int, float] = {}
    among_leading = {index for index, _ in leading}
    for index, score in leading:
        for other, cosine in adjacent.get(index, ()):
            if other in among_leading:
                continue
            passed_on = score * cosine
            if passed_on > max(own.get(other, 0.0), lifted.get(other, 0.0)):
                lifted[other] = passed_on
    merged = sorted({**own, **lifted}.items(), key=lambda pair: (-pair[1], pair[0]))
    kept = said_once(merged, table)
    return kept, sum(index in lifted for index, _ in kept)
