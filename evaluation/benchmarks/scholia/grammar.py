"""The varied grammar: symbols that expand to templates, and the entries of the lexicon.

A rules file has ``[symbol]`` headings, each followed by one alternative a line; a symbol that
occurs in several files has the alternatives of all. An entries file has blocks separated by blank
lines, each of ``field: wording | other wording`` lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evaluation.benchmarks.scholia.dice import Dice

Bindings = Mapping[str, Sequence[str]]
Entry = Mapping[str, tuple[str, ...]]

TEXT_FOLDER = Path(__file__).parent / "text"

_SLOT = re.compile(r"\{([a-z_0-9]+)\}")
_ARTICLE = re.compile(r"\b([Aa])\* (\W?)(\w+)")
_CONSONANT_U = ("uni", "use", "util", "usu")


class UnknownSymbol(KeyError):
    """A template names a slot that neither the bindings nor the rules define."""


class Grammar:
    """Expands templates: a slot takes one of its bound wordings, else one of its rules."""

    def __init__(self, rules: Mapping[str, Sequence[str]]) -> None:
        self._rules = rules
        self._parsed: dict[str, list[str]] = {}

    def alternatives(self, symbol: str) -> Sequence[str]:
        return self._rules[symbol]

    def expand(self, template: str, bindings: Bindings, dice: Dice) -> str:
        """The template with every slot filled. Raises UnknownSymbol."""
        pieces = self._parsed.get(template)
        if pieces is None:
            pieces = self._parsed[template] = _SLOT.split(template)
        if len(pieces) == 1:
            return template
        words = pieces.copy()
        for at in range(1, len(pieces), 2):
            symbol = pieces[at]
            options = bindings.get(symbol) or self._rules.get(symbol)
            if not options:
                raise UnknownSymbol(symbol)
            words[at] = self.expand(dice.pick(options), bindings, dice)
            if len(options) > 1 and words[at] in words[1:at:2]:
                words[at] = self.expand(dice.pick(options), bindings, dice)
        return "".join(words)

    def clause(self, symbol: str, bindings: Bindings, dice: Dice) -> str:
        """One alternative of ``symbol``, filled, without capital and full stop."""
        return self.expand(dice.pick(self._rules[symbol]), bindings, dice)


def with_articles(text: str) -> str:
    """Replace every ``a*`` by ``a`` or ``an`` after the sound of the next word."""

    def article(match: re.Match[str]) -> str:
        letter, mark, word = match.groups()
        low = word.lower()
        is_vowel = low[0] in "aeiou" and not low.startswith(_CONSONANT_U)
        return f"{letter}{'n' if is_vowel else ''} {mark}{word}"

    return _ARTICLE.sub(article, text)


def sentence(text: str, end: str = ".") -> str:
    """The clause as a sentence: articles set, first letter capital, ``end`` added."""
    text = with_articles(text)
    return text[0].upper() + text[1:] + end


def read_rules(paths: Iterable[Path]) -> dict[str, list[str]]:
    rules: dict[str, list[str]] = {}
    for path in paths:
        symbol = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                symbol = line.strip("[]")
                rules.setdefault(symbol, [])
            elif line:
                rules[symbol].append(line)
    return rules


def read_entries(path: Path) -> tuple[Entry, ...]:
    entries = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        entry: dict[str, tuple[str, ...]] = {}
        for line in block.strip().splitlines():
            field, _, wordings = line.partition(":")
            entry[field] = tuple(wording.strip() for wording in wordings.split(" | "))
        entries.append(entry)
    return tuple(entries)
