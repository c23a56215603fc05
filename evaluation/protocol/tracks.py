"""Tracks: native, or a limit in characters (30k), tokens (8000t) or units (k20)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_systems.base import Budget, BudgetMode

NATIVE = "native"
LARGEST_LIMIT = 2_000_000_000
"""Characters or tokens; every database keeps a whole number of that size."""
_CHARS = re.compile(r"(\d{1,9})(k?)")
_TOKENS = re.compile(r"(\d{1,9})(k?)t")
_UNITS = re.compile(r"k(\d{1,6})")


class UnknownTrack(ValueError):
    """The track's name cannot be read."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"unknown track '{name}': use native, characters such as 10k, 30k or 50k, "
            "tokens such as 8kt, or a number of units such as k20; at most 2,000,000k"
        )


@dataclass(frozen=True, slots=True)
class Track:
    name: str
    budget: Budget

    @property
    def requested_chars(self) -> int | None:
        return self.budget.chars

    @property
    def sort_key(self) -> tuple[int, int]:
        """Native first, then characters, tokens and units, each from small to large."""
        budget = self.budget
        for rank, limit in enumerate((budget.chars, budget.tokens, budget.k), start=1):
            if limit is not None:
                return (rank, limit)
        return (0, 0)


def parse_track(name: str, *, mode: BudgetMode = "capped") -> Track:
    """Raises UnknownTrack. ``30k`` and ``30000`` are the same track and get the name ``30k``."""
    text = name.strip().lower()
    if text == NATIVE:
        return Track(NATIVE, Budget(mode=mode))
    if match := _UNITS.fullmatch(text):
        limit, kind = int(match[1]), "k"
    elif match := _TOKENS.fullmatch(text):
        limit, kind = int(match[1]) * (1000 if match[2] else 1), "tokens"
    elif match := _CHARS.fullmatch(text):
        limit, kind = int(match[1]) * (1000 if match[2] else 1), "chars"
    else:
        raise UnknownTrack(name)
    if not 0 < limit <= LARGEST_LIMIT:
        raise UnknownTrack(name)
    if kind == "k":
        return Track(f"k{limit}", Budget(k=limit, mode=mode))
    short = f"{limit // 1000}k" if limit % 1000 == 0 else str(limit)
    if kind == "tokens":
        return Track(f"{short}t", Budget(tokens=limit, mode=mode))
    return Track(short, Budget(chars=limit, mode=mode))


def parse_tracks(names: list[str], *, mode: BudgetMode = "capped") -> list[Track]:
    """In canonical order, each once."""
    by_name = {track.name: track for track in (parse_track(name, mode=mode) for name in names)}
    return sorted(by_name.values(), key=lambda track: track.sort_key)
