import csv
import math

import evalica
import numpy as np
import pytest
from hypothesis import assume, given, settings

from evaluation.statistics.calibration.outcomes import Unit, count_outcomes
from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.ratings import Model, rate_systems
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.real_files import real_file
from tests.evaluation.statistics.calibration.defined import defined
from tests.evaluation.statistics.calibration.tables import (
    labelled,
    one_vote,
    pair_table,
    pair_tables,
    swapped,
)

FIRST, SECOND, TIE = Outcome
GOLDEN = {Model.BRADLEY_TERRY: "bradley_terry", Model.NEWMAN: "newman"}


def evalica_votes(name):
    with real_file("data", "evalica", f"{name}.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    systems = tuple(sorted({row[side] for row in rows for side in ("left", "right")}))
    counts = {"left": (1, 0, 0), "right": (0, 1, 0), "tie": (0, 0, 1)}
    return pair_table(
        (
            (i, systems.index(row["left"]), systems.index(row["right"]), None)
            + counts[row["winner"]]
            for i, row in enumerate(rows)
        ),
        systems=systems,
    )


def golden_scores(name, model):
    with real_file("data", "evalica", f"{name}-golden.csv").open(encoding="utf-8") as lines:
        return {
            row["item"]: math.log(float(row["score"]))
            for row in csv.DictReader(lines)
            if row["algorithm"] == GOLDEN[model]
        }


def strengths(ratings):
    return {row.system: row.log_strength for row in ratings.rows}


@pytest.mark.parametrize("model", list(Model))
@pytest.mark.parametrize("name", ["simple", "food", "llmfao"])
def test_the_golden_files_of_evalica_come_out(name, model):
    golden = golden_scores(name, model)
    middle = sum(golden.values()) / len(golden)
    found = rate_systems(count_outcomes(evalica_votes(name)), model=model)
    assert strengths(found) == pytest.approx(
        {item: score - middle for item, score in golden.items()}, abs=1e-9
    )


def test_two_systems_are_worked_by_hand():
    # 6 wins, 2 losses, 4 ties: odds 8 to 4 with ties as half wins.
    pairs = labelled([(0, FIRST)] * 6 + [(0, SECOND)] * 2 + [(0, TIE)] * 4)
    found = rate_systems(count_outcomes(pairs), model=Model.BRADLEY_TERRY)
    assert strengths(found)["theoria"] == pytest.approx(math.log(2) / 2)
    assert [row.rank for row in found.rows] == [1, 2]
    # Newman: odds of a win 6 to 2; a tie has 4 against sqrt(6 * 2), so 2 nu = 4 / sqrt(12).
    by_ties = rate_systems(count_outcomes(pairs), model=Model.NEWMAN)
    assert strengths(by_ties)["theoria"] == pytest.approx(math.log(3) / 2)
    assert by_ties.tie_parameter == pytest.approx(2 / math.sqrt(12))


def test_a_prior_adds_wins_both_ways_to_each_compared_pairing():
    pairs = labelled([(0, FIRST)] * 6)
    for model in Model:
        found = rate_systems(count_outcomes(pairs), model=model, prior_wins=2)
        assert strengths(found)["theoria"] == pytest.approx(math.log(4) / 2)
        assert (found.prior_wins, found.n_comparisons) == (2, pytest.approx(6))


def test_without_ties_both_models_agree():
    counts = count_outcomes(labelled([(0, FIRST)] * 6 + [(0, SECOND)] * 3))
    halved, by_ties = (rate_systems(counts, model=model) for model in Model)
    assert strengths(by_ties) == pytest.approx(strengths(halved))
    assert by_ties.tie_parameter == 0.0


def test_almost_only_ties_still_have_their_parameter():
    pairs = labelled([(0, FIRST), (0, SECOND)] + [(0, TIE)] * 1000)
    found = rate_systems(count_outcomes(pairs), model=Model.NEWMAN)
    assert found.tie_parameter == pytest.approx(500)


def test_a_long_chain_adds_up_its_odds():
    systems = tuple(f"s{i}" for i in range(20))
    rows = [(q, i, i + 1, 0, 9, 1, 0) for i in range(19) for q in range(3)]
    counts = count_outcomes(pair_table(rows, systems=systems), unit=Unit.VOTE)
    for model in Model:
        by_system = strengths(rate_systems(counts, model=model))
        assert by_system["s0"] - by_system["s19"] == pytest.approx(19 * math.log(9))


@pytest.mark.parametrize("model", list(Model))
def test_every_draw_has_the_strengths_that_evalica_finds_in_it(model):
    counts = count_outcomes(many_pairs(), unit=Unit.VOTE)
    drawn = counts.draws(np.random.default_rng(2), 25)
    found = rate_systems(counts, model=model, drawn=drawn)
    for row, replicate in zip(drawn, found.replicates, strict=True):
        assert replicate == pytest.approx(by_evalica(counts, row, model), abs=1e-6)


def by_evalica(counts, row, model):
    fit = evalica.newman if model is Model.NEWMAN else evalica.bradley_terry
    outcomes = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
    found = fit(
        counts.low.tolist() * 3,
        counts.high.tolist() * 3,
        [winner for winner in outcomes for _ in counts.low],
        weights=np.concatenate([side[0] for side in counts.sums(row[None])]),
        tolerance=1e-12,
        limit=10_000,
    )
    scores = np.log(found.scores.reindex(range(counts.n_systems)).to_numpy())
    return scores - scores.mean()


def many_pairs(n=600, seed=1):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    wins = rng.random(n) < 1 / (1 + np.exp(0.6 * (first - second)))
    label = np.where(rng.random(n) < 0.2, TIE, np.where(wins, FIRST, SECOND))
    return pair_table(
        (int(q), int(a), int(b), 0, *one_vote(lab))
        for q, a, b, lab in zip(rng.integers(0, 60, n), first, second, label, strict=True)
    )


@pytest.mark.parametrize("model", list(Model))
def test_the_interval_covers_the_estimate_and_ranks_follow_strength(model):
    found = rate_systems(
        count_outcomes(many_pairs()), model=model, rng=np.random.default_rng(0), n_resamples=400
    )
    assert found.n_draws == 400
    assert found.n_draws_with_prior == 0
    for row in found.rows:
        assert defined(row.low) < row.log_strength < defined(row.high)
    by_strength = sorted(found.rows, key=lambda row: -row.log_strength)
    assert [row.rank for row in by_strength] == [1, 2, 3, 4]
    assert sum(row.log_strength for row in found.rows) == pytest.approx(0, abs=1e-8)


@given(pair_tables(min_size=4))
@settings(max_examples=50)
def test_exchanging_first_and_second_changes_nothing_and_all_is_finite(pairs):
    assume(len(np.unique(pairs.question)) > 1)
    one, other = (
        rate_systems(
            count_outcomes(table),
            model=Model.BRADLEY_TERRY,
            prior_wins=0.5,
            rng=np.random.default_rng(0),
            n_resamples=60,
        )
        if is_connected(table)
        else None
        for table in (pairs, swapped(pairs))
    )
    if one is None or other is None:
        return
    assert strengths(one) == pytest.approx(strengths(other), abs=1e-6)
    assert np.isfinite(one.replicates).all()


def is_connected(pairs):
    reached = {int(pairs.system_first[0])}
    for _ in range(4):
        for a, b in zip(pairs.system_first, pairs.system_second, strict=True):
            if reached & {int(a), int(b)}:
                reached |= {int(a), int(b)}
    return reached == {*pairs.system_first.tolist(), *pairs.system_second.tolist()}


def test_draws_that_fall_apart_get_a_prior_and_are_counted():
    pairs = labelled([(0, FIRST)] * 19 + [(0, SECOND)], n_questions=20)
    found = rate_systems(
        count_outcomes(pairs),
        model=Model.BRADLEY_TERRY,
        rng=np.random.default_rng(0),
        n_resamples=400,
    )
    # A question is left out of a draw with probability (19 / 20)^20 = 0.36.
    assert found.n_draws_with_prior == pytest.approx(0.36 * 400, rel=0.2)
    assert np.isfinite(found.replicates).all()
    assert found.rows[0].high == pytest.approx(math.log(20.25 / 0.25) / 2)


def test_only_ties_make_all_systems_equal_and_leave_no_model_of_ties():
    counts = count_outcomes(labelled([(0, TIE)] * 5))
    found = rate_systems(counts, model=Model.BRADLEY_TERRY)
    assert [row.rank for row in found.rows] == [1, 1]
    with pytest.raises(StatisticUndefined, match="No wins go round in a circle"):
        rate_systems(counts, model=Model.NEWMAN)


def test_it_says_why_there_is_no_interval():
    counts = count_outcomes(labelled([(0, FIRST), (0, SECOND)], n_questions=1))
    asked = rate_systems(counts, model=Model.BRADLEY_TERRY, rng=np.random.default_rng(0))
    assert "at least 2 questions" in asked.interval_undefined
    assert asked.rows[0].low is None
    unasked = rate_systems(counts, model=Model.BRADLEY_TERRY)
    assert "No interval was asked for" in unasked.interval_undefined


def test_questions_that_all_say_the_same_have_no_interval():
    rows = [(q, 0, 1, 0, 3, 1, 1) for q in range(8)]
    found = rate_systems(
        count_outcomes(pair_table(rows), unit=Unit.VOTE),
        model=Model.BRADLEY_TERRY,
        rng=np.random.default_rng(0),
        n_resamples=100,
    )
    assert found.rows[0].low is None
    assert "gives the same strengths" in found.interval_undefined


def test_an_impossible_prior_is_a_mistake():
    counts = count_outcomes(labelled([(0, FIRST), (0, SECOND)]))
    with pytest.raises(ValueError, match="from 0 up"):
        rate_systems(counts, model=Model.NEWMAN, prior_wins=-1)
