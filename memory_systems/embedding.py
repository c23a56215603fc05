"""Embedders by name, with their vectors kept on disk."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_systems.base import CountsCalls, Embedder, SystemRefused
from memory_systems.embedders.endpoints import find_endpoint
from memory_systems.embedders.minilm import MiniLM
from memory_systems.embedders.openai_compatible import OpenAICompatible
from memory_systems.embedders.static_vectors import StaticVectors
from memory_systems.vector_cache import VectorCache, text_key

KNOWN_EMBEDDERS = ("minilm", "static", "openai:MODEL")
_KEPT_AT_ONCE = 64


class UnknownEmbedder(SystemRefused):
    """No embedder has this name."""


class IdentifiedEmbedder(Embedder, Protocol):
    """An embedder that says, in ``identity``, all that changes its vectors."""

    @property
    def identity(self) -> str: ...


class CachedEmbedder:
    """An embedder whose vectors are looked up by the hash of their text before they are made."""

    def __init__(self, embedder: IdentifiedEmbedder, folder: Path) -> None:
        self._embedder = embedder
        self._cache = VectorCache(folder, embedder.identity)
        self._dim: int | None = None

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def identity(self) -> str:
        return self._embedder.identity

    @property
    def dim(self) -> int:
        if self._dim is None:
            self._dim = self._cache.any_dim() or self._embedder.dim
        return self._dim

    @property
    def max_tokens(self) -> int:
        return self._embedder.max_tokens

    @property
    def n_calls(self) -> int:
        return self._embedder.n_calls if isinstance(self._embedder, CountsCalls) else 0

    @property
    def n_tokens(self) -> int:
        return self._embedder.n_tokens if isinstance(self._embedder, CountsCalls) else 0

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._embedder.count_tokens(texts)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        by_key = {text_key(text): text for text in texts}
        vectors = {
            key: vector
            for key, vector in self._cache.find(by_key).items()
            if vector.shape == (self.dim,)
        }
        missing = [key for key in by_key if key not in vectors]
        for first in range(0, len(missing), _KEPT_AT_ONCE):
            keys = missing[first : first + _KEPT_AT_ONCE]
            made = self._embedder.encode([by_key[key] for key in keys])
            new = dict(zip(keys, made, strict=True))
            self._cache.store(new)
            vectors.update(new)
        encoded = np.zeros((len(texts), self.dim if texts else 0), np.float32)
        for row, text in enumerate(texts):
            encoded[row] = vectors[text_key(text)]
        return encoded

    def close(self) -> None:
        self._cache.close()


def get_embedder(
    name: str, cache_folder: Path, *, environ: Mapping[str, str] | None = None
) -> CachedEmbedder:
    """The embedder of this name, its vectors kept in ``cache_folder``.

    ``minilm``, ``static``, or ``ENDPOINT:MODEL`` such as ``openai:text-embedding-3-small``, whose
    address and key come from the environment. Raises UnknownEmbedder, EmbedderKeyMissing,
    EmbedderAddressNotValid; a model's files are only read, and may be refused, when the first
    text is embedded.
    """
    if name == MiniLM.name:
        return CachedEmbedder(MiniLM(), cache_folder)
    if name == StaticVectors.name:
        return CachedEmbedder(StaticVectors(), cache_folder)
    endpoint_name, _, model = name.partition(":")
    if model.strip():
        endpoint = find_endpoint(endpoint_name, os.environ if environ is None else environ)
        if endpoint is not None:
            embedder = OpenAICompatible(
                name=name,
                model=model.strip(),
                api_key=endpoint.api_key,
                base_url=endpoint.base_url,
            )
            return CachedEmbedder(embedder, cache_folder)
    raise UnknownEmbedder(
        f"unknown embedder {name!r}; known: {', '.join(KNOWN_EMBEDDERS)}, and ENDPOINT:MODEL for "
        "an endpoint set up with MEMJURY_ENDPOINT_<NAME>_BASE_URL in the environment"
    )
