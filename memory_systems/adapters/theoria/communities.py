"""The community layer: claims that lie close together, found twice, coarsely and finely.

Leiden over the graph of nearest neighbours (source: Traag, Waltman and van Eck, Scientific Reports
2019), then a weighted assignment of every unit to the fine communities whose centres are nearest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_systems.evidence.features import spelled_out
from memory_systems.evidence.memory import unit_rows
from memory_systems.evidence.nearest import best_of_rows, nearest, steady

NEIGHBOURS = 10
COARSE_RESOLUTION = 1.0
FINE_RESOLUTION = 20.0
# A community of Leiden holds at most about claims / resolution: never meant to be under this.
_LEAST_CLAIMS_A_RESOLUTION = 100
MOST_MEMBERSHIPS = 3
# A further community is one whose centre is nearly as near as the nearest.
_RELATIVE_NEARNESS = 0.9
EDGES_A_COMMUNITY = 12
TOP_TERMS = 6
_ITERATIONS = 2
_ROWS_AT_ONCE = 4096

Vectors = NDArray[np.float32]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Community:
    """A fine community. ``coarse`` is the coarse one that most of its claims lie in; ``size``
    counts claims; ``terms`` are its most telling words, the first the most."""

    id: int
    coarse: int
    size: int
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """Neighbour pairs a < b (rows of the claims) with their cosine, each once."""

    a: Indices
    b: Indices
    cosine: Vectors


@dataclass(frozen=True, slots=True)
class Partition:
    """``fine`` and ``coarse`` hold each claim's community, numbered by falling size; ``centres``
    has shape (fine communities, dim), rows of unit length."""

    fine: Indices
    coarse: Indices
    centres: Vectors


def near_graph(vectors: Vectors) -> Graph:
    """Every claim joined to its nearest others with a positive cosine."""
    n = len(vectors)
    neighbours, cosines = nearest(vectors, NEIGHBOURS)
    rows = np.repeat(np.arange(n), NEIGHBOURS)
    others, weights = neighbours.ravel(), cosines.ravel()
    kept = (others >= 0) & (weights > 0)
    rows, others, weights = rows[kept], others[kept], weights[kept]
    low, high = np.minimum(rows, others), np.maximum(rows, others)
    keys, first = np.unique(low * n + high, return_index=True)
    return Graph(a=keys // max(n, 1), b=keys % max(n, 1), cosine=weights[first])


def partition(vectors: Vectors, graph: Graph, *, seed: int) -> Partition:
    """Coarse and fine communities of the claims with these vectors. Small corpora are cut less
    finely, so that a community is more than a claim."""
    coarse = _leiden(len(vectors), graph, COARSE_RESOLUTION, seed)
    finest = max(COARSE_RESOLUTION, len(vectors) / _LEAST_CLAIMS_A_RESOLUTION)
    fine = _leiden(len(vectors), graph, min(FINE_RESOLUTION, finest), seed)
    return Partition(fine=fine, coarse=coarse, centres=centres_of(vectors, fine))


def _leiden(n: int, graph: Graph, resolution: float, seed: int) -> Indices:
    import igraph
    import leidenalg

    network = igraph.Graph(n=n, edges=np.stack([graph.a, graph.b], axis=1))
    found = leidenalg.find_partition(
        network,
        leidenalg.RBConfigurationVertexPartition,
        weights=graph.cosine.astype(float).tolist(),
        resolution_parameter=resolution,
        seed=seed + 1,
        n_iterations=_ITERATIONS,
    )
    return _by_size(np.array(found.membership, np.int64))


def _by_size(labels: Indices) -> Indices:
    """The same communities numbered from the largest, equal ones by their first member."""
    known, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    numbers = np.empty(len(known), np.int64)
    numbers[order] = np.arange(len(known))
    return numbers[np.searchsorted(known, labels)]


def centres_of(vectors: Vectors, labels: Indices) -> Vectors:
    """The mean of each community's vectors at unit length, by label from 0."""
    n = int(labels.max()) + 1 if len(labels) else 0
    sums = np.zeros((n, vectors.shape[1]), np.float64)
    np.add.at(sums, labels, vectors)
    return steady(unit_rows(sums.astype(np.float32)))


def assign(vectors: Vectors, centres: Vectors, own: Indices) -> tuple[Indices, NDArray[np.float64]]:
    """(communities, weights) of units, both of shape (units, 3): communities by falling weight, -1
    and 0 where there are fewer. ``own`` is a claim's community by Leiden, which is always among
    them, or -1. Weights are cosines to the centres, scaled to add up to 1."""
    n = len(vectors)
    found = np.full((n, MOST_MEMBERSHIPS), -1, np.int64)
    weights = np.zeros((n, MOST_MEMBERSHIPS), np.float64)
    if not len(centres):
        return found, weights
    for first in range(0, n, _ROWS_AT_ONCE):
        rows = slice(first, min(n, first + _ROWS_AT_ONCE))
        cosines = np.maximum(vectors[rows] @ centres.T, 0)
        mine = own[rows]
        claimed = np.flatnonzero(mine >= 0)
        # A claim's own community counts as its nearest, however its centre lies.
        cosines[claimed, mine[claimed]] = np.maximum(
            cosines[claimed, mine[claimed]], cosines[claimed].max(axis=1)
        )
        places, values = best_of_rows(cosines, MOST_MEMBERSHIPS)
        kept = (values > 0) & (values >= _RELATIVE_NEARNESS * values[:, :1])
        kept[:, 0] = True
        values = np.where(kept, values, 0).astype(np.float64)
        totals = values.sum(axis=1, keepdims=True)
        width = places.shape[1]
        found[rows, :width] = np.where(kept, places, -1)
        weights[rows, :width] = np.where(totals > 0, values / np.where(totals > 0, totals, 1), kept)
    return found, weights


def community_edges(fine: Indices, graph: Graph) -> list[tuple[int, int, float]]:
    """(community, neighbour, weight): for each community the up to 12 others that its claims are
    joined to most, by the sum of cosines."""
    n = int(fine.max()) + 1 if len(fine) else 0
    a, b = fine[graph.a], fine[graph.b]
    apart = a != b
    keys = np.concatenate([a[apart] * n + b[apart], b[apart] * n + a[apart]])
    weights = np.concatenate([graph.cosine[apart]] * 2).astype(np.float64)
    pairs, place = np.unique(keys, return_inverse=True)
    totals = np.round(np.bincount(place, weights=weights, minlength=len(pairs)), 6)
    order = np.lexsort((pairs % max(n, 1), -totals, pairs // max(n, 1)))
    kept: list[tuple[int, int, float]] = []
    counts: Counter[int] = Counter()
    for index in order.tolist():
        community = int(pairs[index] // n)
        if counts[community] < EDGES_A_COMMUNITY:
            counts[community] += 1
            kept.append((community, int(pairs[index] % n), float(totals[index])))
    return kept


def describe(
    fine: Indices, coarse: Indices, words: Sequence[frozenset[str]], texts: Sequence[str]
) -> list[Community]:
    """The fine communities by number. A term tells much that many of the community's claims and few
    others hold: its count times the log of its rarity."""
    everywhere = Counter(word for held in words for word in held)
    members: dict[int, list[int]] = {}
    for row, label in enumerate(fine.tolist()):
        members.setdefault(label, []).append(row)
    described = []
    for label in sorted(members):
        rows = members[label]
        counts = Counter(word for row in rows for word in words[row])
        weight = {
            word: round(count * math.log(1 + len(words) / everywhere[word]), 6)
            for word, count in counts.items()
        }
        told = sorted(weight, key=lambda word: (-weight[word], word))
        coarse_counts = Counter(coarse[rows].tolist())
        parent = min(coarse_counts, key=lambda one: (-coarse_counts[one], one))
        terms = [spelled_out(word, (texts[row] for row in rows)) for word in told[:TOP_TERMS]]
        described.append(Community(label, parent, len(rows), tuple(terms)))
    return described
