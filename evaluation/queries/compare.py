"""Two variants against each other, question by question."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice


@dataclass(frozen=True, slots=True)
class PairedDifference:
    question_id: str
    text: str
    tiers: tuple[str, ...]
    score_a: float
    score_b: float

    @property
    def delta(self) -> float:
        return self.score_a - self.score_b


@dataclass(frozen=True, slots=True)
class SliceTally:
    """Wins of a, of b, and equal scores within one value of a slice; ``delta`` is the mean
    difference with its 95 % interval, None where it cannot be estimated."""

    slice_name: str
    slice_value: str
    n: int
    wins_a: int
    wins_b: int
    equal: int
    delta: float | None
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class ComparedVariant:
    system: str
    variant: str
    label: str
    modality: str
    is_anchor: bool
    track: str
    score: float | None
    mean_achieved_chars: float | None
    n_scored: int
    n_total: int


@dataclass(frozen=True, slots=True)
class ComparePage:
    """``overall`` is None until two variants with common scored questions are chosen; then
    ``refusal`` says why. ``embargoed``: which differences are kept back, and until when."""

    keys: BoardKeys
    track: str
    scale_high: float
    tier_name: str
    a: ComparedVariant | None
    b: ComparedVariant | None
    overall: SliceTally | None
    tallies: tuple[SliceTally, ...]
    differences: tuple[PairedDifference, ...]
    finding: str
    refusal: str
    tracks: tuple[Choice, ...]
    variants_a: tuple[Choice, ...]
    variants_b: tuple[Choice, ...]
    embargoed: str = ""

    @property
    def all_tallies(self) -> tuple[SliceTally, ...]:
        """All common questions first, then slice by slice."""
        return (self.overall, *self.tallies) if self.overall else self.tallies
