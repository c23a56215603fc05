"""A laid-out file of votes into the tables, in batches."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, TypeVar

from django.db.models import Model

from annotation.models import (
    Campaign,
    CampaignQuestion,
    CampaignSystem,
    CampaignTally,
    Pair,
    Rater,
    Vote,
    VoteEvent,
)
from annotation.vote_formats.layout import LaidPair, LaidRater, LaidVote, Layout
from annotation.vote_formats.rows import MODEL, PERSON, SIMULATED

BATCH: Final = 5_000
KINDS: Final = {PERSON: Rater.IMPORTED, MODEL: Rater.MODEL, SIMULATED: Rater.SIMULATED}
UNSCORED: Final = "unscored"

Row = TypeVar("Row", bound=Model)


def store_layout(*, campaign: Campaign, layout: Layout, now: datetime) -> None:
    """Every row of the campaign beside its own; the caller's transaction keeps them together."""
    systems = CampaignSystem.objects.bulk_create(
        [CampaignSystem(campaign=campaign, label=label) for label in layout.systems]
    )
    questions = _stored(
        [
            CampaignQuestion(campaign=campaign, key=one.key, text=one.text, slices=dict(one.slices))
            for one in layout.questions
        ]
    )
    raters = _stored([_rater(campaign, rater, now) for rater in layout.raters])
    pairs = _stored(
        [_pair(campaign, pair, questions[pair.question], systems, now) for pair in layout.pairs]
    )
    for batch in _batches(layout.votes):
        Vote.objects.bulk_create(
            [_vote(campaign, vote, pairs[vote.pair], raters[vote.rater]) for vote in batch]
        )
    for batch in _batches(layout.unscored):
        VoteEvent.objects.bulk_create(
            [_event(campaign, vote, pairs[vote.pair], raters[vote.rater], now) for vote in batch]
        )
    CampaignTally.objects.create(
        campaign=campaign,
        version=1,
        n_votes=len(layout.votes),
        n_counted=layout.n_counted,
        side_balance=_balance(layout, systems),
    )


def _stored(rows: list[Row]) -> list[Row]:
    if not rows:
        return rows
    manager = type(rows[0])._default_manager
    for batch in _batches(rows):
        manager.bulk_create(batch)
    return rows


def _batches(rows: Sequence[Row] | Sequence[LaidVote]) -> Iterator[list]:
    for start in range(0, len(rows), BATCH):
        yield list(rows[start : start + BATCH])


def _rater(campaign: Campaign, rater: LaidRater, now: datetime) -> Rater:
    stated = rater.row.stated
    counts = rater.by_choice
    return Rater(
        campaign=campaign,
        kind=KINDS[rater.voter],
        key=secrets.token_urlsafe(32),
        pseudonym=rater.pseudonym,
        created_at=now,
        excluded_at=stated.excluded_at if stated else None,
        excluded_reason=stated.excluded_reason if stated else "",
        unblinded_at=stated.unblinded_at if stated else None,
        n_votes=rater.n_votes,
        n_counted=rater.n_counted,
        n_left=counts.get(Vote.A, 0),
        n_right=counts.get(Vote.B, 0),
        n_tie=counts.get(Vote.TIE, 0),
        n_both_bad=counts.get(Vote.BOTH_BAD, 0),
        n_too_fast=rater.n_too_fast,
        seconds_total=rater.seconds_total,
    )


def _pair(
    campaign: Campaign,
    pair: LaidPair,
    question: CampaignQuestion,
    systems: Sequence[CampaignSystem],
    now: datetime,
) -> Pair:
    stated = pair.row.stated
    return Pair(
        campaign=campaign,
        position=pair.position,
        question=question,
        first_system=systems[pair.first],
        second_system=systems[pair.second],
        stratum=stated.stratum if stated else "",
        inclusion_probability=stated.inclusion_probability if stated else None,
        n_wanted=pair.n_counted,
        n_taken=pair.n_counted,
        n_first=pair.by_answer.get("first", 0),
        n_second=pair.by_answer.get("second", 0),
        n_tie=pair.by_answer.get(Vote.TIE, 0),
        n_both_bad=pair.by_answer.get(Vote.BOTH_BAD, 0),
        created_at=now,
    )


def _vote(campaign: Campaign, vote: LaidVote, pair: Pair, rater: Rater) -> Vote:
    row, stated = vote.row, vote.row.stated
    return Vote(
        campaign=campaign,
        pair=pair,
        rater=rater,
        choice=row.choice,
        left_is_first=vote.left_is_first,
        slot=vote.slot,
        not_counted=vote.not_counted,
        reasons=list(row.reasons),
        comment=row.comment,
        confidence=row.confidence,
        seconds=row.seconds,
        is_too_fast=bool(stated and stated.is_too_fast),
        n_reveals_seen=stated.n_reveals_seen if stated else 0,
        cast_at=row.cast_at,
        extra=dict(row.extra),
    )


def _event(
    campaign: Campaign, vote: LaidVote, pair: Pair, rater: Rater, now: datetime
) -> VoteEvent:
    return VoteEvent(
        campaign=campaign,
        pair=pair,
        rater=rater,
        action=UNSCORED,
        vote={"left_is_first": vote.left_is_first, "extra": dict(vote.row.extra)},
        at=vote.row.cast_at or now,
    )


def _balance(layout: Layout, systems: Sequence[CampaignSystem]) -> dict[str, int]:
    """Left minus right of each system over the counted votes."""
    balance: Counter[int] = Counter(dict.fromkeys(range(len(systems)), 0))
    for vote in layout.votes:
        if vote.slot is not None:
            pair = layout.pairs[vote.pair]
            left, right = pair.first, pair.second
            if not vote.left_is_first:
                left, right = right, left
            balance[left] += 1
            balance[right] -= 1
    return {str(systems[number].pk): lean for number, lean in sorted(balance.items())}
