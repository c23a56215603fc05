"""The lexicon and grammar of one corpus, read from the text files beside this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from evaluation.benchmarks.scholia.grammar import (
    TEXT_FOLDER,
    Entry,
    Grammar,
    read_entries,
    read_rules,
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """``is_plain``: everyday words and questions that paraphrase; else invented names that the
    questions repeat."""

    corpus: str
    id_prefix: str
    is_plain: bool
    grammar: Grammar
    name_rules: Mapping[str, Sequence[str]]
    settings: tuple[Entry, ...]
    mechanisms: tuple[Entry, ...]
    metrics: tuple[Entry, ...]
    conditions: tuple[Entry, ...]
    thresholds: tuple[Entry, ...]
    enumerations: tuple[Entry, ...]
    failures: tuple[Entry, ...]
    setups: tuple[Entry, ...]
    unreported: tuple[Entry, ...]


@cache
def read_lexicon(corpus: str) -> Lexicon:
    """The lexicon of ``prose`` or ``terms``."""
    folder = TEXT_FOLDER / corpus
    rules = read_rules(
        [
            TEXT_FOLDER / "discourse.txt",
            TEXT_FOLDER / "statements.txt",
            TEXT_FOLDER / "questions.txt",
            folder / "discourse.txt",
            folder / "questions.txt",
        ]
    )
    return Lexicon(
        corpus=corpus,
        id_prefix="sp" if corpus == "prose" else "st",
        is_plain=corpus == "prose",
        grammar=Grammar(rules),
        name_rules=read_rules([TEXT_FOLDER / "people.txt", folder / "names.txt"]),
        settings=read_entries(folder / "settings.txt"),
        mechanisms=read_entries(folder / "mechanisms.txt"),
        metrics=read_entries(folder / "metrics.txt"),
        conditions=read_entries(folder / "conditions.txt"),
        thresholds=read_entries(folder / "thresholds.txt"),
        enumerations=read_entries(folder / "enumerations.txt"),
        failures=read_entries(folder / "failures.txt"),
        setups=read_entries(folder / "setups.txt"),
        unreported=read_entries(folder / "unreported.txt"),
    )
