"""Equations as a converter of PDF files leaves them: spaced, doubled, with broken words around."""

from __future__ import annotations

from functools import cache

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.grammar import TEXT_FOLDER, read_rules

_SYMBOLS = ("s", "m", "w", "q", "u", "h", "z", "r", "p", "g")
_GREEK = ("\\alpha", "\\beta", "\\gamma", "\\lambda", "\\mu", "\\sigma", "\\tau", "\\phi")
_FUNCTIONS = ("\\exp", "\\log", "\\operatorname { s i m }", "\\mathrm { s o f t m a x }", "\\max")
_CONFUSIONS = ((" l", " 1"), ("rn", "m"), ("fi ", "ﬁ "), (" , ", ", "), ("ti", "t i"))


def equation_block(dice: Dice, number: int) -> tuple[str, str, str]:
    """The sentence before, the display equation, and the sentence after, with noise in all."""
    rules = _rules()
    letters = dice.sample(_SYMBOLS, 3)
    greek = dice.sample(_GREEK, 2)
    symbols = {
        "<a>": letters[0],
        "<b>": letters[1],
        "<c>": letters[2],
        "<g>": greek[0],
        "<h>": greek[1],
        "<f>": dice.pick(_FUNCTIONS),
    }
    formula = _filled(dice.pick(rules["formula"]), symbols)
    if dice.chance(30):
        formula = formula.replace("_ {", "_{").replace("- 1", "− l")
    tag = f" \\tag {{ {number} }}" if dice.chance(60) else f" ( {number} )"
    before = _noisy(dice.pick(rules["before"]), dice)
    after = _noisy(_filled(dice.pick(rules["after"]), symbols), dice)
    return before, f"$$\n{formula}{tag}\n$$", f"{after} ."


@cache
def _rules() -> dict[str, list[str]]:
    return read_rules([TEXT_FOLDER / "equations.txt"])


def _filled(template: str, symbols: dict[str, str]) -> str:
    for slot, symbol in symbols.items():
        template = template.replace(slot, symbol)
    return template


def _noisy(text: str, dice: Dice) -> str:
    for right, wrong in _CONFUSIONS:
        if dice.chance(25):
            text = text.replace(right, wrong, 1)
    return text
