"""The whole protocol on one scenario, in one process: ingest → retrieve → synthesize → judge.

Runs with a database do the same steps through the same functions, in smaller tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from evaluation.protocol.asks import PlannedAsk, planned_asks
from evaluation.protocol.cells import (
    RestoredContext,
    answer_question,
    is_measured_at,
    restore_context,
    why_not_applicable,
)
from evaluation.protocol.lifetime import Lifetime, OpenMemory, StepRecord
from evaluation.protocol.tracks import Track
from evaluation.records import Answer, CellRecord, Judgment, Question, Scenario
from evaluation.scoring.base import Judge
from evaluation.synthesis.base import Synthesizer
from memory_systems.base import SystemInfo


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """Everything that came of one cell. ``judgments`` are by judge name."""

    ask: PlannedAsk
    track: str
    repeat: int
    restored: RestoredContext
    answer: Answer
    judgments: Mapping[str, Judgment]

    def record(self, scenario_id: str, question: Question, judge_name: str) -> CellRecord:
        judgment = self.judgments[judge_name]
        return CellRecord(
            scenario_id=scenario_id,
            question_id=question.id,
            phase=self.ask.phase,
            repeat=self.repeat,
            state="unscored" if judgment.composite is None else "scored",
            score=judgment.composite,
            answer=self.answer.text,
            slices=question.slices,
        )


def run_scenario(
    scenario: Scenario,
    questions: Mapping[str, Question],
    *,
    info: SystemInfo,
    open_memory: OpenMemory,
    root: Path,
    tracks: Sequence[Track],
    synthesizer: Synthesizer,
    judges: Sequence[Judge],
    repeats: int = 1,
    count_tokens: Callable[[str], int] | None = None,
) -> Iterator[StepRecord | CellOutcome]:
    """Yield the step records of what had to be ingested, then one outcome a cell."""
    lifetime = Lifetime(scenario, open_memory, root)
    yield from lifetime.build()
    for ask in planned_asks(scenario):
        question = questions[ask.question_id]
        with closing(open_memory(lifetime.folder_of(ask.state_label))) as memory:
            for track in tracks:
                if not is_measured_at(info, track) or why_not_applicable(info, track):
                    continue
                restored = restore_context(memory, info, question, track, count_tokens=count_tokens)
                for repeat in range(repeats):
                    answer = answer_question(
                        memory, info, question, restored.context, synthesizer, repeat=repeat
                    )
                    yield CellOutcome(
                        ask=ask,
                        track=track.name,
                        repeat=repeat,
                        restored=restored,
                        answer=answer,
                        judgments={
                            judge.name: judge.judge(
                                question.text,
                                question.expectations[ask.phase],
                                answer.text,
                                restored.context.text,
                                repeat=repeat,
                            )
                            for judge in judges
                        },
                    )
