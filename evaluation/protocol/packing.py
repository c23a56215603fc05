"""Packing: ranked units into the very text that the synthesizer reads, within a budget.

A context is its units in rank order, each under a header line, separated by an empty line.
Everything counts against the budget: headers, separators and the mark of a cut.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluation.records import Context, PlacedUnit
from memory_systems.base import Budget, Retrieval, Unit

TEMPLATE_VERSION = "1"
CUT_MARK = " […]"
SEPARATOR = "\n\n"
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)\]]*(?=\s|$)|\n")

Measure = Callable[[str], int]


def header(number: int, source_id: str) -> str:
    return f"[{number}] {source_id}\n"


def render(units: Sequence[PlacedUnit]) -> str:
    """The context string of units in order; an empty sequence gives an empty string."""
    return SEPARATOR.join(
        header(number, unit.source_id) + unit.text + (CUT_MARK if unit.is_cut else "")
        for number, unit in enumerate(units, start=1)
    )


def pack(retrieval: Retrieval, budget: Budget, *, count_tokens: Measure | None = None) -> Context:
    """Pack by the budget's mode.

    ``capped``: overlapping spans of one source are merged into the better-ranked one; the first
    unit that does not fit is cut at its last sentence end (hard if it has none) and marked, then
    packing stops; the context never exceeds the budget. ``targeted`` and native: everything that
    came, merged. ``k``: the first k units. Raises ValueError for a token budget without
    ``count_tokens``.
    """
    units: Sequence[Unit] = retrieval.units
    if budget.k is not None:
        units = units[: budget.k]
    if budget.mode == "targeted" or budget.is_native or budget.k is not None:
        return _finish(_Packer(limit=None, measure=len).add_all(units))
    if budget.chars is not None:
        return _finish(_Packer(limit=budget.chars, measure=len).add_all(units))
    if count_tokens is None:
        raise ValueError("a budget in tokens needs a tokenizer to count with")
    return _finish(_Packer(limit=budget.tokens, measure=count_tokens).add_all(units))


def _finish(placed: list[PlacedUnit]) -> Context:
    return Context(units=tuple(placed), text=render(placed))


class _Packer:
    def __init__(self, *, limit: int | None, measure: Measure) -> None:
        self.limit = limit
        self.measure = measure
        self.placed: list[PlacedUnit] = []
        self.sizes: list[int] = []
        self.sources: set[str] = set()

    def add_all(self, units: Sequence[Unit]) -> list[PlacedUnit]:
        for unit in units:
            if not self._add(unit):
                break
        return self.placed

    def _add(self, unit: Unit) -> bool:
        """Whether packing goes on."""
        if not unit.text:
            return True
        new = PlacedUnit(unit.text, unit.kind, unit.source_id, unit.start, unit.end)
        overlapping = self._overlapping(new)
        if not overlapping:
            return self._append(new)
        merged = new
        for index in overlapping:
            merged = _union(self.placed[index], merged)
        return self._merge(overlapping, merged)

    def _overlapping(self, new: PlacedUnit) -> list[int]:
        if new.start < 0 or new.source_id not in self.sources:
            self.sources.add(new.source_id)
            return []
        return [index for index, other in enumerate(self.placed) if _overlap(other, new)]

    def _append(self, new: PlacedUnit) -> bool:
        size = self._size(len(self.placed), new)
        room = self._room()
        if room is None or size <= room:
            self.placed.append(new)
            self.sizes.append(size)
            return True
        cut = self._cut(new, index=len(self.placed), room=room, keep=0)
        if cut is not None:
            self.placed.append(cut)
            self.sizes.append(self._size(len(self.placed) - 1, cut))
        return False

    def _merge(self, indexes: list[int], merged: PlacedUnit) -> bool:
        """Put the union at the best-ranked place; where it does not fit, extend what stands
        there to the right only, as far as there is room."""
        first, rest = indexes[0], set(indexes[1:])
        old = self.placed[first]
        if merged == old:
            return True
        before = (self.placed, self.sizes)
        self.placed = [
            merged if index == first else unit
            for index, unit in enumerate(before[0])
            if index not in rest
        ]
        self.sizes = [self._size(index, unit) for index, unit in enumerate(self.placed)]
        room = self._room()
        if room is None or room >= 0:
            return True
        self.placed, self.sizes = before
        if rest or merged.start < old.start:
            return False
        room_for_unit = (self._room() or 0) + self.sizes[first]
        cut = self._cut(merged, index=first, room=room_for_unit, keep=len(old.text))
        if cut is not None:
            self.placed = [*before[0]]
            self.placed[first] = cut
        return False

    def _size(self, index: int, unit: PlacedUnit) -> int:
        separator = SEPARATOR if index else ""
        mark = CUT_MARK if unit.is_cut else ""
        return self.measure(separator + header(index + 1, unit.source_id) + unit.text + mark)

    def _room(self) -> int | None:
        return None if self.limit is None else self.limit - sum(self.sizes)

    def _cut(self, unit: PlacedUnit, *, index: int, room: int, keep: int) -> PlacedUnit | None:
        """The longest beginning that fits, over ``keep`` characters, or None."""

        def shortened(length: int) -> PlacedUnit:
            text = unit.text[:length].rstrip()
            end = unit.start + len(text) if unit.start >= 0 else -1
            return replace(unit, text=text, end=end, is_cut=True)

        def fits(length: int) -> bool:
            return self._size(index, shortened(length)) <= room

        longest = bisect_right(range(1, len(unit.text)), False, key=lambda n: not fits(n))
        ends = [
            match.end()
            for match in _SENTENCE_END.finditer(unit.text, 0, longest + 1)
            if keep < match.end() <= longest
        ]
        for length in (*reversed(ends), longest):
            candidate = shortened(length)
            if len(candidate.text) > keep and self._size(index, candidate) <= room:
                return candidate
        return None


def _overlap(a: PlacedUnit, b: PlacedUnit) -> bool:
    return (
        a.start >= 0
        and b.start >= 0
        and a.source_id == b.source_id
        and a.kind == b.kind
        and a.start < b.end
        and b.start < a.end
    )


def _union(a: PlacedUnit, b: PlacedUnit) -> PlacedUnit:
    """Two overlapping spans of one source as one; their texts agree where they overlap."""
    if a.start > b.start:
        a, b = b, a
    text = a.text if b.end <= a.end else a.text + b.text[a.end - b.start :]
    return PlacedUnit(text, a.kind, a.source_id, a.start, max(a.end, b.end))
