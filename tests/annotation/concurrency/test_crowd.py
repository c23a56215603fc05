"""Sixty raters at once on a real server: every acknowledged vote is kept, and none too many."""

from __future__ import annotations

import time

import pytest

from tests.annotation.concurrency.crowd import (
    acknowledged_by,
    errors_of,
    look_at_books,
    make_campaign,
    running_site,
    voting,
)
from tests.annotation.concurrency.http_rater import HttpRater

pytestmark = pytest.mark.worker
N_RATERS = 60
OVERLAP = 3


def test_sixty_raters_at_once_fill_every_place_once_and_lose_nothing(
    process_environment: dict[str, str],
) -> None:
    n_pairs = 160
    with running_site(process_environment) as site:
        token = make_campaign(
            process_environment, "crowd", n_pairs=n_pairs, n_systems=4, overlap=OVERLAP
        )
        raters = [HttpRater(site.port, token, seed) for seed in range(N_RATERS)]
        with voting(raters):
            pass
        assert errors_of(raters) == []
        books = look_at_books(process_environment, "crowd")
    assert {rater.stage for rater in raters} == {"done"}
    assert books["n_counted"] == n_pairs * OVERLAP
    assert books["most_on_a_pair"] == OVERLAP
    assert acknowledged_by(raters).items() <= books["choices"].items()
    assert max(map(abs, books["balance"].values()), default=0) <= 4
    assert books["newcomer"] == "done"
    assert_sides_cannot_be_guessed(books["sides"])


def test_locks_that_run_out_lose_no_vote_and_hold_up_nobody(
    process_environment: dict[str, str],
) -> None:
    with running_site(process_environment) as site:
        token = make_campaign(
            process_environment, "slow", n_pairs=30, overlap=OVERLAP, lock_minutes=0.01
        )
        raters = [HttpRater(site.port, token, seed, pauses_s=1.5) for seed in range(24)]
        with voting(raters):
            pass
        assert errors_of(raters) == []
        time.sleep(0.7)
        books = look_at_books(process_environment, "slow")
    assert {rater.stage for rater in raters} == {"done"}
    assert books["n_counted"] == 30 * OVERLAP
    assert books["n_surplus"] > 0
    assert acknowledged_by(raters).items() <= books["choices"].items()
    assert books["newcomer"] == "done"


def assert_sides_cannot_be_guessed(sides: list[tuple[int, bool]]) -> None:
    """From a rater's last two sides the next is guessed right about half of the time."""
    seen: dict[tuple[bool, bool], list[bool]] = {}
    for (one, first), (two, second), (three, third) in zip(
        sides, sides[1:], sides[2:], strict=False
    ):
        if one == two == three:
            seen.setdefault((first, second), []).append(third)
    n_right = sum(
        max(sum(following), len(following) - sum(following)) for following in seen.values()
    )
    n_all = sum(map(len, seen.values()))
    # The guess is fitted to what it is tried on: four histories, about half a deviation each.
    assert n_right / n_all < 0.5 + 4 * 0.5 / n_all**0.5
