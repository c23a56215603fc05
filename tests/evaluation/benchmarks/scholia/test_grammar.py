from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.grammar import (
    Grammar,
    UnknownSymbol,
    read_entries,
    read_rules,
    sentence,
    with_articles,
)


def test_bindings_come_before_rules_and_templates_nest() -> None:
    grammar = Grammar({"who": ["a rule"], "what": ["{who} acts"]})
    assert grammar.expand("{what}.", {}, Dice(1)) == "a rule acts."
    assert grammar.expand("{what}.", {"who": ("a binding",)}, Dice(1)) == "a binding acts."


def test_a_slot_that_nothing_defines_is_an_error() -> None:
    with pytest.raises(UnknownSymbol, match="nobody"):
        Grammar({}).expand("{nobody}", {}, Dice(1))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a* recall of 3", "a recall of 3"),
        ("a* answer accuracy", "an answer accuracy"),
        ("a* uptake", "an uptake"),
        ("a* utilisation", "a utilisation"),
        ("a* `eta` value", "an `eta` value"),
    ],
)
def test_articles_follow_the_sound_of_the_next_word(text: str, wanted: str) -> None:
    assert with_articles(text) == wanted


def test_a_sentence_has_a_capital_and_a_full_stop_but_code_keeps_its_case() -> None:
    assert sentence("we saw a* error") == "We saw an error."
    assert sentence("`beta_x` is set") == "`beta_x` is set."


def test_rules_of_several_files_add_up_and_entries_are_blocks(tmp_path: Path) -> None:
    first, second, entries = (tmp_path / name for name in ("a.txt", "b.txt", "c.txt"))
    first.write_text("[x]\none\n\n[y]\ntwo\n", encoding="utf-8")
    second.write_text("[x]\nthree\n", encoding="utf-8")
    entries.write_text("name: p | q\nunit:\n\nname: r\n", encoding="utf-8")
    assert read_rules([first, second]) == {"x": ["one", "three"], "y": ["two"]}
    assert read_entries(entries) == ({"name": ("p", "q"), "unit": ("",)}, {"name": ("r",)})
