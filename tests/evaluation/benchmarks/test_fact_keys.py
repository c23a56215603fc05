from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmarks.fact_keys import (
    MAX_NUMBERS,
    MAX_TERMS,
    WordRarity,
    derive_keys,
    number_keys,
    statement_keys,
)

RARITY = WordRarity(["children were infected worldwide", "children and adults were infected"])


def values(text: str) -> list[str]:
    return [f"{key.value}{key.unit}" for key in number_keys(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("more than 400,000 children, 90% of them", ["400000", "90%"]),
        ("IL-6, H1N1, COVID-19 and gpt-4.1-mini", []),
        ("18-24 years", ["18", "24"]),
        ("a change of −0.5 degrees", ["-0.5"]),
        ("3.5 million at 19K for 5 per cent", ["3500000", "19000", "5%"]),
        ("10^3 and 2 × 10^4", []),
        ("see [12, 13] and [7]", []),
        ("version 1.2.3 of 2005.", ["2005"]),
        ("89.08\\% of $0.700$", ["89.08%", "0.700"]),
        ("7 of 7", ["7"]),
        ("(1) one of 12 mice, (2) none (n=5)", ["12", "5"]),
        ("id 1234567890123456789", []),
    ],
)
def test_the_quantities_of_a_text_are_its_number_keys(text, expected):
    assert values(text) == expected


def test_a_short_answer_without_a_number_is_one_term_with_aliases():
    (key,) = derive_keys("The MTCT.", RARITY, aliases=["mother-to-child", "MTCT"])
    assert (key.kind, key.value, key.aliases) == ("term", "MTCT", ("mother-to-child",))


def test_a_long_answer_is_its_numbers_and_its_rarest_words_in_text_order():
    text = (
        "about 90% of the infected children lived in sub-Saharan Africa, a region far from adults"
    )
    keys = derive_keys(text, RARITY)
    assert [key.value for key in keys] == ["90", "lived", "sub-Saharan", "Africa", "region", "far"]


def test_a_statement_is_put_in_other_words_so_that_only_a_short_one_is_a_term():
    assert [key.value for key in statement_keys("lightning indexer", RARITY)] == [
        "lightning indexer"
    ]
    assert [
        key.value for key in statement_keys("The server rejects the largest papers", RARITY)
    ] == [
        "server",
        "rejects",
        "largest",
        "papers",
    ]


def test_an_answer_of_function_words_alone_is_still_a_term():
    assert [key.value for key in derive_keys("no", RARITY)] == ["no"]


def test_a_text_without_letter_or_digit_gives_no_key():
    assert derive_keys(" — … ", RARITY) == ()


@given(st.text(max_size=200))
def test_keys_are_bounded_distinct_and_readable(text):
    keys = derive_keys(text, RARITY)
    numbers = [key for key in keys if key.kind == "number"]
    assert len(numbers) <= MAX_NUMBERS
    assert len(keys) - len(numbers) <= max(1, MAX_TERMS)
    assert len({(key.kind, key.value, key.unit) for key in keys}) == len(keys)
    assert all(Decimal(key.value).is_finite() for key in numbers)
    assert all(key.value.strip() for key in keys)
