"""The questions of a comparison key with their slices: what filters offer and count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evaluation.models import Question, Run
from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice, UnknownChoice, choices

TIER = "tier"


@dataclass(frozen=True, slots=True)
class QuestionIndex:
    """Question id → slice name → values, in the benchmark's order."""

    slices: Mapping[str, Mapping[str, tuple[str, ...]]]

    @property
    def slice_names(self) -> tuple[str, ...]:
        """In the order in which questions name them, the tier first."""
        names = dict.fromkeys(name for of in self.slices.values() for name in of)
        return tuple(sorted(names, key=lambda name: name != TIER))

    def counts(self, name: str) -> list[tuple[str, int | None]]:
        """How many questions have each value of a slice, by value."""
        counted = Counter(value for of in self.slices.values() for value in of.get(name, ()))
        return sorted(counted.items())

    def with_slices(self, asked: Mapping[str, str]) -> tuple[str, ...]:
        """Ids of the questions that have every asked value."""
        return tuple(
            question_id
            for question_id, of in self.slices.items()
            if all(value in of.get(name, ()) for name, value in asked.items())
        )


def question_index(keys: BoardKeys) -> QuestionIndex:
    """The question set of the chosen comparison key, or all but the holdout without one."""
    protocol_key = keys.protocol.key if keys.protocol else ""
    return _kept_index(keys.benchmark_id, keys.benchmark.revision, protocol_key)


def check_slices(index: QuestionIndex, asked: Mapping[str, str]) -> None:
    """Raises UnknownChoice for a slice or a value that the benchmark does not have."""
    for name, value in asked.items():
        if name not in index.slice_names:
            raise UnknownChoice("filter", name, index.slice_names)
        known = [one for one, _ in index.counts(name)]
        if value not in known:
            raise UnknownChoice(name, value, known)


def slice_choices(index: QuestionIndex, asked: Mapping[str, str]) -> dict[str, tuple[Choice, ...]]:
    """A filter for each slice with more than one value."""
    counted = {name: index.counts(name) for name in index.slice_names}
    return {
        name: choices(counts, asked.get(name, ""), any_label="all")
        for name, counts in counted.items()
        if len(counts) > 1
    }


@lru_cache(maxsize=128)
def _kept_index(benchmark_id: int, revision: str, protocol_key: str) -> QuestionIndex:
    """``revision`` and ``protocol_key`` are hashes of what is read, so it never grows stale."""
    del revision
    questions = Question.objects.filter(benchmark=benchmark_id)
    asked: Sequence[str] | None = (
        Run.objects.filter(protocol__key=protocol_key)
        .order_by("pk")
        .values_list("question_ids", flat=True)
        .first()
        if protocol_key
        else None
    )
    kept = None if asked is None else set(asked)
    rows = questions.order_by("position").values_list("question_id", "slices", "is_holdout")
    return QuestionIndex(
        {
            question_id: {name: tuple(values) for name, values in of.items()}
            for question_id, of, is_holdout in rows
            if (question_id in kept if kept is not None else not is_holdout)
        }
    )
