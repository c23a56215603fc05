"""The budget sweep: score against mean achieved characters, a line a variant."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice, Flag


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One variant at one track. ``mean_achieved_chars`` None: the track has no measurable
    context."""

    track: str
    requested_chars: int | None
    mean_achieved_chars: float | None
    score: float
    ci_low: float | None
    ci_high: float | None
    n_scored: int
    n_total: int

    @property
    def is_native(self) -> bool:
        return self.track == "native"


@dataclass(frozen=True, slots=True)
class SweepLine:
    """``points`` by budget, native last. ``is_reference``: an anchor drawn as a level line."""

    system: str
    variant: str
    label: str
    modality: str
    is_anchor: bool
    is_reference: bool
    source: str
    points: tuple[SweepPoint, ...]
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class Leader:
    """Who has the highest mean at a track. ``not_separated_from`` are ranked variants that the
    data cannot tell from it; empty with ``is_alone`` True where it is separated from all."""

    track: str
    slice_value: str
    label: str
    system: str
    score: float
    not_separated_from: tuple[str, ...]
    n: int


@dataclass(frozen=True, slots=True)
class Crossover:
    """Two lines change order between two budgets; ``at_chars`` by interpolation on log
    characters. ``is_separated``: the order is significant on both sides."""

    a: str
    b: str
    at_chars: float
    leads_below: str
    leads_above: str


@dataclass(frozen=True, slots=True)
class SweepPage:
    keys: BoardKeys
    measure: str
    scale_high: float
    slice_name: str
    slice_value: str
    lines: tuple[SweepLine, ...]
    leaders: tuple[Leader, ...]
    crossovers: tuple[Crossover, ...]
    finding: str
    notes: tuple[Flag, ...]
    tiers: tuple[Choice, ...]
    sources: tuple[Choice, ...]
