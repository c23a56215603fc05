"""Gaps and shares as calibration pages write them."""

from __future__ import annotations

from webapp.templatetags.calibration import percent1, points, probability
from webapp.templatetags.numbers import MISSING


def test_hundredths_are_written_as_points() -> None:
    assert (points(150), points(0), points(5)) == ("1.5", "0", "0.05")
    assert points(None) == MISSING


def test_shares_have_one_decimal() -> None:
    assert percent1(0.7679) == "76.8 %"
    assert percent1(None) == MISSING


def test_a_small_probability_is_never_written_as_none_at_all() -> None:
    assert probability(0.0346) == "0.035"
    assert probability(0.00042) == "0.0004"
    assert probability(1e-12) == "1e-12"
    assert probability(1.0) == "1.000"
    assert probability(None) == MISSING
