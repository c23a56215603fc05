from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.scoring.quantities import is_rounding_of, read_number, read_quantities
from evaluation.scoring.units import canonical_unit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It took 12.5 ms", [("12.5", "s")]),
        ("1,234,567 tokens/s", [("1234567", "token/s")]),
        ("120 tokens per second", [("120", "token/s")]),
        ("1\u202f234 units", [("1234", "")]),
        ("between 10 and 20 GB", [("10", "byte"), ("20", "byte")]),
        ("10–20 ms", [("10", "s"), ("20", "s")]),
        ("43% and 43 per cent", [("43", "1"), ("43", "1")]),
        ("a rise of 1.5 percentage points", [("1.5", "pp")]),
        ("3.2×10⁻⁴ s", [("0.00032", "s")]),
        (r"$3.2\times10^{-4}$", [("0.00032", "")]),
        (r"12\,\mathrm{ms}", [("12", "s")]),
        ("10^6 steps, 2e-5", [("1000000", ""), ("0.00002", "")]),
        ("7B parameters and 50k characters", [("7000000000", "parameter"), ("50000", "character")]),
        ("cost $1.2 million", [("1200000", "USD")]),
        ("$12$ layers", [("12", "")]),
        ("three heads", [("3", "")]),
        ("−5 °C and (-3.1%)", [("-5", "°C"), ("-3.1", "1")]),
        ("½ hour, 1½ h", [("0.5", "s"), ("1.5", "s")]),
        ("a 3-fold gain, 5x", [("3", "times"), ("5", "times")]),
        ("**12** ms and *13* ms", [("12", "s"), ("13", "s")]),
        ("in 2020.", [("2020", "")]),
        ("p<.05", [("0.05", "")]),
    ],
)
def test_a_number_is_read_with_its_value_and_unit(text, expected):
    read = [(one.value, one.unit) for one in read_quantities(text)]
    assert read == [(Decimal(value), unit) for value, unit in expected]


@pytest.mark.parametrize(
    "text",
    [
        "GPT-4 and H3",
        "version v3.5.1",
        "1. first\n2) second",
        "as shown [3, 4-6]",
        "the 5th",
        "x_1",
    ],
)
def test_names_versions_markers_citations_and_ordinals_hold_no_number(text):
    assert read_quantities(text) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [("ms", "millisecond"), ("tok/s", "tokens per second"), ("%", "per cent"), ("Layers", "layer")],
)
def test_aliases_of_a_unit_are_the_same_unit(left, right):
    assert canonical_unit(left) == canonical_unit(right)


def test_units_that_differ_in_case_alone_stay_apart():
    assert canonical_unit("mW") != canonical_unit("MW")
    assert canonical_unit("MB")[1] == 1_000_000
    assert canonical_unit("MiB")[1] == 1_048_576


@given(st.decimals(min_value=0, max_value=10**9, places=4), st.integers(0, 3))
def test_a_rounded_number_is_a_rounding_of_the_exact_one(exact, places):
    rounded = round(exact, places)
    if len(rounded.as_tuple().digits) >= 2:
        assert is_rounding_of(rounded, exact)


def test_one_significant_digit_rounds_nothing():
    assert not is_rounding_of(Decimal("1"), Decimal("1.2"))
    assert is_rounding_of(Decimal("1.2"), Decimal("1.24"))
    assert not is_rounding_of(Decimal("1.3"), Decimal("1.24"))


@given(st.integers(0, 10**12))
def test_thousands_separators_change_no_value(number):
    assert read_number(f"{number:,}") == number
    assert read_number(str(number)) == number


@pytest.mark.parametrize("text", ["", "fast", "1 2", "12 ms"])
def test_a_text_that_is_not_one_number_is_refused(text):
    with pytest.raises(ValueError, match="not a number"):
        read_number(text)


@given(st.text(max_size=300))
def test_any_text_can_be_read(text):
    for one in read_quantities(text):
        assert one.base_value.is_finite()
