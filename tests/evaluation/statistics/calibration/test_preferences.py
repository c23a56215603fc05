import csv
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics.calibration.preferences import preference_win_rate
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.real_files import real_file

N_PUBLISHED = 51
N_PUBLISHED_ERRORS = 50


def test_a_win_rate_and_its_error_are_worked_by_hand():
    found = preference_win_rate(np.array([2.0, 1.0, 0.0, 1.5, np.nan]))
    # 1, 0, 1/2, 1/2: mean 1/2, sample variance (1/4 + 1/4) / 3.
    assert found.win_rate == pytest.approx(50)
    assert found.standard_error == pytest.approx(100 * (0.5 / 3) ** 0.5 / 2)
    assert (found.n, found.n_missing) == (4, 1)
    assert (found.n_wins, found.n_losses, found.n_draws) == (1, 1, 2)


@given(st.lists(st.floats(1, 2), min_size=2, max_size=40))
def test_the_baseline_has_the_rest(preferences):
    one = preference_win_rate(np.array(preferences))
    other = preference_win_rate(3.0 - np.array(preferences))
    assert one.win_rate + other.win_rate == pytest.approx(100)
    assert one.standard_error == pytest.approx(other.standard_error, abs=1e-9)
    assert 0 <= one.win_rate <= 100


def test_the_published_win_rates_and_errors_of_alpacaeval_come_out():
    by_judge = defaultdict(list)
    folder = ("data", "alpaca_eval")
    with real_file(*folder, "judgments_multijudge.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            by_judge[row["system"], row["judge"]].append(float(row["preference"] or "nan"))
    n_rates = n_errors = 0
    with real_file(*folder, "expected_win_rates.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            preferences = by_judge.get((row["system"], row["judge"]))
            if preferences is None or not row["win_rate_published"]:
                continue
            found = preference_win_rate(np.array(preferences))
            n_rates += found.win_rate == pytest.approx(float(row["win_rate_published"]), abs=1e-6)
            n_errors += found.standard_error == pytest.approx(float(row["se_published"]), abs=1e-6)
    # One judge's file for Mistral holds another judge's verdicts, so those rows are there twice:
    # the rate stays, the error shrinks.
    assert (n_rates, n_errors) == (N_PUBLISHED, N_PUBLISHED_ERRORS)


def test_nothing_known_is_refused_and_one_preference_has_no_error():
    with pytest.raises(StatisticUndefined, match="No preference is known"):
        preference_win_rate(np.array([np.nan]))
    one = preference_win_rate(np.array([2.0]))
    assert (one.win_rate, one.standard_error) == (100.0, None)
    assert "at least 2" in one.error_undefined


@pytest.mark.parametrize("preference", [0.5, 2.5, -1.0, float("inf")])
def test_another_number_is_a_mistake(preference):
    with pytest.raises(ValueError, match="from 1 to 2"):
        preference_win_rate(np.array([preference]))
