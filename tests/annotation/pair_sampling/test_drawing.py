from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.pair_sampling.candidates import (
    ABSENT,
    UNSCORED,
    Candidates,
    Integers,
    candidate_pairs,
)
from annotation.pair_sampling.drawing import (
    Draw,
    TooFewCandidates,
    draw_pairs,
    draw_wave,
    generator,
    width,
)
from annotation.pair_sampling.strata import shares_of, strata_of

EDGES = [0, 200, 400]
POLICIES = ("uniform", "stratified", "active")


def table(n_questions: int, n_systems: int, seed: int = 1) -> Integers:
    """Scores with some answers missing and some unscored."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 1001, size=(n_questions, n_systems))
    scores[rng.random(scores.shape) < 0.1] = ABSENT
    scores[rng.random(scores.shape) < 0.05] = UNSCORED
    return scores


def frame(n_questions: int = 12, n_systems: int = 4, seed: int = 1) -> Candidates:
    return candidate_pairs(table(n_questions, n_systems, seed), EDGES)


def by_bucket(sizes: dict[str, int]) -> Candidates:
    """Two systems and as many questions in each bucket as said."""
    gaps = {"0–2": 100, "2–4": 300, "4+": 700, "unknown": UNSCORED}
    rows = [[0, gaps[name]] for name, n in sizes.items() for _ in range(n)]
    return candidate_pairs(np.array(rows), EDGES)


def drawn_by_bucket(candidates: Candidates, draw: Draw) -> list[int]:
    return np.bincount(
        candidates.bucket[draw.chosen], minlength=len(candidates.bucket_names)
    ).tolist()


@pytest.mark.parametrize("policy", POLICIES)
@given(n_questions=st.integers(1, 15), n_systems=st.integers(2, 6), seed=st.integers(0, 10_000))
def test_inclusion_probabilities_of_all_candidates_sum_to_n(
    policy: str, n_questions: int, n_systems: int, seed: int
) -> None:
    candidates = frame(n_questions, n_systems, seed)
    n = (len(candidates) + 1) // 2
    draw = draw_pairs(candidates, n, policy=policy, rng=generator(seed))
    probabilities = draw.inclusion_probabilities(np.arange(len(candidates)))
    assert probabilities.sum() == pytest.approx(n)
    assert len(set(draw.chosen.tolist())) == n
    assert (probabilities[draw.chosen] > 0).all()
    assert (probabilities <= 1).all()


@pytest.mark.parametrize("policy", ["uniform", "stratified"])
def test_a_pair_is_drawn_as_often_as_its_inclusion_probability_says(policy: str) -> None:
    candidates = frame(8, 3)
    times = np.zeros(len(candidates))
    n_draws = 4_000
    for seed in range(n_draws):
        draw = draw_pairs(candidates, 7, policy=policy, rng=generator(seed))
        times[draw.chosen] += 1
    wanted = draw.inclusion_probabilities(np.arange(len(candidates)))
    assert times / n_draws == pytest.approx(wanted, abs=0.035)


def test_uniform_gives_every_pair_the_same_probability() -> None:
    candidates = frame()
    draw = draw_pairs(candidates, 10, policy="uniform", rng=generator(1))
    assert draw.inclusion_probabilities(draw.chosen) == pytest.approx(10 / len(candidates))


def test_buckets_get_equal_shares_and_pass_on_what_they_cannot_take() -> None:
    candidates = by_bucket({"0–2": 50, "2–4": 20, "4+": 4})
    draw = draw_pairs(candidates, 24, policy="stratified", rng=generator(1))
    # 8 each; the last has 4, so the others get 10.
    assert drawn_by_bucket(candidates, draw) == [10, 10, 4, 0]
    assert draw.inclusion_probabilities(np.array([0, 50, 70])).tolist() == [0.2, 0.5, 1.0]


def test_pairs_of_unknown_gap_get_no_more_than_their_part() -> None:
    candidates = by_bucket({"0–2": 40, "2–4": 40, "unknown": 20})
    draw = draw_pairs(candidates, 20, policy="stratified", rng=generator(1))
    assert drawn_by_bucket(candidates, draw) == [8, 8, 0, 4]


def test_inside_a_bucket_pairs_of_systems_get_equal_shares() -> None:
    # Systems 0 and 1 answered all 12 questions, system 2 only the first 3: all gaps are small.
    scores = np.full((12, 3), 500)
    scores[3:, 2] = ABSENT
    candidates = candidate_pairs(scores, EDGES)
    draw = draw_pairs(candidates, 12, policy="stratified", rng=generator(1))
    drawn = np.bincount(candidates.system_pair[draw.chosen], minlength=3)
    # 4 each; the pairs with system 2 have 3, so the other gets 6.
    assert drawn.tolist() == [6, 3, 3]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_seed_draws_the_same_again_and_another_does_not(policy: str) -> None:
    def serving(seed: int) -> list[tuple[int, bool]]:
        draw = draw_pairs(frame(), 20, policy=policy, rng=generator(seed))
        return list(zip(draw.chosen.tolist(), draw.right_is_first.tolist(), strict=True))

    assert serving(5) == serving(5)
    assert serving(5) != serving(6)


def test_first_and_the_order_of_serving_are_drawn_at_random() -> None:
    candidates = frame(200, 4)
    draw = draw_pairs(candidates, 600, policy="uniform", rng=generator(2))
    assert 240 < draw.right_is_first.sum() < 360
    assert abs(np.corrcoef(draw.chosen, np.arange(600))[0, 1]) < 0.15


@pytest.mark.parametrize("policy", POLICIES)
def test_all_of_a_frame_can_be_drawn_and_no_more(policy: str) -> None:
    candidates = frame()
    draw = draw_pairs(candidates, len(candidates), policy=policy, rng=generator(1))
    assert draw.inclusion_probabilities(draw.chosen) == pytest.approx(1.0)
    with pytest.raises(TooFewCandidates, match="pairs are to be drawn and"):
        draw_pairs(candidates, len(candidates) + 1, policy=policy, rng=generator(1))


def next_wave(
    candidates: Candidates,
    first: Draw,
    n: int,
    votes: Callable[[Candidates], Integers],
    seed: int = 1,
) -> Draw:
    is_drawn = np.zeros(len(candidates), dtype=bool)
    is_drawn[first.chosen] = True
    return draw_wave(
        candidates,
        n,
        is_drawn=is_drawn,
        left_out=first.left_out,
        decided=np.where(is_drawn, votes(candidates), 0),
        rng=generator(seed, wave=1),
    )


def test_a_wave_gives_more_to_buckets_with_few_votes() -> None:
    candidates = by_bucket({"0–2": 60, "2–4": 60, "4+": 60})
    first = draw_pairs(candidates, 60, policy="active", rng=generator(1))
    wave = next_wave(candidates, first, 30, lambda frame: (frame.bucket == 0).astype(np.int64))
    # 20 pairs of the first bucket have votes: its interval is 0.40 wide, the others' 1.
    narrow = 1.959964 / np.sqrt(20 + 1.959964**2)
    of_first = 30 * narrow / (narrow + 2)
    drawn = drawn_by_bucket(candidates, wave)
    assert drawn[0] in (int(of_first), int(of_first) + 1)
    assert not set(wave.chosen.tolist()) & set(first.chosen.tolist())


def test_a_wave_asks_how_many_pairs_have_votes_and_not_how_many_votes_they_have() -> None:
    candidates = frame(40, 4)
    first = draw_pairs(candidates, 60, policy="active", rng=generator(1))
    once = next_wave(candidates, first, 20, lambda frame: np.ones(len(frame), dtype=np.int64))
    often = next_wave(candidates, first, 20, lambda frame: np.arange(1, len(frame) + 1))
    assert once.chosen.tolist() == often.chosen.tolist()


def test_after_waves_with_whole_shares_the_probability_is_that_of_one_draw() -> None:
    candidates = by_bucket({"0–2": 40, "2–4": 40, "4+": 40})
    first = draw_pairs(candidates, 30, policy="active", rng=generator(1))
    wave = next_wave(candidates, first, 15, lambda frame: np.ones(len(frame), dtype=np.int64))
    assert drawn_by_bucket(candidates, wave) == [5, 5, 5, 0]
    assert wave.inclusion_probabilities(np.arange(len(candidates))) == pytest.approx(15 / 40)


def test_waves_draw_until_nothing_is_left() -> None:
    candidates = frame(6, 3)
    first = draw_pairs(candidates, 5, policy="active", rng=generator(1))
    n_left = len(candidates) - 5
    wave = next_wave(candidates, first, n_left, lambda frame: np.ones(len(frame), dtype=np.int64))
    assert sorted([*first.chosen, *wave.chosen]) == list(range(len(candidates)))
    assert wave.inclusion_probabilities(wave.chosen) == pytest.approx(1.0)
    with pytest.raises(TooFewCandidates):
        next_wave(candidates, first, n_left + 1, lambda frame: np.zeros(len(frame), dtype=np.int64))


def test_an_interval_without_votes_is_as_wide_as_can_be() -> None:
    assert width(np.array([0, 10, 100])) == pytest.approx([1.0, 0.5268, 0.1923], abs=1e-4)


def test_the_pairs_of_thirty_systems_are_drawn_like_any() -> None:
    candidates = candidate_pairs(
        np.random.default_rng(1).integers(0, 1001, size=(1_000, 30)), EDGES
    )
    assert len(candidates) == 435_000
    draw = draw_pairs(candidates, 1_000, policy="stratified", rng=generator(1))
    assert sum(drawn_by_bucket(candidates, draw)) == 1_000
    assert all(n in (333, 334) for n in drawn_by_bucket(candidates, draw)[:3])
    strata = strata_of(candidates)
    expected = shares_of(
        1_000, strata=strata, left=strata.n, unknown_bucket=candidates.unknown_bucket
    )
    assert expected.min() > 0
