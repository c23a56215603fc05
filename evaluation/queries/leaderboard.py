"""The leaderboard: one comparison key, one judge, one track, every variant with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice, Flag
from evaluation.queries.resolutions import Resolution

Source = Literal["measured", "published"]


@dataclass(frozen=True, slots=True)
class BoardFilters:
    """What the address asks for; an empty string means the default (or, for filters, all).

    ``slices`` narrows the questions ({"tier": "L2"}); ``internal`` ranks systems that answer
    themselves together with the others; ``resolution`` treats pairs closer than the judge's
    adopted resolution as not separated.
    """

    protocol: str = ""
    judge: str = ""
    measure: str = ""
    track: str = ""
    modality: str = ""
    synthesizer: str = ""
    source: str = ""
    search: str = ""
    slices: Mapping[str, str] = field(default_factory=dict)
    internal: bool = False
    resolution: bool = False
    sort: str = ""
    descending: bool | None = None


@dataclass(frozen=True, slots=True)
class NullLineDelta:
    """Score minus that of a null line, on common questions. ``line`` is simple-rag or
    simple-rag+bm25, ``null_line`` the label of the row that stands for it."""

    line: str
    null_line: str
    delta: float
    ci_low: float
    ci_high: float
    n: int


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One variant at one track. Scores are on the measure's scale; intervals are 95 %.

    ``rank`` is the best rank the data allow and ``rank_band`` the whole interval ("2–4"); both are
    empty for anchors, published rows and variants named unranked by ``unranked_reason``.
    ``variant`` has its suffix (``simple-rag+bm25@static``), ``slug`` has not: by it null lines are
    known. A published row's ``variant`` is its slug and its ``label`` the name as printed.
    ``track`` is where the row was measured, which for an anchor may be native on every board.
    ``score_if_missing_lowest`` and ``…_highest``: the mean if every missing cell had scored 0, or
    the top of the scale; None where nothing is missing.
    """

    rank: int | None
    rank_band: str
    anchor: bool
    system: str
    slug: str
    variant: str
    label: str
    variant_key: str
    modality: str
    synthesis: str
    embedder: str
    track: str
    score: float | None
    ci_low: float | None
    ci_high: float | None
    by_tier: Mapping[str, float | None]
    n_by_tier: Mapping[str, int]
    mean_achieved_chars: float | None
    mean_requested_chars: float | None
    n_scored: int
    n_unscored: int
    n_errored: int
    n_pending: int
    n_total: int
    score_if_missing_lowest: float | None
    score_if_missing_highest: float | None
    cost_usd: float | None
    cost_per_question_usd: float | None
    ingest_cost_usd: float | None
    ingest_seconds: float | None
    retrieve_ms: float | None
    deltas: tuple[NullLineDelta, ...]
    flags: tuple[Flag, ...]
    unranked_reason: str
    source: Source
    run: str
    place: str

    @property
    def is_ranked(self) -> bool:
        return self.rank is not None

    @property
    def is_ingest_known(self) -> bool:
        """Whether an ingest was logged; its cost may be unknown all the same."""
        return self.ingest_cost_usd is not None or self.ingest_seconds is not None

    @property
    def n_missing(self) -> int:
        return self.n_unscored + self.n_errored + self.n_pending

    @property
    def group(self) -> Literal["ranked", "unranked", "anchor", "published"]:
        """The part of the table that the row stands in, whatever it is sorted by."""
        if self.source == "published":
            return "published"
        if self.anchor:
            return "anchor"
        return "ranked" if self.is_ranked else "unranked"

    @property
    def delta_to(self) -> Mapping[str, NullLineDelta]:
        return {delta.line: delta for delta in self.deltas}


@dataclass(frozen=True, slots=True)
class SeparatedPair:
    """``better`` beats ``worse`` at a family-wise 5 %; the interval is simultaneous.
    ``is_below_resolution``: they differ by less than the judge's adopted resolution."""

    better: str
    worse: str
    delta: float
    ci_low: float
    ci_high: float
    is_below_resolution: bool = False


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """``sentences`` say what the table allows to conclude, the first one how far its top can be
    told apart; ``notes`` are what the reader must know."""

    keys: BoardKeys
    filters: BoardFilters
    track: str
    measure: str
    scale_high: float
    tier_name: str
    tiers: tuple[str, ...]
    null_lines: tuple[str, ...]
    rows: tuple[LeaderboardRow, ...]
    sort: str
    descending: bool
    n_hidden_by_search: int
    n_ranked: int
    n_questions: int
    separated: tuple[SeparatedPair, ...]
    sentences: tuple[str, ...]
    notes: tuple[Flag, ...]
    measures: tuple[Choice, ...]
    tracks: tuple[Choice, ...]
    modalities: tuple[Choice, ...]
    synthesizers: tuple[Choice, ...]
    sources: tuple[Choice, ...]
    slices: Mapping[str, tuple[Choice, ...]]
    n_internal: int
    resolution: Resolution | None = None

    @property
    def has_measured(self) -> bool:
        """Whether costs and times are known of any row."""
        return any(row.source == "measured" for row in self.rows)

    @property
    def has_published(self) -> bool:
        return any(row.source == "published" for row in self.rows)

    @property
    def finding(self) -> str:
        return " ".join(self.sentences)

    @property
    def flag_legend(self) -> tuple[Flag, ...]:
        """Every flag of the rows once, by name."""
        return tuple(
            sorted({flag for row in self.rows for flag in row.flags}, key=lambda flag: flag.code)
        )
