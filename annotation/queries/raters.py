"""The raters of a campaign as its lead sees them: how they vote, never for which system."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from annotation.queries.campaigns import CampaignHead
from annotation.queries.exclusion_rules import OFTEN
from evaluation.queries.choices import Choice
from evaluation.statistics.wilson import RateInterval

STANDINGS = ("voting", "finished", "excluded", "unblinded", "withdrawn", "disqualified")


@dataclass(frozen=True, slots=True)
class RaterRow:
    """``left``, ``agreement`` and ``checks_right`` are shares from 0 to 1 with Wilson's interval,
    None where there is nothing to take a share of. ``agreement``: counted votes that say what
    the majority of the others says of the pair (no majority is a tie). ``median_s`` and
    ``agreement`` are also None where ``is_summed`` is False: too many votes to read for a list.
    ``n_too_fast`` is of ``n_votes``. ``met_rules`` says which exclusion rules apply;
    ``is_often_too_fast`` that no rule looks at a rater who is too fast on more than the share
    ``often`` of the votes.
    """

    pseudonym: str
    kind: str
    standing: str
    n_votes: int
    n_counted: int
    n_skips: int
    n_too_fast: int
    median_s: float | None
    left: RateInterval | None
    checks_right: RateInterval | None
    agreement: RateInterval | None
    is_summed: bool
    met_rules: tuple[str, ...]
    is_often_too_fast: bool
    excluded_reason: str
    created_at: dt.datetime

    @property
    def often(self) -> float:
        return OFTEN


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """``rater`` is the pseudonym of who took the seat, else empty."""

    id: int
    path: str
    note: str
    rater: str
    created_at: dt.datetime
    revoked_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class RatersPage:
    """``standings`` are the choices of a filter; ``rules`` the campaign's exclusion rules."""

    head: CampaignHead
    rows: tuple[RaterRow, ...]
    standings: tuple[Choice, ...]
    sort: str
    page: int
    n_pages: int
    n_raters: int
    rules: tuple[str, ...]
    invitations: tuple[InvitationRow, ...]
    n_more_invitations: int


@dataclass(frozen=True, slots=True)
class ChoiceCount:
    name: str
    n: int


@dataclass(frozen=True, slots=True)
class RaterPage:
    """``not_counted`` says why how many votes do not count. ``user`` is empty for raters who did
    not sign in. Times are None where it did not happen."""

    head: CampaignHead
    row: RaterRow
    user: str
    choices: tuple[ChoiceCount, ...]
    not_counted: tuple[ChoiceCount, ...]
    events: tuple[ChoiceCount, ...]
    n_reveals_seen: int
    consented_at: dt.datetime | None
    qualified_at: dt.datetime | None
    disqualified_at: dt.datetime | None
    finished_at: dt.datetime | None
    excluded_at: dt.datetime | None
    withdrawn_at: dt.datetime | None
    unblinded_at: dt.datetime | None
    has_completion_code: bool
    rules: tuple[str, ...]
    too_fast: str
