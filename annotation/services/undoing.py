"""Taking back the last vote, and skipping a pair."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from annotation.blinding.voting_page import VotingPage
from annotation.models import Assignment, Pair, Rater, Vote
from annotation.services.last_votes import is_before, is_revealed, last_undone, last_vote
from annotation.services.places import COUNTERS, change_pair, label_of, release
from annotation.services.serving import current_assignment, new_public_id
from annotation.services.showing import page_of, page_with_next_pair
from annotation.services.standing import get_rater, refuse_unless_voting
from annotation.services.tallying import UNDONE, change_rater, event_of, rater_changes
from annotation.services.turns import Turn, campaign_turn
from annotation.services.voting_refusals import AlreadyDecided, NothingToUndo, VoteFrozen


def undo_vote(
    *, campaign_token: str, rater_key: str, now: datetime, rng: random.Random | None = None
) -> VotingPage:
    """Take the rater's last vote back: it becomes history, and its pair returns on the same sides,
    without a choice, under a new name. Sent twice it takes back one vote, and no vote before it
    can be taken back afterwards, also when the pair that returned was skipped.

    Raises CampaignNotFound, NothingToUndo, VoteFrozen (the vote was revealed, or the rater has
    gone on where each vote is) or what refuses a vote.
    """
    with campaign_turn(campaign_token=campaign_token, now=now, rng=rng) as turn:
        rater = get_rater(turn.campaign, rater_key)
        refuse_unless_voting(turn.campaign, rater, now)
        current = current_assignment(rater, turn.options)
        vote, undone = last_vote(rater), last_undone(rater)
        if vote is None or is_before(vote, undone):
            if undone is None or current is None or current.pair_id != undone.pair_id:
                raise NothingToUndo
        else:
            if is_revealed(vote) or (turn.options.reveal == "each" and current is not None):
                raise VoteFrozen
            _take_back(turn, rater, vote)
        return page_of(turn, rater)


def skip_pair(
    *,
    campaign_token: str,
    rater_key: str,
    assignment_id: str,
    now: datetime,
    rng: random.Random | None = None,
) -> VotingPage:
    """Give the pair back; it returns to this rater when nothing else is left. A pair that was
    skipped already, or is not theirs, is left alone: the page shows what is due. Raises
    CampaignNotFound, AlreadyDecided or what refuses a vote."""
    with campaign_turn(campaign_token=campaign_token, now=now, rng=rng) as turn:
        rater = get_rater(turn.campaign, rater_key)
        refuse_unless_voting(turn.campaign, rater, now)
        own = Assignment.objects.filter(public_id=assignment_id, rater=rater)
        if own.exclude(vote=None).exists():
            raise AlreadyDecided
        given = own.filter(vote=None, skipped_at=None)
        assignment = given.first()
        if assignment is not None:
            release(turn, Q(pk=assignment.pk))
            given.filter(pk=assignment.pk).update(skipped_at=now)
            change_rater(rater, {"n_skips": 1}, by=1)
            if turn.options.reveal == "each" and current_assignment(rater, turn.options) is None:
                # They have gone on from the vote before, so it is not shown to them again.
                return page_with_next_pair(turn, rater, undo=False)
        return page_of(turn, rater)


def _take_back(turn: Turn, rater: Rater, vote: Vote) -> None:
    """The place of a counted vote goes to the returned pair's lock; a surplus vote returns to one
    only where a place has become free."""
    pair = vote.pair
    is_counted = vote.slot is not None
    is_live = pair.kind != Pair.VOTE or is_counted or pair.n_taken < pair.n_wanted
    if is_counted:
        change_pair(pair.pk, {COUNTERS[label_of(vote.choice, vote.left_is_first)]: -1})
        turn.n_counted -= 1
    elif pair.kind == Pair.VOTE and is_live:
        change_pair(pair.pk, {"n_taken": 1})
        turn.move(pair.first_system_id, pair.second_system_id, vote.left_is_first, 1)
    event_of(vote, UNDONE, turn.now).save()
    Vote.objects.filter(pk=vote.pk).delete()
    # The work is not done any more: the code comes back with the vote.
    set_too: dict[str, Any] = {"completion_code": ""} if rater.completion_code else {}
    if pair.kind == Pair.QUALIFICATION:
        set_too["qualified_at"] = None
    change_rater(rater, rater_changes(vote, pair), by=-1, **set_too)
    Assignment.objects.filter(rater=rater, pair=pair).update(
        public_id=new_public_id(),
        is_live=is_live,
        assigned_at=turn.now,
        # The time already spent on the pair is not lost from its clock.
        shown_at=turn.now - timedelta(seconds=vote.seconds or 0.0),
        lock_until=turn.lock_until,
        skipped_at=None,
    )
    turn.has_news = True
    turn.n_votes -= int(pair.kind == Pair.VOTE)
