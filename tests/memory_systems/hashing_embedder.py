"""A cheap deterministic embedder for tests: every word adds a signed unit to one dimension."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class HashingEmbedder:
    """``texts_encoded`` counts what was really embedded."""

    max_tokens = 150

    def __init__(self, *, dim: int = 64, name: str = "hashing") -> None:
        self.dim = dim
        self.name = name
        self.identity = f"{name} {dim}"
        self.texts_encoded = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts_encoded += len(texts)
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for row, text in enumerate(texts):
            for word in text.casefold().split():
                digest = hashlib.sha256(word.encode()).digest()
                place = int.from_bytes(digest[:4], "big") % self.dim
                vectors[row, place] += 1.0 if digest[4] % 2 else -1.0
            length = np.linalg.norm(vectors[row])
            if length > 0:
                vectors[row] /= length
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]
