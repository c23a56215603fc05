"""Leaving a rater's votes out of the results, and taking them in again."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q

from annotation.models import Campaign, Pair, Rater, Vote, VoteEvent
from annotation.services.audit import SITE, record
from annotation.services.places import COUNTERS, change_pair, free_slot, label_of, release, uncount
from annotation.services.tallying import EXCLUDED, RESTORED, change_rater, event_of
from annotation.services.turns import Turn, campaign_turn

RATER_EXCLUDED = "rater excluded"
RATER_RESTORED = "rater restored"


class RaterNotFound(LookupError):
    """The campaign has no rater of this name."""


class ExclusionPointless(Exception):
    """The rater is excluded already, or was not; the message says which."""


def exclude_rater(
    *, campaign: Campaign, pseudonym: str, reason: str, by: User | None, now: datetime
) -> Rater:
    """Leave the rater's counted votes out; their places reopen, their votes are kept and shown
    apart. Raises RaterNotFound, ExclusionPointless (also without a reason)."""
    if not reason.strip():
        raise ExclusionPointless("An exclusion needs a reason.")
    with campaign_turn(campaign_id=campaign.pk, now=now) as turn:
        rater = _named(campaign, pseudonym)
        if rater.excluded_at is not None:
            raise ExclusionPointless(f"{pseudonym} is excluded already.")
        exclude(turn, rater, reason.strip(), by)
        return rater


def restore_rater(*, campaign: Campaign, pseudonym: str, by: User | None, now: datetime) -> Rater:
    """Take the excluded votes in again: where the place is still free they count, the others are
    surplus; of a rater who was unblinded meanwhile, none counts. Raises RaterNotFound,
    ExclusionPointless."""
    with campaign_turn(campaign_id=campaign.pk, now=now) as turn:
        rater = _named(campaign, pseudonym)
        if rater.excluded_at is None:
            raise ExclusionPointless(f"{pseudonym} is not excluded.")
        votes = Vote.objects.filter(rater=rater, not_counted=Vote.EXCLUDED)
        rows = list(votes.order_by("cast_at", "pk"))
        VoteEvent.objects.bulk_create([event_of(vote, RESTORED, now) for vote in rows])
        is_blind = rater.unblinded_at is None
        n_counted = sum(_takes_place_again(turn, vote) for vote in rows) if is_blind else 0
        votes.update(not_counted=Vote.SURPLUS if is_blind else Vote.UNBLINDED)
        turn.has_news = True
        change_rater(rater, {"n_counted": n_counted}, by=1, excluded_at=None, excluded_reason="")
        record(
            action=RATER_RESTORED,
            by=by,
            campaign=campaign,
            detail={"rater": pseudonym, "n_counted": n_counted, "n_surplus": len(rows) - n_counted},
            now=now,
        )
        return rater


def leave_out(turn: Turn, rater: Rater, *, why: str, action: str) -> int:
    """Uncount all counted votes of a rater and give back what they hold; how many votes."""
    votes = list(Vote.objects.filter(rater=rater).counted().select_related("pair"))
    VoteEvent.objects.bulk_create([event_of(vote, action, turn.now) for vote in votes])
    uncount(turn, votes)
    Vote.objects.filter(rater=rater).counted().update(slot=None, not_counted=why)
    release(turn, Q(rater=rater))
    turn.has_news = True
    return len(votes)


def exclude(turn: Turn, rater: Rater, reason: str, by: User | None) -> None:
    """Within a turn: a rater who is not excluded yet, with the entry of the log."""
    n_votes = leave_out(turn, rater, why=Vote.EXCLUDED, action=EXCLUDED)
    change_rater(rater, {}, by=1, n_counted=0, excluded_at=turn.now, excluded_reason=reason)
    record(
        action=RATER_EXCLUDED,
        by=by,
        campaign=turn.campaign,
        detail={"rater": rater.pseudonym, "reason": reason, "n_votes": n_votes},
        now=turn.now,
        actor_name=SITE,
    )


def _takes_place_again(turn: Turn, vote: Vote) -> bool:
    pair = Pair.objects.get(pk=vote.pair_id)
    if pair.n_taken >= pair.n_wanted:
        return False
    Vote.objects.filter(pk=vote.pk).update(slot=free_slot(pair), not_counted="")
    label = label_of(vote.choice, vote.left_is_first)
    change_pair(pair.pk, {"n_taken": 1, COUNTERS[label]: 1})
    turn.move(pair.first_system_id, pair.second_system_id, vote.left_is_first, 1)
    turn.n_counted += 1
    return True


def _named(campaign: Campaign, pseudonym: str) -> Rater:
    rater = Rater.objects.filter(campaign=campaign, pseudonym=pseudonym).first()
    if rater is None:
        raise RaterNotFound(f"{campaign.name} has no rater {pseudonym}.")
    return rater
