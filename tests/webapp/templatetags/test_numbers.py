"""How pages write numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.templatetags import numbers


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (numbers.score, 7.254, "7.25"),
        (numbers.score, 0.0, "0.00"),
        (numbers.signed, 0.5, "+0.50"),
        (numbers.signed, -0.5, "−0.50"),
        (numbers.signed, -0.001, "0.00"),
        (numbers.whole, 1235, "1,235"),
        (numbers.chars, 870, "870"),
        (numbers.chars, 29_940.4, "29.9k"),
        (numbers.chars, 2_552_000, "2.6M"),
        (numbers.usd, 0, "$0"),
        (numbers.usd, 0.0031, "$0.0031"),
        (numbers.usd, 1234.5, "$1,234.50"),
        (numbers.usd, None, "unknown"),
        (numbers.seconds, 0.42, "0.4 s"),
        (numbers.seconds, 42, "42 s"),
        (numbers.seconds, 200, "3 min 20 s"),
        (numbers.seconds, 7500, "2 h 5 min"),
        (numbers.milliseconds, 1.26, "1.3 ms"),
        (numbers.milliseconds, 1260.2, "1,260 ms"),
    ],
)
def test_a_number_is_written_for_readers(write: Any, value: float, text: str) -> None:
    assert write(value) == text


@pytest.mark.parametrize(
    "write",
    [numbers.score, numbers.signed, numbers.whole, numbers.chars,
     numbers.seconds, numbers.milliseconds],
)  # fmt: skip
def test_a_missing_value_is_said_and_never_nan(write: Any) -> None:
    assert "no value" in write(None)


@given(st.floats(-20, 20, allow_nan=False))
def test_a_difference_reads_back(value: float) -> None:
    text = numbers.signed(value).replace("−", "-")
    assert abs(float(text) - value) <= 0.005 + 1e-9
