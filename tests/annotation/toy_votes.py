"""Votes and raters as rows, with every count that voting keeps."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import F

from annotation.models import Campaign, CampaignTally, Pair, Rater, Vote
from tests.annotation.toy_campaigns import NOW

SIDE = {Vote.A: "n_left", Vote.B: "n_right", Vote.TIE: "n_tie", Vote.BOTH_BAD: "n_both_bad"}


def add_rater(campaign: Campaign, pseudonym: str, **fields: Any) -> Rater:
    return Rater.objects.create(
        campaign=campaign,
        kind=fields.pop("kind", Rater.ANONYMOUS),
        key=f"{campaign.pk}-{pseudonym}"[:43],
        pseudonym=pseudonym,
        created_at=fields.pop("created_at", NOW),
        **fields,
    )


def add_vote(
    rater: Rater,
    pair: Pair,
    choice: str,
    *,
    left_is_first: bool = True,
    not_counted: str = "",
    cast_at: dt.datetime | None = NOW,
    seconds: float | None = 20.0,
    **fields: Any,
) -> Vote:
    """Counted in the pair's next place, unless ``not_counted`` says why not."""
    is_check = pair.kind != Pair.VOTE
    is_counted = not (not_counted or is_check)
    slot = Vote.objects.filter(pair=pair).counted().count() + 1 if is_counted else None
    vote = Vote.objects.create(
        campaign=rater.campaign,
        rater=rater,
        pair=pair,
        choice=choice,
        left_is_first=left_is_first,
        slot=slot,
        not_counted="" if is_counted else (not_counted or Vote.CHECK),
        cast_at=cast_at,
        seconds=seconds,
        **fields,
    )
    if is_check:
        return vote
    side = SIDE[choice]
    Rater.objects.filter(pk=rater.pk).update(
        **{side: F(side) + 1},
        n_votes=F("n_votes") + 1,
        n_counted=F("n_counted") + int(is_counted),
        n_too_fast=F("n_too_fast") + int(vote.is_too_fast),
        seconds_total=F("seconds_total") + (seconds or 0.0),
    )
    CampaignTally.objects.filter(campaign=rater.campaign).update(
        n_votes=F("n_votes") + 1, n_counted=F("n_counted") + int(is_counted)
    )
    if is_counted:
        label = choice if choice in (Vote.TIE, Vote.BOTH_BAD) else _side(choice, left_is_first)
        Pair.objects.filter(pk=pair.pk).update(
            **{f"n_{label}": F(f"n_{label}") + 1}, n_taken=F("n_taken") + 1
        )
    return vote


def _side(choice: str, left_is_first: bool) -> str:
    return "first" if (choice == Vote.A) == left_is_first else "second"
