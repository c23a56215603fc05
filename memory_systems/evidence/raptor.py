"""One summary level over an item's claims: Ward clusters, each told in a few of its own claims.

The clustering is per item, so no distance matrix is larger than one paper's, and an item's
summaries depend on that item alone. Source: Sarthi et al., RAPTOR, ICLR 2024 (the collapsed tree);
Ward, JASA 1963.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MEAN_CLUSTER_SIZE = 8
LEAST_CLUSTER = 3
QUOTED_CLAIMS = 3
MAX_SUMMARY_CHARS = 900
_LARGEST_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Cluster:
    """``members`` and ``quoted`` are rows of the claims; the quoted are the most central members,
    in order of place."""

    members: tuple[int, ...]
    quoted: tuple[int, ...]


def cluster_claims(vectors: NDArray[np.float32], texts: Sequence[str]) -> list[Cluster]:
    """Clusters of at least three claims, in order of their first member; claims of smaller ones
    have no summary. ``vectors`` has shape (claims, dim), rows of unit length."""
    clusters: list[Cluster] = []
    for first in range(0, len(vectors), _LARGEST_AT_ONCE):
        part = vectors[first : first + _LARGEST_AT_ONCE]
        labels = _ward_labels(part)
        for label in dict.fromkeys(labels.tolist()):
            members = first + np.flatnonzero(labels == label)
            if len(members) >= LEAST_CLUSTER:
                clusters.append(_told(members, vectors, texts))
    return clusters


def _ward_labels(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    if len(vectors) < 2 * LEAST_CLUSTER:
        return np.zeros(len(vectors), np.int64)
    from scipy.cluster.hierarchy import fcluster, ward

    n_clusters = max(1, len(vectors) // MEAN_CLUSTER_SIZE)
    labels: NDArray[np.int64] = fcluster(ward(vectors.astype(np.float64)), n_clusters, "maxclust")
    return labels


def _told(
    members: NDArray[np.int64], vectors: NDArray[np.float32], texts: Sequence[str]
) -> Cluster:
    centre = vectors[members].mean(axis=0)
    closeness = np.round(vectors[members] @ centre, 5)
    quoted: list[int] = []
    seen: set[str] = set()
    room = MAX_SUMMARY_CHARS
    for place in np.argsort(-closeness, kind="stable").tolist():
        row = int(members[place])
        if len(quoted) == QUOTED_CLAIMS or texts[row] in seen or len(texts[row]) + 1 > room:
            continue
        quoted.append(row)
        seen.add(texts[row])
        room -= len(texts[row]) + 1
    return Cluster(tuple(members.tolist()), tuple(sorted(quoted)))
