"""Numbers printed in papers, as plain records."""

from __future__ import annotations

from dataclasses import dataclass

from memory_systems.base import Modality


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """One printed score. ``place`` is its table, ``system_label`` the paper's name, ``system`` the
    variant's slug. ``slice_name`` and ``slice_value`` are empty for the whole set. The score lies
    on the measure's own scale, 0 to ``scale_high``. ``mean_chars`` is rounded as printed; None
    and an empty ``judge`` are not stated or do not apply."""

    benchmark: str
    paper: str
    place: str
    system_label: str
    system: str
    modality: Modality
    track: str
    measure: str
    slice_name: str
    slice_value: str
    n_questions: int | None
    score: float
    scale_high: float
    mean_chars: float | None
    judge: str
    note: str
    is_anchor: bool


@dataclass(frozen=True, slots=True)
class PublishedContrast:
    """A printed difference a − b of two variants (slugs) with its 95 % interval over ``n`` common
    questions."""

    benchmark: str
    paper: str
    place: str
    track: str
    a: str
    b: str
    delta: float
    ci_low: float
    ci_high: float
    n: int


@dataclass(frozen=True, slots=True)
class PublishedCalibration:
    """A printed figure about judges (or routers): ``measure`` names it, ``other`` is the second
    judge, ``human``, or empty; ``n`` is None where it is not stated."""

    benchmark: str
    paper: str
    place: str
    measure: str
    judge: str
    other: str
    value: float
    n: int | None


@dataclass(frozen=True, slots=True)
class PublishedJudgePair:
    """One system's mean score (0–10) at 50k characters under two judges, and their mean difference
    (second − first) over all budgets."""

    benchmark: str
    paper: str
    place: str
    system_label: str
    system: str
    first_judge: str
    second_judge: str
    first_score: float
    second_score: float
    delta: float
    mean_delta: float


@dataclass(frozen=True, slots=True)
class PublishedSideBySide:
    """Decisive human votes whose judge's score gap lies from ``gap_low`` to ``gap_high`` (None: no
    upper end), and how many of them the judge agrees with."""

    benchmark: str
    paper: str
    place: str
    judge: str
    gap_low: float
    gap_high: float | None
    n_decisive: int
    n_agree: int


@dataclass(frozen=True, slots=True)
class PublishedCost:
    """US dollars an episode that a system cost at ``stage`` (ingest or inference)."""

    benchmark: str
    paper: str
    place: str
    system_label: str
    system: str
    stage: str
    usd_per_episode: float
    note: str
