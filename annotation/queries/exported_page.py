"""One page of the votes as they are exported, by the place of the last one read."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Campaign
from annotation.queries.exported_rows import votes_after
from annotation.vote_formats.exported_votes import ExportedVote


@dataclass(frozen=True, slots=True)
class VotesRead:
    """In the order in which they were stored. ``next_after`` is the cursor of what follows, None
    at the end; ``n_votes`` counts all votes of the campaign, checks not among them."""

    rows: tuple[ExportedVote, ...]
    next_after: int | None
    n_votes: int


def exported_page(campaign: Campaign, *, after: int, n: int) -> VotesRead:
    """At most ``n`` votes behind the vote ``after``. ``campaign`` was read with its tally."""
    found = votes_after(campaign, after=after, n=n + 1)
    shown = found[:n]
    return VotesRead(
        rows=tuple(row for _, row in shown),
        next_after=shown[-1][0] if len(found) > n else None,
        n_votes=campaign.tally.n_votes,
    )
