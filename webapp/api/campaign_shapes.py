"""What the API tells of campaigns."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from annotation.queries.campaigns import CampaignRow
from annotation.vote_formats.exported_votes import ExportedVote
from webapp.api.shapes import paged


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """``state``: draft, scheduled, open or closed. ``n_counted`` of the ``n_votes`` stored count.
    ``vote_path`` is where the reader may vote, empty where they may not."""

    slug: str
    name: str
    state: str
    is_simulated: bool
    is_imported: bool
    benchmark: str
    track: str
    n_votes: int
    n_counted: int
    n_raters: int
    opens_at: dt.datetime | None
    closes_at: dt.datetime | None
    vote_path: str

    @classmethod
    def of(cls, row: CampaignRow) -> CampaignEntry:
        head = row.head
        return cls(
            slug=head.slug,
            name=head.name,
            state=head.state,
            is_simulated=head.is_simulated,
            is_imported=head.is_imported,
            benchmark=head.benchmark,
            track=head.track,
            n_votes=row.n_votes,
            n_counted=row.n_counted,
            n_raters=row.n_raters,
            opens_at=head.opens_at,
            closes_at=head.closes_at,
            vote_path=row.own_vote_path,
        )


Campaigns = paged(CampaignEntry, "Campaigns")


@dataclass(frozen=True, slots=True)
class Votes:
    """``count`` is of all votes of the campaign; ``next`` the address of what follows, null at
    the end."""

    count: int
    next: str | None
    results: tuple[ExportedVote, ...]
