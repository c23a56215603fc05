"""The units that a native store holds, as its worker lists them, in an order of our own."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_systems.base import Unit
from memory_systems.fetching import Ranking


@dataclass(frozen=True)
class UnitTable:
    """``ids`` are the package's own identifiers of ``units``."""

    ids: tuple[str, ...]
    units: tuple[Unit, ...]

    @classmethod
    def of(cls, listed: Sequence[Mapping[str, Any]], positions: Mapping[str, int]) -> UnitTable:
        """Of rows with id, text, kind and source (an item's id), ordered by the item's position,
        then by ``part`` and id. Units without text, or of no stored item, are left out."""
        rows = [row for row in listed if row["text"] and row["source"] in positions]
        rows.sort(key=lambda row: (positions[row["source"]], row.get("part", 0), row["id"]))
        units = (
            Unit(
                text=row["text"],
                kind=row["kind"],
                score=0.0,
                source_id=row["source"],
                start=row.get("start", -1),
                end=row.get("end", -1),
            )
            for row in rows
        )
        return cls(tuple(str(row["id"]) for row in rows), tuple(units))

    def only(self, kinds: Collection[str]) -> UnitTable:
        """The units of these kinds; all where no kind is named."""
        if not kinds:
            return self
        kept = [place for place, unit in enumerate(self.units) if unit.kind in kinds]
        return UnitTable(
            tuple(self.ids[place] for place in kept), tuple(self.units[place] for place in kept)
        )

    @cached_property
    def n_chars(self) -> NDArray[np.int64]:
        """Length in characters of every unit."""
        return np.array([len(unit.text) for unit in self.units], np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of ids and texts."""
        told = hashlib.sha256()
        for name, unit in zip(self.ids, self.units, strict=True):
            told.update(f"{name}\0{unit.text}\0".encode("utf-8", "surrogatepass"))
        return told.hexdigest()

    @cached_property
    def _index_of(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.ids)}

    def ranking(self, found: Sequence[tuple[str, float]]) -> Ranking:
        """(index, score) of what the package found, best first and each once. Equal scores (at six
        decimals) are ordered by index; what the table does not hold is left out."""
        best: dict[int, float] = {}
        for name, score in found:
            index = self._index_of.get(name)
            if index is not None:
                best[index] = max(best.get(index, score), score)
        rounded = [(index, round(score, 6)) for index, score in best.items()]
        return sorted(rounded, key=lambda one: (-one[1], one[0]))

    def at(self, ranked: Ranking) -> tuple[Unit, ...]:
        return tuple(replace(self.units[index], score=score) for index, score in ranked)
