"""Storing a vote: once, counted while its pair has a free place, and never more than K of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from annotation.blinding.voting_page import VotingPage
from annotation.campaign_options import CampaignOptions
from annotation.models import Assignment, Campaign, Pair, Rater, Vote
from annotation.services.ballots import Ballot
from annotation.services.choosing import next_new
from annotation.services.places import COUNTERS, change_pair, free_slot, label_of, n_counted
from annotation.services.qualifying import standing_after
from annotation.services.showing import page_after_vote, page_of
from annotation.services.standing import refuse_unless_voting
from annotation.services.statements import Prepared, Slot, change, insert
from annotation.services.tallying import change_rater, rater_changes
from annotation.services.turns import Turn, campaign_turn
from annotation.services.voting_refusals import AlreadyDecided, AssignmentForeign

WORDS_A_MINUTE: Final = 250
PAIR_FIELDS: Final = (
    *("campaign", "kind", "first_system", "second_system", "known_winner"),
    *("n_wanted", "n_taken", "n_first", "n_second", "n_tie", "n_both_bad"),
)


def cast_vote(
    *,
    campaign_token: str,
    rater_key: str,
    assignment_id: str,
    choice: str,
    reasons: Sequence[str] = (),
    comment: str = "",
    confidence: int | None = None,
    client_token: str = "",
    now: datetime,
    rng: random.Random | None = None,
) -> VotingPage:
    """Store the vote and give the next pair. The same vote sent again changes nothing and gets
    the page that is due.

    A vote whose lock ran out, or on a pair that was skipped, counts while the pair has a free
    place; else it is kept as surplus. Raises CampaignNotFound, or a VotingRefused: the pair is
    not this rater's, was decided otherwise before, the campaign is closed, the ballot is not one.
    """
    asked = (
        _OWN.ask(public_id=assignment_id, rater_key=rater_key, token=campaign_token),
        next_new(rater_key=rater_key, token=campaign_token),
    )
    with campaign_turn(campaign_token=campaign_token, now=now, rng=rng, asked=asked) as turn:
        assignment, turn.new_pair = turn.answers
        if assignment is None:
            # The same for what is another's and for what never was.
            raise AssignmentForeign
        rater = assignment.rater
        ballot = Ballot.read(
            turn.options,
            choice=choice,
            reasons=reasons,
            comment=comment,
            confidence=confidence,
            client_token=client_token,
        )
        if assignment.earlier_choice is not None:
            if assignment.earlier_choice != ballot.choice:
                raise AlreadyDecided
            return page_of(turn, rater)
        refuse_unless_voting(turn.campaign, rater, now)
        _store(turn, assignment, ballot)
        return page_after_vote(turn, rater, has_another=assignment.has_another)


def _own() -> QuerySet[Assignment]:
    another = Assignment.objects.filter(
        campaign=OuterRef("campaign"), rater=OuterRef("rater"), is_live=True
    ).exclude(pk=OuterRef("pk"))
    highest = Vote.objects.filter(pair=OuterRef("pair")).counted().order_by("-slot").values("slot")
    return (
        Assignment.objects.filter(
            public_id=Slot("public_id", Assignment._meta.get_field("public_id")),
            rater__key=Slot("rater_key", Rater._meta.get_field("key")),
            campaign__link_token=Slot("token", Campaign._meta.get_field("link_token")),
        )
        .annotate(
            has_another=Exists(another),
            highest_slot=Subquery(highest[:1]),
            earlier_choice=F("vote__choice"),
            question_text=F("pair__question__text"),
            first_n_words=F("pair__first_text__n_words"),
            second_n_words=F("pair__second_text__n_words"),
        )
        .select_related("rater", "pair")
        .only(
            *("public_id", "campaign", "left_is_first", "assigned_at", "shown_at", "is_live"),
            *(f"rater__{field.name}" for field in Rater._meta.concrete_fields),
            *(f"pair__{name}" for name in PAIR_FIELDS),
        )
    )


_OWN = Prepared(_own)


def _store(turn: Turn, assignment: Assignment, ballot: Ballot) -> None:
    pair, rater = assignment.pair, assignment.rater
    seconds = max(0.0, (turn.now - (assignment.shown_at or assignment.assigned_at)).total_seconds())
    counts = _take_place(turn, assignment, ballot.choice)
    vote = Vote(
        campaign=turn.campaign,
        pair=pair,
        rater=rater,
        assignment=assignment,
        choice=ballot.choice,
        left_is_first=assignment.left_is_first,
        slot=_slot(assignment) if counts else None,
        not_counted="" if counts else Vote.SURPLUS if pair.kind == Pair.VOTE else Vote.CHECK,
        reasons=list(ballot.reasons),
        comment=ballot.comment,
        confidence=ballot.confidence,
        seconds=seconds,
        is_too_fast=seconds < least_seconds(_n_words(assignment), turn.options),
        n_reveals_seen=rater.n_reveals_seen,
        client_token=ballot.client_token,
        cast_at=turn.now,
    )
    insert(vote)
    if assignment.is_live:
        change(Assignment, assignment.pk, put={"is_live": False})
    standing = standing_after(turn, rater) if pair.kind == Pair.QUALIFICATION else {}
    change_rater(rater, rater_changes(vote, pair), by=1, **standing)
    turn.has_news = True
    turn.n_votes += int(pair.kind == Pair.VOTE)


def _take_place(turn: Turn, assignment: Assignment, choice: str) -> bool:
    """Whether the vote counts; the pair's counts and the balance follow."""
    pair = assignment.pair
    if pair.kind != Pair.VOTE:
        return False
    holds_one = assignment.is_live
    counts = n_counted(pair) < pair.n_wanted if holds_one else pair.n_taken < pair.n_wanted
    changes = {"n_taken": int(counts) - int(holds_one)}
    turn.move(
        pair.first_system_id, pair.second_system_id, assignment.left_is_first, changes["n_taken"]
    )
    if counts:
        changes[COUNTERS[label_of(choice, assignment.left_is_first)]] = 1
        turn.n_counted += 1
    change_pair(pair.pk, changes)
    return counts


def _slot(assignment: Any) -> int:
    """The lowest free place; without gaps it is the one after the highest."""
    highest: int = assignment.highest_slot or 0
    pair = assignment.pair
    return highest + 1 if highest == n_counted(pair) else free_slot(pair)


def _n_words(assignment: Any) -> int:
    n_words = assignment.first_n_words or 0, assignment.second_n_words or 0
    return len(assignment.question_text.split()) + sum(n_words)


def least_seconds(n_words: int, options: CampaignOptions) -> float:
    """Under this a vote is too fast: a share of the time that reading takes, and a floor."""
    return max(options.too_fast_floor_s, options.too_fast_share * 60 * n_words / WORDS_A_MINUTE)
