"""Showing raters who wrote what they decided, which freezes it, and ending their part."""

from __future__ import annotations

import random
from datetime import datetime

from django.db.models import Q

from annotation.blinding.voting_page import VotingPage
from annotation.models import Pair, Rater, Vote
from annotation.services.end_reveals import not_asked_elsewhere, reveal
from annotation.services.last_votes import is_revealed, last_vote
from annotation.services.places import release
from annotation.services.serving import current_assignment
from annotation.services.showing import (
    finished_page,
    note_work_done,
    page_of,
    page_with_next_pair,
    reveal_page,
)
from annotation.services.standing import (
    closed_sentence,
    get_rater,
    refuse_if_barred,
    refuse_unless_voting,
)
from annotation.services.tallying import change_rater
from annotation.services.turns import Turn, campaign_turn
from annotation.services.voting_refusals import CampaignClosed


def continue_voting(
    *, campaign_token: str, rater_key: str, now: datetime, rng: random.Random | None = None
) -> VotingPage:
    """Where each vote is revealed: first show who wrote the pair just decided, which closes undo
    in every tab, then go on to the next pair. A check is not revealed and goes on at once, and so
    does a pair whose question another campaign asks now. Elsewhere this is the page that is due.
    Raises CampaignNotFound or what refuses a vote."""
    with campaign_turn(campaign_token=campaign_token, now=now, rng=rng) as turn:
        rater = get_rater(turn.campaign, rater_key)
        refuse_unless_voting(turn.campaign, rater, now)
        vote = last_vote(rater)
        waits = turn.options.reveal == "each" and vote is not None
        if not waits or vote is None or current_assignment(rater, turn.options) is not None:
            return page_of(turn, rater)
        hidden = Vote.objects.filter(pk=vote.pk, pair__kind=Pair.VOTE)
        if not is_revealed(vote) and (due := not_asked_elsewhere(turn, hidden)):
            reveal(turn, rater, due)
            return reveal_page(turn, rater, vote)
        return page_with_next_pair(turn, rater, undo=False)


def finish_voting(
    *, campaign_token: str, rater_key: str, now: datetime, rng: random.Random | None = None
) -> VotingPage:
    """End the rater's part, early or after everything: open pairs are given back, the completion
    code is issued if the work is done, and, where the campaign reveals, their votes are frozen
    and those that may be revealed are (``end_reveals``). Works after closing too. Raises
    CampaignNotFound, RaterUnknown, RaterBarred, CampaignClosed (it never was open)."""
    with campaign_turn(campaign_token=campaign_token, now=now, rng=rng) as turn:
        rater = get_rater(turn.campaign, rater_key)
        refuse_if_barred(rater)
        if turn.campaign.opened_at is None:
            raise CampaignClosed(closed_sentence(turn.campaign, now))
        if rater.finished_at is None:
            _finish(turn, rater)
        return finished_page(turn, rater)


def _finish(turn: Turn, rater: Rater) -> None:
    note_work_done(turn, rater)
    release(turn, Q(rater=rater))
    times = {"finished_at": turn.now}
    if turn.options.reveal != "never":
        times["frozen_at"] = turn.now
    change_rater(rater, {}, by=1, **times)
