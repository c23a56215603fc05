"""WordLlama's static token vectors, averaged: 256 dimensions, no limit, thousands of texts a
second, offline. Its files are read from the package ``wordllama``, which is never imported
(importing it configures logging for the whole process)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_systems.embedders.pinned_files import pinned_file
from memory_systems.embedders.windows import unit_length

_WEIGHTS_SHA256 = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
_TOKENIZER_SHA256 = "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
_BATCH = 64


class StaticVectors:
    """The mean of a text's token vectors, at unit length."""

    name = "static"
    identity = f"wordllama l2_supercat 256 {_WEIGHTS_SHA256[:12]}"
    dim = 256
    max_tokens = 2**31 - 1

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for first in range(0, len(texts), _BATCH):
            for row, ids in enumerate(self._token_ids(texts[first : first + _BATCH]), start=first):
                if ids:
                    vectors[row] = unit_length(self._weights[ids].mean(axis=0, dtype=np.float32))
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._token_ids(texts)]

    def _token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        file = "tokenizers/l2_supercat_tokenizer_config.json"
        path = pinned_file("wordllama", file, sha256=_TOKENIZER_SHA256)
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _weights(self) -> NDArray[np.float32]:
        from safetensors.numpy import load_file

        file = "weights/l2_supercat_256.safetensors"
        tensors = load_file(pinned_file("wordllama", file, sha256=_WEIGHTS_SHA256))
        return np.ascontiguousarray(tensors["embedding.weight"], np.float32)
