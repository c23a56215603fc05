"""Routed retrieval: the question's communities first, then cosine across levels within them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memory_systems.adapters.theoria.layers import Layers
from memory_systems.evidence.retrieval import adjacency_of
from memory_systems.evidence.store import EvidenceTable
from memory_systems.ranking import top_indices

TOP_COMMUNITIES = 5
_POOL_A_RESULT = 4

Vectors = NDArray[np.float32]


class SearchTables:
    """What searches look up: the members of each community and the linked units of each unit.
    ``sizes`` counts members, units of several communities in each."""

    def __init__(self, layers: Layers) -> None:
        self.adjacent = adjacency_of(layers.links)
        units, places = np.nonzero(layers.memberships >= 0)
        communities = layers.memberships[units, places]
        order = np.argsort(communities, kind="stable")
        self._units = units[order]
        self._n_units = len(layers.memberships)
        n = len(layers.communities)
        self._bounds = np.searchsorted(communities[order], np.arange(n + 1))
        self.sizes = np.diff(self._bounds)

    def members(self, communities: Sequence[int]) -> NDArray[np.int64]:
        """The units of these communities, each once, in unit order."""
        is_member = np.zeros(self._n_units, np.bool_)
        for one in communities:
            is_member[self._units[self._bounds[one] : self._bounds[one + 1]]] = True
        return np.flatnonzero(is_member)


def opened_communities(
    query: Vectors,
    centres: Vectors,
    neighbours: Mapping[int, Sequence[int]],
    sizes: NDArray[np.int64],
    *,
    wanted: int,
    expands: bool,
) -> tuple[list[int], int]:
    """(communities to look into, how many were routed to): the five nearest with their neighbours,
    and then the next nearest until there are several units for each one wanted."""
    order = [index for index, _ in top_indices(centres @ query, len(centres))]
    opened: dict[int, None] = {}
    n_units, n_routed = 0, 0
    for community in order:
        if n_routed >= TOP_COMMUNITIES and n_units >= _POOL_A_RESULT * wanted:
            break
        n_routed += 1
        near = (community, *(neighbours.get(community, ()) if expands else ()))
        for one in near:
            if one not in opened:
                opened[one] = None
                n_units += int(sizes[one])
    return list(opened), n_routed


def level_scores(
    cosines: Vectors, pool: NDArray[np.int64], table: EvidenceTable
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """(a score for each unit of the pool, the weights of the two levels). ``cosines`` are all
    units' with the question.

    A claim has its own cosine and its summary's; a summary has the mean of its claims' in the pool
    and its own. Each level weighs as much as its cosines tell the pool's units apart: one minus
    their entropy as a share of the greatest possible. Equal weights where neither tells anything.
    """
    place_of = np.full(len(cosines), -1, np.int64)
    place_of[pool] = np.arange(len(pool))
    summaries = table.summary[pool]
    is_summary = table.level[pool] == 1
    claim_level = cosines[pool].astype(np.float64)
    summary_level = claim_level.copy()
    has_summary = summaries >= 0
    above = summaries[has_summary]
    summary_level[has_summary] = cosines[above]
    parents = place_of[above]
    in_pool = parents >= 0
    sums = np.bincount(parents[in_pool], claim_level[has_summary][in_pool], minlength=len(pool))
    counts = np.bincount(parents[in_pool], minlength=len(pool))
    told = is_summary & (counts > 0)
    claim_level[told] = sums[told] / counts[told]
    telling = np.array([1 - _entropy_share(claim_level), 1 - _entropy_share(summary_level)])
    total = telling.sum()
    weights = telling / total if total > 0 else np.full(2, 0.5)
    scores = weights[0] * claim_level + weights[1] * summary_level
    return scores, (float(weights[0]), float(weights[1]))


def _entropy_share(cosines: NDArray[np.float64]) -> float:
    """Entropy of the cosines taken as shares of their sum, over the greatest possible: in [0, 1];
    1 where there is nothing to tell apart."""
    positive = cosines[cosines > 0]
    if len(positive) < 2:
        return 1.0
    shares = positive / positive.sum()
    entropy = -float(np.sum(shares * np.log(shares)))
    return min(1.0, entropy / math.log(len(cosines)))
