"""All pairwise contrasts of a board, and what a router over its systems could reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice, Flag


@dataclass(frozen=True, slots=True)
class ContrastRow:
    """a minus b on common questions. ``ci_*`` is unadjusted, ``family_*`` simultaneous over the
    table; both 95 %. ``is_separated`` follows the simultaneous interval, ``is_below_resolution``
    says that the difference is smaller than the judge's adopted resolution."""

    a: str
    a_system: str
    b: str
    b_system: str
    delta: float
    ci_low: float
    ci_high: float
    family_low: float | None
    family_high: float | None
    n: int
    is_separated: bool
    crosses_modality: bool
    source: str = "measured"
    is_below_resolution: bool = False

    @property
    def shown_low(self) -> float:
        """The interval that decides: simultaneous where there is one."""
        return self.ci_low if self.family_low is None else self.family_low

    @property
    def shown_high(self) -> float:
        return self.ci_high if self.family_high is None else self.family_high


@dataclass(frozen=True, slots=True)
class RouterHeadroom:
    """Means over ``n`` questions that every ranked variant has. ``oracle_*`` picks the best variant
    of each question; ``router_*`` picks by tier from the other questions. Gains are over the best
    single variant. ``refusal`` says why there is none."""

    n: int
    best_single: str
    best_single_score: float | None
    oracle_score: float | None
    oracle_gain: float | None
    router_score: float | None
    router_gain: float | None
    router_gain_low: float | None
    router_gain_high: float | None
    refusal: str


@dataclass(frozen=True, slots=True)
class ContrastsPage:
    keys: BoardKeys
    track: str
    scale_high: float
    rows: tuple[ContrastRow, ...]
    n_separated: int
    router: RouterHeadroom | None
    sentences: tuple[str, ...]
    notes: tuple[Flag, ...]
    tracks: tuple[Choice, ...]
    modalities: tuple[Choice, ...]
    slices: Mapping[str, tuple[Choice, ...]]
    sources: tuple[Choice, ...]
