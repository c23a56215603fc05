"""One toy scenario of each family, from the benchmark to the kept measures, on real systems."""

from __future__ import annotations

import pytest

from evaluation.benchmarks.registry import generate_benchmark
from evaluation.models import Cell, IngestEvent, Run, ScoreVector
from evaluation.services.benchmarks import store_benchmark
from evaluation.services.contexts import stored_context
from evaluation.services.dispatch import works_kept_here
from evaluation.services.in_process import run_to_end
from evaluation.services.run_options import RunOptions
from evaluation.services.runs import create_run

pytestmark = pytest.mark.django_db


def measured(name: str, *systems: str) -> Run:
    store_benchmark(benchmark=generate_benchmark(name))
    with works_kept_here():
        run = create_run(
            options=RunOptions(
                benchmark=name, systems=systems, tracks=("native", "2000"), embedder="static"
            )
        )
    return run_to_end(run=run)


def context_of(run: Run, question: str, phase: str) -> str:
    cell = Cell.objects.get(
        run_variant__run=run,
        run_variant__variant__system="simple-rag",
        track="native",
        question__question_id=question,
        phase=phase,
    )
    return stored_context(retrieval=cell.retrieval).text


@pytest.mark.parametrize("name", ["toy-scientific", "toy-dependency", "toy-staleness"])
def test_every_family_runs_to_its_end_with_every_cell_in_one_state(name: str) -> None:
    run = measured(name, "bm25", "base-model")
    assert run.finished_at is not None, run.stopped_reason
    cells = Cell.objects.filter(run_variant__run=run)
    assert cells.count() > 0
    assert not cells.pending().exists()
    assert not cells.errored().exists()
    vectors = ScoreVector.objects.filter(run_variant__run=run)
    assert vectors.exists()
    for vector in vectors:
        assert vector.n_cells == vector.n_scored + vector.n_unscored
        assert all(value is None or 0 <= value <= 10 for _, value, _ in vector.values)


def test_before_questions_see_the_sessions_before_them_and_no_later_one() -> None:
    run = measured("toy-dependency", "simple-rag")
    assert "moved to Turin" not in context_of(run, "D1", "before")
    assert "moved to Turin" in context_of(run, "D1", "after")
    phases = Cell.objects.filter(run_variant__run=run).values_list("phase", flat=True)
    assert set(phases) == {"before", "after"}


def test_branches_share_their_prefix_and_nothing_else() -> None:
    run = measured("toy-staleness", "simple-rag")
    assert "Tuesday" in context_of(run, "S1", "before")
    assert "Thursday" in context_of(run, "S1", "revision/w1")
    assert "Tuesday" not in context_of(run, "S1", "revision/w1")
    assert "14 June" not in context_of(run, "S2", "deletion/w1")
    assert "14 June" in context_of(run, "S2", "none/w1")
    assert "at least once" in context_of(run, "S3", "redefinition/w1")
    assert "rained" not in context_of(run, "S2", "deletion/w1")
    assert "rained" in context_of(run, "S2", "deletion/w2")


def test_what_a_system_cannot_do_stands_in_the_ingest_log() -> None:
    measured("toy-staleness", "bm25")
    said = {event.operation: event.errors for event in IngestEvent.objects.exclude(errors=[])}
    assert said["consent"] == ["this system has no way to consent"]
    assert "export" in said
    assert "delete" not in said


def test_world_measures_name_their_world() -> None:
    run = measured("toy-staleness", "base-model")
    vector = ScoreVector.objects.get(run_variant__run=run, measure="update", track="native")
    assert {unit.split("|")[0] for unit, _, _ in vector.values} == {"world-1"}
    by_shift = {unit.split("|")[1]: value for unit, value, _ in vector.values}
    assert by_shift["deletion"] == 1.0
    assert by_shift["revision"] == 0.0
