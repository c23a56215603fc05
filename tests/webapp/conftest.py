"""Boards, people and clean caches for the tests of pages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from evaluation.models import Benchmark
from evaluation.queries import board, compare_page, contrasts_page, question_index, sweep_page
from evaluation.queries import questions_page as questions
from tests.webapp.laboratory import Scores, make_benchmark, make_run

KEPT = (
    compare_page.kept_tallies,
    contrasts_page.kept_router,
    question_index._kept_index,
    questions.kept_scores,
    sweep_page.kept_standings,
)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Rows of another test may have the same ids and times."""
    board._BOARDS.clear()
    for kept in KEPT:
        kept.cache_clear()


@pytest.fixture
def scores() -> Scores:
    """hybrid ≈ bm25 and bm25 ≈ dense, but hybrid > dense; two budgets, native and two anchors.

    Against bm25 both differ by 0.3 in the mean and by 0.7 from question to question, in patterns
    of their own: 2.1 standard errors each, and 3.0 between the two.
    """
    common = [4.0 + 4.0 * (place * 7 % 24) / 24 for place in range(24)]
    every_second = [0.7 if place % 2 else -0.7 for place in range(24)]
    every_fourth = [0.7 if place % 4 > 1 else -0.7 for place in range(24)]

    def at_budgets(shift: float, swing: Sequence[float]) -> dict[str, list[float | None]]:
        at_30k = [one + shift + move for one, move in zip(common, swing, strict=True)]
        return {
            "10k": [round(score - 0.8, 3) for score in at_30k],
            "30k": [round(score, 3) for score in at_30k],
            "native": [round(score - 0.3, 3) for score in at_30k],
        }

    return {
        "simple-rag@static": at_budgets(-0.3, every_fourth),
        "simple-rag+bm25@static": at_budgets(0.3, every_second),
        "bm25": at_budgets(0.0, [0.0] * 24),
        "base-model": {"native": [1.0] * 24},
        "direct-read": {"native": [9.0] * 24},
    }


@pytest.fixture
def glass(db: None) -> Benchmark:
    """A loaded benchmark that nobody has measured."""
    return make_benchmark()


@pytest.fixture
def measured(glass: Benchmark, scores: Scores) -> Benchmark:
    """The benchmark with one complete run."""
    make_run(glass, scores)
    return glass


@pytest.fixture
def lead(client: Client, django_user_model: type[User]) -> Client:
    return _signed_in(client, django_user_model, "lead")


@pytest.fixture
def viewer(client: Client, django_user_model: type[User]) -> Client:
    return _signed_in(client, django_user_model, "viewer")


def _signed_in(client: Client, users: type[User], role: str) -> Client:
    user = users.objects.create_user(role)
    user.groups.add(Group.objects.get(name=role))
    client.force_login(user)
    return client
