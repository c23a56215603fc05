"""A laid-out file of votes into the tables, in bulk."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

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
from annotation.services.bulk_rows import insert_rows
from annotation.vote_formats.layout import Layout
from annotation.vote_formats.rows import MODEL, PERSON, SIMULATED

KINDS: Final = {PERSON: Rater.IMPORTED, MODEL: Rater.MODEL, SIMULATED: Rater.SIMULATED}
UNSCORED: Final = "unscored"
_RATER: Final = (
    "campaign_id", "kind", "key", "pseudonym", "created_at", "excluded_at", "excluded_reason",
    "unblinded_at", "n_votes", "n_counted", "n_left", "n_right", "n_tie", "n_both_bad",
    "n_too_fast", "seconds_total",
)  # fmt: skip
_PAIR: Final = (
    "campaign_id", "position", "question_id", "first_system_id", "second_system_id", "stratum",
    "inclusion_probability", "n_wanted", "n_taken", "n_first", "n_second", "n_tie", "n_both_bad",
    "created_at",
)  # fmt: skip
_VOTE: Final = (
    "campaign_id", "pair_id", "rater_id", "choice", "left_is_first", "slot", "not_counted",
    "reasons", "comment", "confidence", "seconds", "is_too_fast", "n_reveals_seen", "cast_at",
    "extra",
)  # fmt: skip


def store_layout(*, campaign: Campaign, layout: Layout, now: datetime) -> None:
    """Every row of the campaign beside its own; the caller's transaction keeps them together."""
    systems = _systems(campaign, layout)
    questions = _questions(campaign, layout)
    insert_rows(Rater, _RATER, _rater_rows(campaign, layout, now))
    insert_rows(Pair, _PAIR, _pair_rows(campaign, layout, questions, systems, now))
    raters = dict(Rater.objects.filter(campaign=campaign).values_list("pseudonym", "pk"))
    rater_ids = [raters[rater.pseudonym] for rater in layout.raters]
    pairs = dict(Pair.objects.filter(campaign=campaign).values_list("position", "pk"))
    pair_ids = [pairs[pair.position] for pair in layout.pairs]
    insert_rows(Vote, _VOTE, _vote_rows(campaign, layout, pair_ids, rater_ids))
    insert_rows(
        VoteEvent,
        ("campaign_id", "pair_id", "rater_id", "action", "vote", "at"),
        _event_rows(campaign, layout, pair_ids, rater_ids, now),
    )
    CampaignTally.objects.create(
        campaign=campaign,
        version=1,
        n_votes=len(layout.votes),
        n_counted=layout.n_counted,
        side_balance=_balance(layout, systems),
    )


def _systems(campaign: Campaign, layout: Layout) -> list[int]:
    insert_rows(
        CampaignSystem,
        ("campaign_id", "label"),
        ((campaign.pk, label) for label in layout.systems),
    )
    stored = dict(CampaignSystem.objects.filter(campaign=campaign).values_list("label", "pk"))
    return [stored[label] for label in layout.systems]


def _questions(campaign: Campaign, layout: Layout) -> list[int]:
    insert_rows(
        CampaignQuestion,
        ("campaign_id", "key", "text", "slices"),
        ((campaign.pk, one.key, one.text, dict(one.slices)) for one in layout.questions),
    )
    stored = dict(CampaignQuestion.objects.filter(campaign=campaign).values_list("key", "pk"))
    return [stored[one.key] for one in layout.questions]


def _rater_rows(campaign: Campaign, layout: Layout, now: datetime) -> Iterator[Sequence[Any]]:
    for rater in layout.raters:
        stated, counts = rater.row.stated, rater.by_choice
        yield (
            campaign.pk, KINDS[rater.voter], secrets.token_urlsafe(32), rater.pseudonym, now,
            stated.excluded_at if stated else None, stated.excluded_reason if stated else "",
            stated.unblinded_at if stated else None, rater.n_votes, rater.n_counted,
            counts.get(Vote.A, 0), counts.get(Vote.B, 0), counts.get(Vote.TIE, 0),
            counts.get(Vote.BOTH_BAD, 0), rater.n_too_fast, rater.seconds_total,
        )  # fmt: skip


def _pair_rows(
    campaign: Campaign,
    layout: Layout,
    questions: Sequence[int],
    systems: Sequence[int],
    now: datetime,
) -> Iterator[Sequence[Any]]:
    for pair in layout.pairs:
        stated, answers = pair.row.stated, pair.by_answer
        yield (
            campaign.pk, pair.position, questions[pair.question], systems[pair.first],
            systems[pair.second], stated.stratum if stated else "",
            stated.inclusion_probability if stated else None, pair.n_counted, pair.n_counted,
            answers.get("first", 0), answers.get("second", 0), answers.get(Vote.TIE, 0),
            answers.get(Vote.BOTH_BAD, 0), now,
        )  # fmt: skip


def _vote_rows(
    campaign: Campaign, layout: Layout, pairs: Sequence[int], raters: Sequence[int]
) -> Iterator[Sequence[Any]]:
    for vote in layout.votes:
        row, stated = vote.row, vote.row.stated
        yield (
            campaign.pk, pairs[vote.pair], raters[vote.rater], row.choice, vote.left_is_first,
            vote.slot, vote.not_counted, list(row.reasons), row.comment, row.confidence,
            row.seconds, bool(stated and stated.is_too_fast),
            stated.n_reveals_seen if stated else 0, row.cast_at, dict(row.extra),
        )  # fmt: skip


def _event_rows(
    campaign: Campaign,
    layout: Layout,
    pairs: Sequence[int],
    raters: Sequence[int],
    now: datetime,
) -> Iterator[Sequence[Any]]:
    for vote in layout.unscored:
        kept = {"left_is_first": vote.left_is_first, "extra": dict(vote.row.extra)}
        at = vote.row.cast_at or now
        yield campaign.pk, pairs[vote.pair], raters[vote.rater], UNSCORED, kept, at


def _balance(layout: Layout, systems: Sequence[int]) -> dict[str, int]:
    """Left minus right of each system over the counted votes."""
    balance: Counter[int] = Counter()
    for vote in layout.votes:
        if vote.slot is not None:
            pair = layout.pairs[vote.pair]
            left, right = pair.first, pair.second
            if not vote.left_is_first:
                left, right = right, left
            balance[left] += 1
            balance[right] -= 1
    return {str(pk): balance[number] for number, pk in enumerate(systems)}
