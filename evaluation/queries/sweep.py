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
    """``points`` by budget, native last. ``is_reference``: an anchor drawn as a level line.
    ``variant`` and ``label`` are as in a leaderboard's row."""

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
    """Who has the highest mean at a track, over the ``n`` questions all its variants have.
    ``level_with``: variants that cannot be separated from the leaders at 95 %."""

    track: str
    slice_value: str
    leaders: tuple[str, ...]
    level_with: tuple[str, ...]
    behind: tuple[str, ...]
    n: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Crossover:
    """The budget from which ``overtaker`` stays ahead of ``overtaken``. ``low`` or ``high`` None:
    the interval leaves the range that both lines cover."""

    overtaker: str
    overtaken: str
    chars: float
    low: float | None
    high: float | None
    n: int
    sentence: str

    @property
    def is_located(self) -> bool:
        """Whether its whole interval lies in the range that both lines cover."""
        return self.low is not None and self.high is not None


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
    sentences: tuple[str, ...]
    notes: tuple[Flag, ...]
    n_hidden_by_search: int
    search: str
    tiers: tuple[Choice, ...]
    modalities: tuple[Choice, ...]
    sources: tuple[Choice, ...]

    @property
    def finding(self) -> str:
        return " ".join(self.sentences)
