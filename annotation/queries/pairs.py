"""The pairs of a campaign for its lead: texts and counts, and never who wrote what."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.queries.campaigns import CampaignHead
from evaluation.queries.choices import Choice

WAITING, ON_VOTE, COMPLETE, REJECTED, CHECKS = (
    "waiting",
    "on-vote",
    "complete",
    "rejected",
    "checks",
)
STATES = (WAITING, ON_VOTE, COMPLETE, REJECTED, CHECKS)


@dataclass(frozen=True, slots=True)
class ScanFinding:
    """What the answer scan found in the ``side`` (first or second) of a pair: ``found`` as it is
    written, ``quote`` some text around it. ``is_topic``: it belongs to the question."""

    side: str
    kind: str
    found: str
    quote: str
    times: int
    is_topic: bool


@dataclass(frozen=True, slots=True)
class PairRow:
    """``state`` is one of STATES, of a check also the kind. First and second are drawn once and
    are not the sides that raters see. ``n_taken``: places that are voted on or in somebody's
    hands. ``reviewed_by`` is empty where nobody looked."""

    id: int
    position: int
    kind: str
    question: str
    question_text: str
    state: str
    probability: float | None
    n_wanted: int
    n_taken: int
    n_first: int
    n_second: int
    n_tie: int
    n_both_bad: int
    findings: tuple[ScanFinding, ...]
    reviewed_by: str
    known_winner: str

    @property
    def n_counted(self) -> int:
        return self.n_first + self.n_second + self.n_tie + self.n_both_bad

    @property
    def can_be_accepted(self) -> bool:
        return self.state in (WAITING, REJECTED)

    @property
    def can_be_rejected(self) -> bool:
        """Not once somebody decides about it or has."""
        return self.state in (WAITING, ON_VOTE) and not self.n_taken


@dataclass(frozen=True, slots=True)
class PairTexts:
    """A pair with its texts; the HTML is safe. Contexts are empty where raters see none."""

    row: PairRow
    question_html: str
    gold_html: str
    facts: tuple[str, ...]
    source_spans: tuple[str, ...]
    first_html: str
    second_html: str
    first_context_html: str
    second_context_html: str


@dataclass(frozen=True, slots=True)
class PairsPage:
    """``texts`` are there instead of ``rows`` where pairs wait for review or the reader asked for
    them (``with_texts``). ``next_after`` is the cursor of what follows, empty at the end."""

    head: CampaignHead
    state: str
    states: tuple[Choice, ...]
    rows: tuple[PairRow, ...]
    texts: tuple[PairTexts, ...]
    next_after: str
    question: str
    with_texts: bool
    is_unknown_question: bool
    can_review: bool
