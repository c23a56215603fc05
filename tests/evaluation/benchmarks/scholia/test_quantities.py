from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.quantities import NumberPool, Scale, wordings_of


@given(st.integers(0, 10**6))
def test_values_lie_on_the_scale_and_never_pass_for_one_another(seed: int) -> None:
    pool = NumberPool(Dice(seed))
    scale = Scale("40.0", "90.0", "%")
    values = [Decimal(pool.draw(scale)) for _ in range(10)]
    assert all(Decimal("40.0") <= value <= Decimal("90.0") for value in values)
    assert all(
        abs(one - other) > Decimal("0.03") * max(one, other)
        for at, one in enumerate(values)
        for other in values[:at]
    )


def test_steps_and_decimals_are_those_of_the_scale() -> None:
    draws = {
        NumberPool(Dice(seed)).draw(Scale("1024", "4096", "tokens", 512)) for seed in range(50)
    }
    assert draws == {str(value) for value in range(1024, 4097, 512)}
    assert all(
        len(NumberPool(Dice(seed)).draw(Scale("0.0011", "0.0098", "")).partition(".")[2]) == 4
        for seed in range(20)
    )


def test_numbers_are_printed_as_papers_do() -> None:
    assert wordings_of("71.4", "%") == ("71.4 %", "71.4%")
    assert wordings_of("12800", "tokens") == ("12,800 tokens", "12800 tokens")
    assert wordings_of("0.25", "") == ("0.25",)
