"""A campaign's votes as a table: who wrote which answer stands in it, so it is for leads alone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from annotation.queries.campaigns import CampaignHead
from evaluation.queries.choices import Choice

COUNTED = "counted"
STATUSES = (COUNTED, "surplus", "excluded", "unblinded", "check", "model")


@dataclass(frozen=True, slots=True)
class VoteFilters:
    """Empty means not filtered. ``since`` and ``until`` are days of UTC, both included; ``before``
    is the cursor of a page: only votes older than that one."""

    rater: str = ""
    system: str = ""
    question: str = ""
    choice: str = ""
    status: str = ""
    since: dt.date | None = None
    until: dt.date | None = None
    has_comment: bool = False
    before: str = ""

    @property
    def is_narrowed(self) -> bool:
        return any(
            (
                self.rater, self.system, self.question, self.choice, self.status,
                self.since, self.until, self.has_comment,
            )
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class VoteRow:
    """``left`` and ``right`` are the systems that stood there, empty in checks; ``winner`` is the
    one that was chosen, empty for tie and both bad. ``status`` is one of STATUSES. ``seconds`` is
    None where it is not known, ``cast_at`` where an import did not state it."""

    cast_at: dt.datetime | None
    rater: str
    question: str
    question_text: str
    kind: str
    left: str
    right: str
    choice: str
    winner: str
    status: str
    seconds: float | None
    is_too_fast: bool
    n_reveals_seen: int
    confidence: int | None
    reasons: tuple[str, ...]
    comment: str


@dataclass(frozen=True, slots=True)
class VotesPage:
    """``next_before`` is the cursor of the older votes, empty at the end. ``choice_counts`` are
    over all votes of the campaign that are no checks, None where something is filtered."""

    head: CampaignHead
    filters: VoteFilters
    rows: tuple[VoteRow, ...]
    next_before: str
    n_votes: int
    n_counted: int
    systems: tuple[Choice, ...]
    choices: tuple[Choice, ...]
    statuses: tuple[Choice, ...]
    is_unknown_rater: bool
    is_unknown_question: bool
