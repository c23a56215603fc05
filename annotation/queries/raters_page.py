"""Reading the raters of a campaign, and one of them."""

from __future__ import annotations

import datetime as dt
import math

from django.db.models import Count, F, Q

from annotation.models import Campaign, Invitation, Rater, Vote, VoteEvent
from annotation.queries.campaign_heads import head_of, read_campaign, vote_path
from annotation.queries.exclusion_rules import rules_in_words, too_fast_in_words
from annotation.queries.rater_rows import rater_row, rater_rows
from annotation.queries.rater_votes import sums_of_votes
from annotation.queries.raters import (
    STANDINGS,
    ChoiceCount,
    InvitationRow,
    RaterPage,
    RatersPage,
)
from evaluation.queries.choices import NotFound, choices, choose

ROWS_A_PAGE = 25
SHOWN_INVITATIONS = 100
SORTS = {
    "votes": (F("n_votes").desc(), F("pk").asc()),
    "newest": (F("created_at").desc(), F("pk").desc()),
    "name": (F("pseudonym").asc(), F("pk").asc()),
    "too-fast": (F("n_too_fast").desc(), F("pk").asc()),
    "skips": (F("n_skips").desc(), F("pk").asc()),
}
_RUNNING = Q(withdrawn_at=None, excluded_at=None, unblinded_at=None, disqualified_at=None)
OF_STANDING = {
    "voting": _RUNNING & Q(finished_at=None),
    "finished": _RUNNING & Q(finished_at__isnull=False),
    "excluded": Q(withdrawn_at=None, excluded_at__isnull=False),
    "unblinded": Q(withdrawn_at=None, excluded_at=None, unblinded_at__isnull=False),
    "withdrawn": Q(withdrawn_at__isnull=False),
    "disqualified": Q(
        withdrawn_at=None, excluded_at=None, unblinded_at=None, disqualified_at__isnull=False
    ),
}


def raters_page(
    slug: str, *, now: dt.datetime, page: int = 1, standing: str = "", sort: str = ""
) -> RatersPage:
    """25 a page, those with most votes first. Raises NotFound and UnknownChoice."""
    chosen = choose("standing", standing, STANDINGS)
    by = choose("sort", sort, tuple(SORTS), default="votes")
    campaign = read_campaign(slug)
    head = head_of(campaign, now=now)
    everyone = Rater.objects.filter(campaign=campaign)
    counts = everyone.aggregate(
        all=Count("pk"), **{name: Count("pk", filter=of) for name, of in OF_STANDING.items()}
    )
    listed = everyone.filter(OF_STANDING[chosen]) if chosen else everyone
    n_pages = max(1, math.ceil(counts[chosen or "all"] / ROWS_A_PAGE))
    shown = min(page, n_pages)
    raters = list(listed.order_by(*SORTS[by])[(shown - 1) * ROWS_A_PAGE : shown * ROWS_A_PAGE])
    invitations, n_more = _invitations(campaign)
    return RatersPage(
        head=head,
        rows=rater_rows(raters, head.options),
        standings=choices(
            [(name, counts[name]) for name in STANDINGS], chosen, any_label="everybody"
        ),
        sort=by,
        page=shown,
        n_pages=n_pages,
        n_raters=counts["all"],
        rules=rules_in_words(head.options),
        invitations=invitations,
        n_more_invitations=n_more,
    )


def rater_page(slug: str, pseudonym: str, *, now: dt.datetime) -> RaterPage:
    """Raises NotFound."""
    if "\0" in pseudonym:  # which no database keeps, and some refuse to look for
        raise NotFound("rater", pseudonym.replace("\0", "␀"))
    campaign = read_campaign(slug)
    head = head_of(campaign, now=now)
    rater = (
        Rater.objects.select_related("user").filter(campaign=campaign, pseudonym=pseudonym).first()
    )
    if rater is None:
        raise NotFound("rater", pseudonym)
    reasons = (
        Vote.objects.filter(rater=rater, slot=None)
        .values_list("not_counted")
        .annotate(n=Count("pk"))
        .order_by("not_counted")
    )
    events = (
        VoteEvent.objects.filter(rater=rater)
        .values_list("action")
        .annotate(n=Count("pk"))
        .order_by("action")
    )
    return RaterPage(
        head=head,
        row=rater_row(rater, head.options, sums_of_votes([rater.pk])[rater.pk]),
        user=rater.user.get_username() if rater.user else "",
        choices=(
            ChoiceCount("left", rater.n_left),
            ChoiceCount("right", rater.n_right),
            ChoiceCount("tie", rater.n_tie),
            ChoiceCount("both bad", rater.n_both_bad),
        ),
        not_counted=tuple(ChoiceCount(*counted) for counted in reasons),
        events=tuple(ChoiceCount(*counted) for counted in events),
        n_reveals_seen=rater.n_reveals_seen,
        consented_at=rater.consented_at,
        qualified_at=rater.qualified_at,
        disqualified_at=rater.disqualified_at,
        finished_at=rater.finished_at,
        excluded_at=rater.excluded_at,
        withdrawn_at=rater.withdrawn_at,
        unblinded_at=rater.unblinded_at,
        has_completion_code=bool(rater.completion_code),
        rules=rules_in_words(head.options),
        too_fast=too_fast_in_words(head.options),
    )


def _invitations(campaign: Campaign) -> tuple[tuple[InvitationRow, ...], int]:
    """The newest, and how many more there are."""
    held = Invitation.objects.filter(campaign=campaign)
    rows = list(held.select_related("rater").order_by("-created_at", "-pk")[:SHOWN_INVITATIONS])
    n_more = held.count() - len(rows) if len(rows) == SHOWN_INVITATIONS else 0
    return tuple(_invitation(campaign, row) for row in rows), n_more


def _invitation(campaign: Campaign, row: Invitation) -> InvitationRow:
    return InvitationRow(
        id=row.pk,
        path=f"{vote_path(campaign.link_token)}?seat={row.token}",
        note=row.note,
        rater=row.rater.pseudonym if row.rater else "",
        created_at=row.created_at,
        revoked_at=row.revoked_at,
    )
