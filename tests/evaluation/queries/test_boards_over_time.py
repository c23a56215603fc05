"""What may join a board later, and what may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.models import IngestEvent, Protocol
from evaluation.queries.leaderboard import BoardFilters, LeaderboardPage
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.services.exporting import export_results
from evaluation.services.run_control import resume_run
from tests.evaluation.toy_runs import TOY, measured_run

pytestmark = pytest.mark.django_db


def board(*, protocol: str = "", judge: str = "") -> LeaderboardPage:
    return leaderboard_page(TOY, BoardFilters(track="1k", protocol=protocol, judge=judge))


def variants(page: LeaderboardPage) -> set[str]:
    return {row.label for row in page.rows}


def test_a_system_added_a_week_later_joins_the_board() -> None:
    measured_run(systems=("bm25", "base-model"))
    measured_run(systems=("simple-rag",))
    page = board()
    assert variants(page) == {"bm25", "base-model", "simple-rag@static"}
    assert Protocol.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [{"seed": 3}, {"repeats": 2}, {"synthesizer": "scripted"}, {"budget_mode": "targeted"},
     {"questions": "first:2"}],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_a_changed_protocol_does_not_join_the_board(change: dict[str, object]) -> None:
    measured_run(systems=("bm25",))
    measured_run(systems=("simple-rag",), **change)
    keys = [protocol.key for protocol in Protocol.objects.order_by("created_at")]
    assert len(keys) == 2
    assert variants(board(protocol=keys[0])) == {"bm25"}
    assert variants(board(protocol=keys[1])) == {"simple-rag@static"}


def test_another_judge_does_not_mix_its_scores_in() -> None:
    measured_run(systems=("bm25",))
    measured_run(systems=("simple-rag",), judges=("substring",))
    assert variants(board(judge="rubric")) == {"bm25"}
    assert variants(board(judge="substring")) == {"simple-rag@static"}


def test_more_tracks_and_a_hybrid_ingest_nothing_again() -> None:
    measured_run(systems=("simple-rag",))
    n_events = IngestEvent.objects.count()
    assert n_events > 0
    measured_run(systems=("simple-rag+bm25",), tracks=("native", "1k", "2k", "k2"))
    assert IngestEvent.objects.count() == n_events


def test_a_resumed_run_exports_what_an_undisturbed_one_does(tmp_path: Path) -> None:
    files = []
    for number in (1, 2):
        run = measured_run(systems=("bm25", "base-model"))
        if number == 2:
            resume_run(run=run)
        path = tmp_path / f"{number}.jsonl"
        export_results(run=run, format="jsonl", path=path, reproducible=True)
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert files[0]
