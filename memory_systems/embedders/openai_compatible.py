"""Embeddings from OpenAI or any endpoint that speaks its protocol."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_systems.bounded_replies import ReplyOutOfBounds, with_bounds
from memory_systems.embedders.windows import even_windows, mean_of_windows, unit_length

_KNOWN_DIMS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
_BYTES_PER_TOKEN = 2.5
_TEXTS_PER_CALL = 64
_TOKENS_PER_CALL = 100_000


class EmbeddingCallFailed(Exception):
    """The endpoint refused or did not answer, after retries; the message says which and why."""


class EmbeddingReplyUnreadable(EmbeddingCallFailed):
    """The endpoint answered something that is not one finite vector a text."""


class OpenAICompatible:
    """``name`` is how a person picks it. 429, 5xx, time-outs and lost connections are tried again
    with growing pauses (or the pause that the endpoint asks for). Tokens are counted by estimate,
    2.5 bytes each; a text over ``max_tokens`` by that count is embedded as the mean of windows.
    """

    def __init__(
        self,
        *,
        name: str,
        model: str,
        api_key: str,
        base_url: str | None = None,
        max_tokens: int = 8191,
        timeout_s: float = 60.0,
        max_retries: int = 6,
    ) -> None:
        self.name = name
        # An address may carry a secret, and the identity names a file.
        place = hashlib.sha256(base_url.encode()).hexdigest()[:16] if base_url else "openai"
        self.identity = f"{model} at {place}"
        self.max_tokens = max_tokens
        self._model = model
        self._secret = api_key
        self._client_options: dict[str, Any] = {
            "api_key": api_key or "none",
            "base_url": base_url,
            "timeout": timeout_s,
            "max_retries": max_retries,
        }
        self._client: Any = None
        self._opening = Lock()
        self._dim = _KNOWN_DIMS.get(model) if base_url is None else None
        self._n_calls = 0
        self._n_tokens = 0

    @property
    def n_calls(self) -> int:
        return self._n_calls

    @property
    def n_tokens(self) -> int:
        """As the endpoint counts them, where it does."""
        return self._n_tokens

    @property
    def dim(self) -> int:
        """Known for OpenAI's own models; otherwise asked for with one short call."""
        if self._dim is None:
            self._dim = len(self._call(["dimension"])[0])
        return self._dim

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [math.ceil(len(text.encode()) / _BYTES_PER_TOKEN) for text in texts]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raises EmbeddingCallFailed, EmbeddingReplyUnreadable."""
        pieces: list[tuple[int, str]] = []
        for row, (text, n_tokens) in enumerate(zip(texts, self.count_tokens(texts), strict=True)):
            n_windows = max(1, math.ceil(n_tokens / self.max_tokens))
            for start, end in even_windows(len(text), max(1, math.ceil(len(text) / n_windows))):
                if text[start:end].strip():
                    pieces.append((row, text[start:end]))
        parts: dict[int, list[NDArray[np.float32]]] = {}
        for group in self._groups(pieces):
            vectors = self._call([text for _, text in group])
            for (row, _), vector in zip(group, vectors, strict=True):
                parts.setdefault(row, []).append(vector)
        encoded = np.zeros((len(texts), self.dim if texts else 0), np.float32)
        for row, vectors_of_row in parts.items():
            encoded[row] = mean_of_windows(np.stack(vectors_of_row))
        return encoded

    def _groups(self, pieces: list[tuple[int, str]]) -> list[list[tuple[int, str]]]:
        groups: list[list[tuple[int, str]]] = []
        tokens_in_group = 0
        for piece in pieces:
            tokens = self.count_tokens([piece[1]])[0]
            is_full = groups and (
                len(groups[-1]) >= _TEXTS_PER_CALL or tokens_in_group + tokens > _TOKENS_PER_CALL
            )
            if not groups or is_full:
                groups.append([])
                tokens_in_group = 0
            groups[-1].append(piece)
            tokens_in_group += tokens
        return groups

    def _call(self, texts: list[str]) -> list[NDArray[np.float32]]:
        import openai

        try:
            reply = self._opened().embeddings.create(
                model=self._model, input=texts, encoding_format="float"
            )
        except openai.APIStatusError as error:
            hint = "; check the key in the environment" if error.status_code in (401, 403) else ""
            raise EmbeddingCallFailed(
                f"embedder {self.name!r}: the endpoint answered {error.status_code} to "
                f"{len(texts)} texts: {self._without_key(error.message)[:300]}{hint}"
            ) from error
        except ReplyOutOfBounds as error:
            raise EmbeddingCallFailed(
                f"embedder {self.name!r}: the endpoint is too slow, or its reply is too long"
            ) from error
        except openai.APIConnectionError as error:
            raise EmbeddingCallFailed(
                f"embedder {self.name!r}: the endpoint cannot be reached or is too slow: {error}"
            ) from error
        except (ValueError, TypeError, AttributeError, openai.OpenAIError) as error:
            raise EmbeddingReplyUnreadable(
                f"embedder {self.name!r}: the endpoint's reply is not readable: {error}"
            ) from error
        return self._vectors_of(reply, len(texts))

    def _vectors_of(self, reply: Any, n_texts: int) -> list[NDArray[np.float32]]:
        try:
            rows = sorted(reply.data, key=lambda row: row.index)
            matrix = np.array([row.embedding for row in rows], np.float32)
            positions = [row.index for row in rows]
        except (AttributeError, TypeError, ValueError) as error:
            raise EmbeddingReplyUnreadable(
                f"embedder {self.name!r}: the endpoint's reply holds no vectors"
            ) from error
        if matrix.ndim != 2 or positions != list(range(n_texts)) or not np.isfinite(matrix).all():
            raise EmbeddingReplyUnreadable(
                f"embedder {self.name!r}: the endpoint did not give one finite vector a text "
                f"(asked for {n_texts}, got shape {matrix.shape})"
            )
        if self._dim is not None and matrix.shape[1] != self._dim:
            raise EmbeddingReplyUnreadable(
                f"embedder {self.name!r}: vectors of {matrix.shape[1]} dimensions, not {self._dim}"
            )
        self._dim = matrix.shape[1]
        self._n_calls += 1
        self._n_tokens += getattr(getattr(reply, "usage", None), "total_tokens", 0) or 0
        return [unit_length(row) for row in matrix]

    def _opened(self) -> Any:
        import openai

        with self._opening:
            if self._client is None:
                options = dict(self._client_options)
                if options["base_url"] is not None:
                    # What the environment says for OpenAI's own servers is nobody else's business.
                    private = ("OpenAI-Organization", "OpenAI-Project")
                    options["default_headers"] = {name: openai.Omit() for name in private}
                timeout_s = options["timeout"]
                options["http_client"] = with_bounds(
                    openai.DefaultHttpxClient(timeout=timeout_s), longest_s=timeout_s
                )
                self._client = openai.OpenAI(**options)
        return self._client

    def _without_key(self, message: str) -> str:
        return message.replace(self._secret, "…") if self._secret else message
