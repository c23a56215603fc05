"""Which must-have facts a context holds, and where: source spans first, names and numbers else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evaluation.benchmarks.key_occurrence import key_occurs
from evaluation.queries.question import ContextUnit, TextPiece
from evaluation.records import Fact, Key, PlacedUnit

SEARCHED_CHARS = 400_000
"""Contexts over this length are searched for source spans only: keys would take too long."""


_ANY_SPACE = r"\s+"


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters ``start`` to ``end`` of a unit's text state or name the fact."""

    start: int
    end: int
    fact: int
    is_term: bool


def marked_units(
    units: Sequence[PlacedUnit], facts: Sequence[Fact], titles: Mapping[str, str]
) -> tuple[ContextUnit, ...]:
    """The units in order with every place marked that states a fact. Facts count from 1."""
    with_keys = sum(len(unit.text) for unit in units) <= SEARCHED_CHARS
    patterns = (
        {number: _key_patterns(fact.keys) for number, fact in enumerate(facts, start=1)}
        if with_keys
        else {}
    )
    return tuple(
        ContextUnit(
            number=number,
            source_id=unit.source_id,
            title=titles.get(unit.source_id, ""),
            kind=unit.kind,
            start=unit.start,
            end=unit.end,
            is_cut=unit.is_cut,
            pieces=_pieces(unit.text, [*_span_marks(unit, facts), *_term_marks(unit, patterns)]),
        )
        for number, unit in enumerate(units, start=1)
    )


def units_stating(fact: Fact, units: Sequence[PlacedUnit]) -> tuple[int, ...]:
    """Numbers of the units that hold one of the fact's source spans whole."""
    return tuple(
        number
        for number, unit in enumerate(units, start=1)
        if any(
            unit.source_id == span.item_id
            and 0 <= unit.start <= span.start
            and span.end <= unit.start + len(unit.text)
            for span in fact.spans
        )
    )


def units_naming(fact: Fact, units: Sequence[PlacedUnit]) -> tuple[int, ...]:
    """Numbers of the units that hold all of the fact's keys. None have where the context is too
    long to be searched."""
    if not fact.keys or sum(len(unit.text) for unit in units) > SEARCHED_CHARS:
        return ()
    return tuple(
        number
        for number, unit in enumerate(units, start=1)
        if all(key_occurs(key, unit.text) for key in fact.keys)
    )


def _span_marks(unit: PlacedUnit, facts: Sequence[Fact]) -> list[Mark]:
    if unit.start < 0:
        return []
    marks = []
    for number, fact in enumerate(facts, start=1):
        for span in fact.spans:
            if span.item_id != unit.source_id:
                continue
            start = max(span.start - unit.start, 0)
            end = min(span.end - unit.start, len(unit.text))
            if start < end:
                marks.append(Mark(start, end, number, False))
    return marks


def _term_marks(unit: PlacedUnit, patterns: Mapping[int, re.Pattern[str] | None]) -> list[Mark]:
    return [
        Mark(match.start(), match.end(), number, True)
        for number, pattern in patterns.items()
        if pattern is not None
        for match in pattern.finditer(unit.text)
    ]


def _key_patterns(keys: Iterable[Key]) -> re.Pattern[str] | None:
    """Terms as whole phrases whatever their case and white space, numbers as they are printed
    with their unit."""
    wordings = []
    for key in keys:
        if key.kind == "number":
            unit = rf"\s*{re.escape(key.unit)}" if key.unit else ""
            wordings.append(rf"(?<![\w.,]){re.escape(key.value)}{unit}(?!\w)")
        else:
            wordings += [
                rf"(?<!\w){_ANY_SPACE.join(map(re.escape, form.split()))}(?!\w)"
                for form in (key.value, *key.aliases)
                if form.strip()
            ]
    return re.compile("|".join(wordings), re.IGNORECASE) if wordings else None


def _pieces(text: str, marks: Sequence[Mark]) -> tuple[TextPiece, ...]:
    """The text cut at every border of a mark; a span of a fact wins over its terms."""
    if not marks:
        return (TextPiece(text),)
    borders = sorted({0, len(text), *(mark.start for mark in marks), *(mark.end for mark in marks)})
    pieces: list[TextPiece] = []
    for start, end in pairwise(borders):
        here = [mark for mark in marks if mark.start <= start and end <= mark.end]
        facts = tuple(sorted({mark.fact for mark in here}))
        is_term = bool(here) and all(mark.is_term for mark in here)
        last = pieces[-1] if pieces else None
        if last is not None and (last.facts, last.is_term) == (facts, is_term):
            pieces[-1] = TextPiece(last.text + text[start:end], facts, is_term)
        else:
            pieces.append(TextPiece(text[start:end], facts, is_term))
    return tuple(pieces)
