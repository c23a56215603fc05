"""The pipeline in one process gives what a run with a database keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.benchmarks.registry import generate_benchmark
from evaluation.models import Cell, Judgment
from evaluation.protocol.lifetime import StepRecord
from evaluation.protocol.pipeline import CellOutcome, run_scenario
from evaluation.protocol.tracks import parse_tracks
from evaluation.records import CellRecord, Ingest
from evaluation.scoring.rubric import RubricJudge
from evaluation.services.model_access import synthesizer_for
from memory_systems.base import SystemConfig
from memory_systems.registry import open_system, system_info
from tests.evaluation.toy_runs import TOY, measured_run

TOYS = ("toy-scientific", "toy-dependency", "toy-staleness")


def outcomes(name: str, root: Path, *, repeats: int = 1) -> list[StepRecord | CellOutcome]:
    benchmark = generate_benchmark(name)
    [scenario] = benchmark.scenarios
    return list(
        run_scenario(
            scenario,
            {question.id: question for question in benchmark.questions},
            info=system_info("bm25"),
            open_memory=lambda folder: open_system("bm25", SystemConfig("lexical"), folder),
            root=root,
            tracks=parse_tracks(["native", "1k"]),
            synthesizer=synthesizer_for(name="extractive"),
            judges=[RubricJudge()],
            repeats=repeats,
        )
    )


def records(name: str, found: list[StepRecord | CellOutcome]) -> dict[tuple[str, str], CellRecord]:
    questions = {question.id: question for question in generate_benchmark(name).questions}
    return {
        (one.ask.question_id, one.track): one.record(name, questions[one.ask.question_id], "rubric")
        for one in found
        if isinstance(one, CellOutcome)
    }


@pytest.mark.parametrize("name", TOYS)
def test_every_expectation_of_a_family_gives_a_cell_at_every_track(
    name: str, tmp_path: Path
) -> None:
    cells = [one for one in outcomes(name, tmp_path) if isinstance(one, CellOutcome)]
    wanted = {
        (question.id, phase, track)
        for question in generate_benchmark(name).questions
        for phase in question.expectations
        for track in ("native", "1k")
    }
    assert sorted((one.ask.question_id, one.ask.phase, one.track) for one in cells) == sorted(
        wanted
    )
    assert all(one.restored.context.achieved_chars <= 1000 for one in cells if one.track == "1k")


def test_a_store_that_is_there_is_not_built_again(tmp_path: Path) -> None:
    steps = [one for one in outcomes(TOY, tmp_path) if isinstance(one, StepRecord)]
    ingested = [
        one for one in generate_benchmark(TOY).scenarios[0].steps if isinstance(one, Ingest)
    ]
    assert [step.item_id for step in steps] == [step.item.id for step in ingested]
    again = outcomes(TOY, tmp_path, repeats=2)
    assert not any(isinstance(one, StepRecord) for one in again)
    assert sorted({one.repeat for one in again if isinstance(one, CellOutcome)}) == [0, 1]


@pytest.mark.django_db
def test_a_run_with_a_database_keeps_the_same_answers_and_scores(tmp_path: Path) -> None:
    asked = {question.id for question in generate_benchmark(TOY).questions if not question.holdout}
    alone = {
        place: (record.answer, record.score)
        for place, record in records(TOY, outcomes(TOY, tmp_path)).items()
        if place[0] in asked
    }
    run = measured_run(systems=("bm25",))
    kept = {
        (cell.question.question_id, cell.track): (
            cell.answer.text,
            Judgment.objects.get(answer__cell=cell).composite,
        )
        for cell in Cell.objects.filter(run_variant__run=run).select_related("question", "answer")
    }
    assert kept == alone
