from __future__ import annotations

import pytest

from evaluation.benchmarks.key_occurrence import key_occurs, numbers_in
from evaluation.records import Key


@pytest.mark.parametrize(
    ("key", "text", "occurs"),
    [
        (Key("number", "71.4", "%"), "a recall of 71.4 % was found", True),
        (Key("number", "71.4", "%"), "a recall of $71.4\\%$ was found", True),
        (Key("number", "71.4", "%"), "71.4 percent", True),
        (Key("number", "71.4", "%"), "71.4 ms", False),
        (Key("number", "71.4", "%"), "171.4 %", False),
        (Key("number", "71.4", "%", 0.01), "71.9 %", True),
        (Key("number", "71.4", "%", 0.01), "72.2 %", False),
        (Key("number", "12800", "tokens"), "about 12,800 tokens", True),
        (Key("number", "1800000"), "1.8 million deaths", True),
        (Key("number", "94000"), "94K parameters", True),
        (Key("number", "5"), "5 days; 1.5 weeks", True),
        (Key("number", "5"), "1.5 weeks", False),
        (Key("number", "2003"), "in 2002-2003", True),
        (Key("number", "-3"), "it fell to −3 degrees", True),
        (Key("number", "1", "days"), "after 1 day", True),
        (Key("number", "6", "x"), "6× faster", True),
        (Key("term", "Gate block"), "the  GATE\nblock of", True),
        (Key("term", "gate"), "agate", False),
        (Key("term", "gate", aliases=("door",)), "a door.", True),
        (Key("term", "`beta_x`"), "with `beta_x` = 0.25", True),
    ],
)
def test_a_key_occurs_where_a_reader_would_say_so(key: Key, text: str, occurs: bool) -> None:
    assert key_occurs(key, text) is occurs


def test_a_number_key_without_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="“many” is not a decimal number"):
        key_occurs(Key("number", "many"), "many")


def test_scaled_numbers_are_read_both_ways() -> None:
    assert [number.text for number in numbers_in("from 3 to 1.5 billion")] == [
        "3",
        "1.5",
        "1500000000",
    ]
