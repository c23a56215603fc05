"""BM25 over units, by two libraries behind one interface. Both use the one tokenizer.

``bm25s`` (Lucene's scoring, precomputed) is the default; ``rank-bm25`` (Okapi, computed at query
time) is selectable and the reference of the tests. k1 = 1.5 and b = 0.75 in both.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory_systems.base import SystemRefused
from memory_systems.lexical.tokenizer import tokenize
from memory_systems.ranking import top_indices

K1 = 1.5
B = 0.75
DEFAULT_ENGINE = "bm25s"


class UnknownLexicalEngine(SystemRefused):
    """No lexical engine has this name."""


class LexicalEngine(Protocol):
    """An index of texts by their position in the list it was built from."""

    @property
    def name(self) -> str: ...
    def save(self, folder: Path) -> None:
        """Write the index into an existing empty folder."""
        ...

    def top(self, query: str, k: int) -> list[tuple[int, float]]:
        """At most ``k`` (index, score) of texts that share a term with the query, best first;
        equal scores are ordered by index."""
        ...


class Bm25sEngine:
    """bm25s on numpy with Lucene's scores: ln(1 + (N − df + ½)/(df + ½)) · tf/(tf + k1·…)."""

    name = "bm25s"

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def build(cls, texts: Sequence[str]) -> Bm25sEngine:
        bm25s = _quiet_bm25s()
        vocabulary: dict[str, int] = {}
        ids = [
            [vocabulary.setdefault(term, len(vocabulary)) for term in tokenize(text)]
            for text in texts
        ]
        if not vocabulary:
            return cls(None)
        index = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
        index.index((ids, vocabulary), create_empty_token=False, show_progress=False)
        return cls(index)

    def save(self, folder: Path) -> None:
        if self._index is not None:
            self._index.save(folder, show_progress=False)

    @classmethod
    def load(cls, folder: Path) -> Bm25sEngine:
        bm25s = _quiet_bm25s()
        if not any(folder.iterdir()):
            return cls(None)
        return cls(bm25s.BM25.load(folder, show_progress=False))

    def scores(self, query: str) -> NDArray[np.float32]:
        """One score a text, 0 where it shares no term with the query."""
        terms = self._index.get_tokens_ids(tokenize(query)) if self._index is not None else []
        if not terms:
            return np.zeros(0, np.float32)
        scores: NDArray[np.float32] = self._index.get_scores_from_ids(terms)
        return scores

    def top(self, query: str, k: int) -> list[tuple[int, float]]:
        scores = self.scores(query)
        return top_indices(scores, k, among=scores > 0)


class RankBm25Engine:
    """rank-bm25's Okapi. Its IDF can be 0 or negative in a small store, so what matches is
    decided by shared terms, not by the score."""

    name = "rank-bm25"

    def __init__(self, documents: list[list[str]]) -> None:
        from rank_bm25 import BM25Okapi

        self._documents = documents
        self._index = BM25Okapi(documents, k1=K1, b=B) if any(documents) else None

    @classmethod
    def build(cls, texts: Sequence[str]) -> RankBm25Engine:
        return cls([tokenize(text) for text in texts])

    def save(self, folder: Path) -> None:
        (folder / "terms.json").write_text(json.dumps(self._documents), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> RankBm25Engine:
        return cls(json.loads((folder / "terms.json").read_text(encoding="utf-8")))

    def top(self, query: str, k: int) -> list[tuple[int, float]]:
        terms = tokenize(query)
        if self._index is None or not terms:
            return []
        wanted = set(terms)
        among = np.array([not wanted.isdisjoint(counts) for counts in self._index.doc_freqs])
        return top_indices(np.asarray(self._index.get_scores(terms)), k, among=among)


def _quiet_bm25s() -> Any:
    """The library, which sets its own logger to DEBUG when it is imported."""
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s


class LexicalEngineClass(Protocol):
    """What makes an engine: built from texts, or loaded from the folder it was saved in."""

    def build(self, texts: Sequence[str]) -> LexicalEngine: ...
    def load(self, folder: Path) -> LexicalEngine: ...


ENGINES: Mapping[str, LexicalEngineClass] = {
    Bm25sEngine.name: Bm25sEngine,
    RankBm25Engine.name: RankBm25Engine,
}


def get_engine(name: str) -> LexicalEngineClass:
    """The engine's class, with ``build(texts)`` and ``load(folder)``."""
    if name not in ENGINES:
        known = ", ".join(sorted(ENGINES))
        raise UnknownLexicalEngine(f"unknown lexical engine {name!r}; known: {known}")
    return ENGINES[name]
