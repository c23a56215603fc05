"""Which texts a question can be answered from: every version of every item of its scenarios."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from evaluation.records import Ask, Benchmark, Fork, Ingest, Revise, Step
from memory_systems.base import SourceItem

Texts = Mapping[str, Sequence[str]]
"""Item id → its texts, the first version first."""


class Corpus:
    """The items of a benchmark, as each question's scenarios hold them."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._texts: dict[str, dict[str, list[str]]] = {}
        self._scenarios: dict[str, list[str]] = defaultdict(list)
        for scenario in benchmark.scenarios:
            texts: dict[str, list[str]] = defaultdict(list)
            for step in _walk(scenario.steps):
                if isinstance(step, Ingest | Revise):
                    texts[step.item.id].append(step.item.text)
                elif isinstance(step, Ask) and scenario.id not in self._scenarios[step.question_id]:
                    self._scenarios[step.question_id].append(scenario.id)
            self._texts[scenario.id] = texts

    def is_asked(self, question_id: str) -> bool:
        return bool(self._scenarios.get(question_id))

    def texts_for(self, question_id: str) -> Texts:
        """The items of the scenarios that ask the question; of all scenarios if none does."""
        merged: dict[str, list[str]] = defaultdict(list)
        for scenario_id in self._scenarios.get(question_id) or self._texts:
            for item_id, texts in self._texts[scenario_id].items():
                merged[item_id] += texts
        return merged


def items_of(benchmark: Benchmark) -> Iterator[tuple[str, SourceItem]]:
    """(scenario id, item) of everything ingested or revised, in order."""
    for scenario in benchmark.scenarios:
        for step in _walk(scenario.steps):
            if isinstance(step, Ingest | Revise):
                yield scenario.id, step.item


def _walk(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        if isinstance(step, Fork):
            for branch in step.branches.values():
                yield from _walk(branch)
        else:
            yield step
