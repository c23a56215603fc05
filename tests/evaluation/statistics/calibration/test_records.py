import numpy as np
import pytest
from hypothesis import given, settings

from evaluation.statistics.bootstrap import bootstrap_mean_interval
from evaluation.statistics.calibration.outcomes import Unit, count_outcomes
from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.records import system_records
from evaluation.statistics.wilson import wilson_interval
from tests.evaluation.statistics.calibration.tables import labelled, pair_table, pair_tables


def records_of(pairs, unit=Unit.PAIR, n_resamples=100):
    counts = count_outcomes(pairs, unit=unit)
    records = system_records(counts, rng=np.random.default_rng(0), n_resamples=n_resamples)
    return {record.system: record for record in records}


def test_wins_losses_and_ties_are_worked_by_hand():
    found = records_of(
        pair_table(
            [
                (0, 0, 1, 0, 1, 0, 0),
                (1, 1, 0, 0, 0, 1, 0),
                (2, 1, 0, 0, 1, 0, 0),
                (3, 0, 2, 0, 0, 0, 1),
            ]
        )
    )
    theoria, mem0, null = (found[name] for name in ("theoria", "mem0", "simple-rag"))
    assert (theoria.wins, theoria.losses, theoria.ties) == (2, 1, 1)
    assert theoria.decisive == wilson_interval(2, 3)
    assert theoria.win_rate.rate == pytest.approx(2.5 / 4)
    assert (mem0.wins, mem0.losses, mem0.ties) == (1, 2, 0)
    assert (null.decisive, null.win_rate.rate) == (None, 0.5)
    assert "simple-rag has only ties" in null.undefined


def test_the_bootstrap_over_questions_agrees_with_that_of_means():
    # One pair a question: the win rate is a mean over questions.
    outcomes = [Outcome.FIRST] * 12 + [Outcome.SECOND] * 5 + [Outcome.TIE] * 8
    found = records_of(labelled([(0, o) for o in outcomes], n_questions=25), n_resamples=4000)
    credit = [1.0] * 12 + [0.0] * 5 + [0.5] * 8
    expected = bootstrap_mean_interval(credit, rng=np.random.default_rng(0), n_resamples=4000)
    rate = found["theoria"].win_rate
    assert (rate.rate, rate.low, rate.high) == pytest.approx(
        (expected.estimate, expected.low, expected.high)
    )


@given(pair_tables())
@settings(max_examples=40)
def test_what_one_wins_another_loses(pairs):
    records = records_of(pairs, Unit.VOTE).values()
    assert sum(r.wins for r in records) == sum(r.losses for r in records)
    assert sum(r.wins + r.losses + r.ties for r in records) == 2 * pairs.n_votes.sum()
    for record in records:
        assert (record.decisive is None) == bool(record.undefined)


def test_one_question_gives_rates_without_an_interval():
    rate = records_of(labelled([(0, Outcome.FIRST)]))["theoria"].win_rate
    assert (rate.rate, rate.low) == (1.0, None)
    assert "at least 2 questions" in rate.interval_undefined
