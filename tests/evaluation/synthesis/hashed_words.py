"""A small embedder for tests: words hashed into 64 places, so that shared words are near."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray


class HashedWords:
    name = "hashed-words"
    dim = 64
    max_tokens = 10_000

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen.extend(texts)
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for place, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[place, crc32(word.encode()) % self.dim] += 1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, lengths, out=vectors, where=lengths > 0)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]
