"""What leads' pages say about campaigns: every campaign's head, and the list."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from annotation.campaign_options import CampaignOptions

CampaignState = Literal["draft", "scheduled", "open", "closed"]


@dataclass(frozen=True, slots=True)
class CampaignHead:
    """``vote_path`` is the link that raters are given. ``judge`` is empty where a campaign has no
    reference judge."""

    slug: str
    name: str
    state: CampaignState
    is_simulated: bool
    is_imported: bool
    benchmark: str
    benchmark_title: str
    track: str
    judge: str
    judge_is_proxy: bool
    options: CampaignOptions
    vote_path: str
    opens_at: dt.datetime | None
    closes_at: dt.datetime | None
    opened_at: dt.datetime | None
    closed_at: dt.datetime | None
    created_at: dt.datetime
    created_by: str

    @property
    def shows_context(self) -> bool:
        """Raters see the retrieved context before they vote: not blind to retrieval."""
        return self.options.show_context

    @property
    def n_planned(self) -> int:
        """Votes asked for when it was made; an imported campaign asks for none."""
        return 0 if self.is_imported else self.options.n_pairs * self.options.overlap


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """``n_votes`` are stored, ``n_counted`` of them count. ``own_vote_path`` is empty unless the
    reader may vote there."""

    head: CampaignHead
    n_votes: int
    n_counted: int
    n_raters: int
    own_vote_path: str


@dataclass(frozen=True, slots=True)
class CampaignsPage:
    rows: tuple[CampaignRow, ...]
    page: int
    n_pages: int
    n_campaigns: int
