"""The extractive synthesizer: no model, sentences of the context chosen for the question.

Its numbers were chosen by reasoning and fixed before any benchmark was run through it.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.records import Answer
from evaluation.synthesis.abstention import NOT_TOLD
from evaluation.synthesis.passages import passages
from memory_systems.base import Embedder

VERSION = 1
# An answer of a few sentences: must-have facts come one or two a sentence, of some 170 characters.
MAX_ANSWER_CHARS = 1200
MAX_PASSAGES = 6
# Only the lexically best are embedded: enough to hold every sentence that shares two of the
# question's words in a context of 50,000 characters, few enough to embed in tens of milliseconds.
MAX_EMBEDDED = 160
LEXICAL_WEIGHT = 0.5
# A passage of the right subject covers about half of the question's informative words, with a
# cosine of 0.4 or more: 0.45. One of the same field but another subject covers a fifth, with a
# cosine of 0.2: 0.2. The threshold lies between, nearer to the stranger.
ABSTAIN_BELOW = 0.30
# Further passages must be worth at least this share of the best one.
RELATIVE_FLOOR = 0.6
# Marginal relevance: seven parts the question, three parts newness.
RELEVANCE = 0.7
# Above this cosine two passages say the same thing.
SAME_COSINE = 0.95

_WORD = re.compile(r"[^\W_]+")
_STOP_TEXT = (
    "a an and any are as at be been being between both but by can could did do does for from "
    "had has have how if in into is it its many me much my not of on or our she he should so "
    "some such than that the their them then there these they this those to under using used "
    "use was we were what when where which while who whom whose why will with would you your "
    "i according paper papers report reported reports describe described give given"
)
_STOP_WORDS = frozenset(_STOP_TEXT.split())


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: int
    text: str
    coverage: float


class ExtractiveSynthesizer:
    """Chooses passages by the mean of two similarities in [0, 1]: the share of the question's
    words the passage holds, weighted by how rare they are in the context, and the cosine of their
    embeddings. It abstains when the best is under 0.30. The same input gives the same answer."""

    name = "extractive"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def key_parts(self) -> Mapping[str, str | int | float | None]:
        return {"synthesizer": self.name, "version": VERSION, "embedder": self._embedder.name}

    def synthesize(
        self,
        question_text: str,
        context_text: str,
        *,
        repeat: int = 0,  # noqa: ARG002 - the same every time
        attempt: int = 0,  # noqa: ARG002
    ) -> Answer:
        candidates = _lexically_best(question_text, context_text)
        if not candidates:
            return Answer(NOT_TOLD, abstained=True)
        vectors = self._embedder.encode([question_text, *(one.text for one in candidates)])
        # Rounded, so that the last bits of a float, which differ between machines, choose nothing.
        cosines = np.round(np.clip(vectors[1:] @ vectors[0], 0.0, 1.0).astype(np.float64), 4)
        coverage = np.array([one.coverage for one in candidates])
        relevance = np.round(LEXICAL_WEIGHT * coverage + (1 - LEXICAL_WEIGHT) * cosines, 4)
        if float(relevance.max()) < ABSTAIN_BELOW:
            return Answer(NOT_TOLD, abstained=True)
        chosen = _choose(candidates, relevance, vectors[1:])
        return Answer("\n".join(candidates[place].text for place in chosen))


def _lexically_best(question_text: str, context_text: str) -> list[_Candidate]:
    """At most MAX_EMBEDDED distinct passages, by coverage and then by place in the context (its
    order is rank order, so the earlier is the better retrieved)."""
    asked = frozenset(_stem(word) for word in _words(question_text))
    found: dict[str, frozenset[str]] = {}
    for passage in passages(context_text):
        if passage not in found:
            found[passage] = asked.intersection(map(_stem, _words(passage)))
    counts = Counter(word for held in found.values() for word in held)
    weights = {word: math.log(1 + len(found) / (1 + counts[word])) for word in sorted(asked)}
    total = sum(weights.values())
    covered: dict[frozenset[str], float] = {
        held: round(sum(weights[word] for word in sorted(held)) / total, 6) if total else 0.0
        for held in set(found.values())
    }
    candidates = (
        _Candidate(place, text, covered[held]) for place, (text, held) in enumerate(found.items())
    )
    return heapq.nsmallest(MAX_EMBEDDED, candidates, key=lambda one: (-one.coverage, one.place))


def _choose(
    candidates: list[_Candidate], relevance: NDArray[np.float64], vectors: NDArray[np.float32]
) -> list[int]:
    """Places in ``candidates``, best first, by maximal marginal relevance."""
    floor = max(ABSTAIN_BELOW, RELATIVE_FLOOR * float(relevance.max()))
    likeness = np.zeros(len(candidates))
    chosen: list[int] = []
    chars = 0
    open_places = [place for place in range(len(candidates)) if relevance[place] >= floor]
    while open_places and len(chosen) < MAX_PASSAGES:
        best = max(
            open_places,
            key=lambda place: (
                round(
                    RELEVANCE * float(relevance[place]) - (1 - RELEVANCE) * float(likeness[place]),
                    4,
                ),
                -candidates[place].place,
            ),
        )
        open_places.remove(best)
        size = len(candidates[best].text) + 1
        if likeness[best] > SAME_COSINE or chars + size > MAX_ANSWER_CHARS:
            continue
        chosen.append(best)
        chars += size
        similar = np.round(np.clip(vectors @ vectors[best], 0.0, 1.0).astype(np.float64), 4)
        likeness = np.maximum(likeness, similar)
    return chosen


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _STOP_WORDS]


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    """Common endings of English gone, so that a question's "measured" meets "measures"."""
    for ending in ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word.removesuffix("e") if len(word) > 4 else word
