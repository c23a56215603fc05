"""Sides: bounded for every system, and not to be guessed."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from annotation.services.sides import draw_left_is_first, moved

MOST = 4


def outcomes(balance: dict[str, int], one: str, other: str) -> set[bool]:
    """Every side that a coin could give: one coin that falls low, one that falls high."""

    class Coin(random.Random):
        def __init__(self, value: float) -> None:
            super().__init__()
            self.value = value

        def random(self) -> float:
            return self.value

    return {draw_left_is_first(balance, one, other, Coin(value)) for value in (0.1, 0.9)}


@pytest.mark.parametrize(
    ("n_systems", "most"), [(2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4), (8, 4), (9, 4)]
)
def test_no_order_of_pairs_and_no_luck_takes_a_system_further(n_systems: int, most: int) -> None:
    """Every balance that can be reached, systems being alike, is looked at."""
    names = [str(number) for number in range(n_systems)]
    seen = {(0,) * n_systems}
    todo = list(seen)
    while todo:
        state = todo.pop()
        balance = dict(zip(names, state, strict=True))
        for one, other in combinations(names, 2):
            for left_is_first in outcomes(balance, one, other):
                after = dict(balance)
                left, right = (one, other) if left_is_first else (other, one)
                moved(after, left, right, 1)
                reached = tuple(sorted(after.values()))
                if reached not in seen:
                    seen.add(reached)
                    todo.append(reached)
    assert max(max(map(abs, state)) for state in seen) == most


@pytest.mark.parametrize("n_systems", [2, 3, 5, 10, 20])
def test_locks_that_run_out_and_skips_leave_no_lasting_imbalance(n_systems: int) -> None:
    """Sixty raters, a tenth of whose pairs come back and are decided by somebody else: once all
    places are filled every system is within four."""
    rng = random.Random(n_systems)
    names = [str(number) for number in range(n_systems)]
    for _ in range(40):
        balance = dict.fromkeys(names, 0)
        waiting = [rng.choice(list(combinations(names, 2))) for _ in range(600)]
        live: list[tuple[str, str]] = []
        while waiting or live:
            if waiting and (len(live) < 60 or rng.random() < 0.5):
                one, other = waiting.pop(0)
                left_is_first = draw_left_is_first(balance, one, other, rng)
                shown = (one, other) if left_is_first else (other, one)
                moved(balance, *shown, 1)
                live.append(shown)
                continue
            shown = live.pop(rng.randrange(len(live)))
            if rng.random() < 0.1:
                moved(balance, *shown, -1)
                waiting.insert(rng.randrange(len(waiting) + 1), shown)
        assert max(map(abs, balance.values())) <= MOST


def test_a_rater_alone_cannot_guess_more_than_the_bound_gives_away() -> None:
    """The worst case, one rater and two systems that they can tell apart: the coin decides three
    sides of four. In random blocks of four it decides two of three."""
    rng, balance, n_free = random.Random(1), {"x": 0, "y": 0}, 0
    for _ in range(20_000):
        n_free += len(outcomes(balance, "x", "y")) == 2
        left_is_first = draw_left_is_first(balance, "x", "y", rng)
        moved(balance, *(("x", "y") if left_is_first else ("y", "x")), 1)
    assert n_free / 20_000 == pytest.approx(0.75, abs=0.01)


def test_a_check_without_systems_is_a_fair_coin_and_moves_nothing() -> None:
    balance = {"x": 2, "y": -2}
    rng = random.Random(1)
    n_left = sum(draw_left_is_first(balance, None, None, rng) for _ in range(2_000))
    assert 900 < n_left < 1_100
    moved(balance, None, None, 1)
    assert balance == {"x": 2, "y": -2}
