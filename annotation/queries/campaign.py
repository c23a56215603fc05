"""One campaign as its lead sees it: how far it is, what was drawn, what to look at."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.queries.campaigns import CampaignHead
from evaluation.queries.choices import Flag


@dataclass(frozen=True, slots=True)
class PairTotals:
    """``n_pairs`` are on vote or were: no checks. ``n_wanted`` votes are asked for on them;
    ``n_complete`` pairs have all of theirs."""

    n_pairs: int
    n_wanted: int
    n_complete: int
    n_waiting_for_review: int
    n_rejected: int
    n_attention: int
    n_qualification: int


@dataclass(frozen=True, slots=True)
class LiveCounts:
    """``n_at_work``: pairs that somebody is deciding now. ``per_hour`` is the rate of the last ten
    minutes; it and ``hours_left`` are None before there is one."""

    n_votes: int
    n_counted: int
    n_wanted: int
    n_complete: int
    n_pairs: int
    n_raters: int
    n_skips: int
    n_at_work: int
    last_vote_at: dt.datetime | None
    per_hour: float | None
    hours_left: float | None

    @property
    def n_not_counted(self) -> int:
        return self.n_votes - self.n_counted

    @property
    def minutes_left(self) -> int:
        """At least 1, where a rate is known."""
        return max(1, math.ceil((self.hours_left or 0.0) * 60))


@dataclass(frozen=True, slots=True)
class StratumRow:
    """One bucket of score gaps or one pair of systems. ``n_planned``, the expected number of the
    drawing, need not be whole; it and ``n_candidates`` are None where nothing was recorded, the
    probabilities where pairs were not drawn by us."""

    label: str
    n_candidates: int | None
    n_planned: float | None
    n_pairs: int
    n_wanted: int
    n_counted: int
    lowest_probability: float | None
    highest_probability: float | None


@dataclass(frozen=True, slots=True)
class Distribution:
    """``system_pairs`` come fullest first; ``n_more_system_pairs`` are not listed.
    ``n_left_out_identical`` pairs of two equal answers could not be drawn. ``counted_at`` is given
    where the counts may be some minutes old."""

    buckets: tuple[StratumRow, ...]
    system_pairs: tuple[StratumRow, ...]
    n_more_system_pairs: int
    n_drawn: int
    n_left_out_identical: int
    lowest_probability: float | None
    median_probability: float | None
    highest_probability: float | None
    counted_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class AuditRow:
    """``detail``: name and value of each thing that the entry says."""

    at: dt.datetime
    actor: str
    action: str
    detail: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AuditPage:
    head: CampaignHead
    rows: tuple[AuditRow, ...]
    page: int
    n_pages: int


@dataclass(frozen=True, slots=True)
class CampaignPage:
    """``n_planned_pairs`` is what was asked for. ``source`` says where an imported one is from."""

    head: CampaignHead
    counts: LiveCounts
    pairs: PairTotals
    distribution: Distribution
    runs: tuple[str, ...]
    systems: tuple[str, ...]
    n_questions: int
    n_invitations: int
    n_invitations_used: int
    rules: tuple[str, ...]
    warnings: tuple[Flag, ...]
    audit: tuple[AuditRow, ...]
    source: Mapping[str, str]

    @property
    def is_live(self) -> bool:
        """Whether its counts may still change without its lead."""
        return self.head.state in ("open", "scheduled")
