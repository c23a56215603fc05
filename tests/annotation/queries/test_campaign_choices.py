"""What a campaign can be made from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from annotation.queries.campaign_choices import campaign_choices, runs_to_vote_on
from evaluation.models import Benchmark
from evaluation.queries.choices import NotFound
from tests.webapp.laboratory import STARTED, make_benchmark, make_run

SCORES: dict[str, dict[str, list[float | None]]] = {
    "bm25": {"10k": [5.0] * 24, "30k": [6.0] * 24},
    "simple-rag@static": {"30k": [7.0] * 24, "native": [6.0] * 24},
    "base-model": {"native": [1.0] * 24},
}


@pytest.fixture
def glass(db: None) -> Benchmark:
    return make_benchmark()


def test_runs_stand_together_that_may_be_put_together(glass: Benchmark) -> None:
    first = make_run(glass, SCORES)
    second = make_run(glass, SCORES, created_at=STARTED + dt.timedelta(days=1))
    other = make_run(glass, SCORES, seed=2, created_at=STARTED + dt.timedelta(days=2))
    make_run(glass, SCORES, is_finished=False, created_at=STARTED + dt.timedelta(days=3))
    groups = runs_to_vote_on()
    assert [[run.public_id for run in group.runs] for group in groups] == [
        [other.public_id],
        [second.public_id, first.public_id],
    ]
    assert groups[1].runs[0].systems == tuple(SCORES)
    assert groups[1].runs[0].judges == ("rubric",)


def test_tracks_come_by_their_systems_and_native_last(glass: Benchmark) -> None:
    run = make_run(glass, SCORES, judges=("rubric", "reader"))
    choices = campaign_choices([run.public_id])
    assert [(one.name, one.systems) for one in choices.tracks] == [
        ("30k", ("bm25", "simple-rag@static")),
        ("10k", ("bm25",)),
        ("native", ("base-model", "simple-rag@static")),
    ]
    assert (choices.judges, choices.n_questions, choices.refusal) == (("rubric", "reader"), 24, "")


def test_runs_of_different_keys_are_refused_in_words(glass: Benchmark) -> None:
    ids = [make_run(glass, SCORES, seed=seed).public_id for seed in (1, 2)]
    assert "different comparison keys" in campaign_choices(ids).refusal


def test_a_run_that_is_worked_on_is_refused_in_words(glass: Benchmark) -> None:
    run = make_run(glass, SCORES, is_finished=False)
    assert run.public_id in campaign_choices([run.public_id]).refusal


def test_a_run_that_is_not_there_is_not_found(db: None) -> None:
    with pytest.raises(NotFound, match="there is no run 'x'"):
        campaign_choices(["x"])


def test_the_list_of_runs_costs_the_same_for_many(
    glass: Benchmark, django_assert_num_queries: Callable[..., Any]
) -> None:
    for day in range(4):
        make_run(glass, SCORES, seed=day, created_at=STARTED + dt.timedelta(days=day))
    with django_assert_num_queries(4):
        runs_to_vote_on()
