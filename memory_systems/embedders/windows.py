"""A text over an embedder's limit is embedded as the mean of windows."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def even_windows(length: int, limit: int) -> list[tuple[int, int]]:
    """The fewest adjoining (start, end) of at most ``limit`` that cover ``length``, of sizes
    that differ by at most one, so that no short rest counts as much as a full window."""
    n_windows = math.ceil(length / limit)
    edges = [length * i // n_windows for i in range(n_windows + 1)] if n_windows else [0]
    return list(pairwise(edges))


def unit_length(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector divided by its length; zeros stay zeros."""
    length = np.sqrt(np.sum(vector * vector, dtype=np.float32))
    scaled: NDArray[np.float32] = vector / length if length > 0 else np.zeros_like(vector)
    return scaled


def mean_of_windows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit-length mean of unit-length window vectors, shape (windows, dim) to (dim,)."""
    return unit_length(vectors.mean(axis=0, dtype=np.float32))
