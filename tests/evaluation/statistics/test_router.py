import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.router import router_headroom

TABLES = arrays(
    np.float64,
    st.tuples(st.integers(2, 4), st.integers(2, 12)),
    elements=st.sampled_from([0.0, 2.5, 5.0, 10.0]),
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_it_is_worked_by_hand_on_two_tiers():
    # A is best in L1, B in L2. B's one slip (0 on the last question) costs the oracle nothing.
    scores = np.array([[9.0, 8.0, 7.0, 2.0, 1.0, 6.0], [4.0, 4.0, 4.0, 9.0, 9.0, 0.0]])
    result = router_headroom(scores, ["L1"] * 3 + ["L2"] * 3, rng=rng(), n_resamples=199)
    assert result.n == 6
    assert result.best_systems == (0,)
    assert result.best_single.estimate == pytest.approx(33 / 6)
    assert result.oracle.estimate == pytest.approx(48 / 6)
    assert result.oracle_gain.estimate == pytest.approx(15 / 6)
    # L1: A each time. L2: for the 4th, others give A 7 and B 9; 5th, A 8 and B 9; 6th, A 3, B 18.
    assert result.tier_router.estimate == pytest.approx((24 + 9 + 9 + 0) / 6)
    assert result.tier_gain.estimate == pytest.approx((42 - 33) / 6)


def test_leaving_the_question_out_keeps_the_router_from_seeing_its_answer():
    # Each system is right once; on the other question it is the other system that looks best.
    result = router_headroom(np.array([[10.0, 0.0], [0.0, 10.0]]), ["L1", "L1"], rng=rng())
    assert result.tier_router.estimate == 0.0
    assert result.oracle.estimate == 10.0
    assert result.best_systems == (0, 1)


def test_a_question_alone_in_its_tier_is_routed_by_all_others():
    scores = np.array([[1.0, 9.0, 9.0], [5.0, 2.0, 2.0]])
    result = router_headroom(scores, ["L3", "L1", "L1"], rng=rng())
    assert result.tier_router.estimate == pytest.approx((1 + 9 + 9) / 3)


def test_systems_that_tie_share_the_question():
    scores = np.array([[4.0, 4.0], [8.0, 4.0]])
    result = router_headroom(scores, ["L1", "L1"], rng=rng())
    # For the first question both stand at 4 on the other: (4 + 8) / 2. For the second B: 4.
    assert result.tier_router.estimate == pytest.approx(5.0)


def test_only_questions_that_every_system_has_are_used():
    scores = np.array([[5.0, np.nan, 7.0, 1.0], [4.0, 9.0, 8.0, 2.0]])
    result = router_headroom(scores, ["L1"] * 4, rng=rng())
    assert result.n == 3
    assert result.oracle.estimate == pytest.approx(15 / 3)


@given(TABLES, st.integers(0, 3))
def test_the_oracle_bounds_everything_and_the_order_of_systems_does_not_matter(table, seed):
    tiers = rng(seed).choice(["L1", "L2", "L3"], size=table.shape[1]).tolist()
    result = router_headroom(table, tiers, rng=rng(seed), n_resamples=99)
    assert 0 <= result.oracle_gain.low <= result.oracle_gain.estimate + 1e-9
    for part in (result.best_single, result.tier_router):
        assert part.estimate <= result.oracle.estimate + 1e-9
    reverse = router_headroom(table[::-1], tiers, rng=rng(seed), n_resamples=99)
    assert (reverse.oracle, reverse.tier_router) == (result.oracle, result.tier_router)
    assert reverse.best_single.estimate == pytest.approx(result.best_single.estimate)


@given(TABLES, st.integers(0, 3))
def test_the_tier_router_agrees_with_a_loop_over_questions_in_pandas(table, seed):
    tiers = rng(seed).choice(["L1", "L2"], size=table.shape[1])
    frame = pd.DataFrame(table.T).assign(tier=tiers)
    routed = []
    for question, row in frame.iterrows():
        others = frame.drop(index=question)
        same_tier = others[others["tier"] == row["tier"]]
        sums = (same_tier if len(same_tier) else others).drop(columns="tier").sum()
        routed.append(row.drop("tier")[sums == sums.max()].astype(float).mean())
    result = router_headroom(table, tiers.tolist(), rng=rng(), n_resamples=99)
    assert result.tier_router.estimate == pytest.approx(np.mean(routed))
    assert result.oracle.estimate == pytest.approx(frame.drop(columns="tier").max(axis=1).mean())


def test_the_gains_interval_agrees_with_the_bootstrap_of_scipy():
    table = rng(1).uniform(0, 10, size=(3, 60))
    result = router_headroom(table, ["L1"] * 60, rng=rng(2))
    gain = table.max(axis=0) - table[result.best_systems[0]]
    theirs = stats.bootstrap(
        (gain,), np.mean, n_resamples=10_000, method="percentile", rng=rng(3)
    ).confidence_interval
    assert result.oracle_gain.low == pytest.approx(theirs.low, abs=0.05)
    assert result.oracle_gain.high == pytest.approx(theirs.high, abs=0.05)


def test_it_refuses_what_cannot_be_routed():
    with pytest.raises(StatisticUndefined, match="at least 2 systems"):
        router_headroom(np.ones((1, 4)), ["L1"] * 4, rng=rng())
    with pytest.raises(StatisticUndefined, match="there is 1"):
        router_headroom(np.array([[1.0, np.nan], [1.0, 2.0]]), ["L1"] * 2, rng=rng())
    with pytest.raises(StatisticUndefined, match="resamples"):
        router_headroom(np.eye(3), ["L1"] * 3, rng=rng(), n_resamples=9)
    with pytest.raises(ValueError, match="2 tiers for 3 questions"):
        router_headroom(np.eye(3), ["L1"] * 2, rng=rng())
