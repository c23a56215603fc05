"""People who have seen who wrote an answer that is being voted on."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from annotation.models import Rater, Unblinding, Vote
from annotation.services.exclusion import leave_out
from annotation.services.standing import UNBLINDED as UNBLINDED_SENTENCE
from annotation.services.tallying import UNBLINDED, change_rater
from annotation.services.turns import Turn, campaign_turn
from annotation.services.voting_refusals import RaterBarred


def mark_unblinded(*, user: User, campaign_id: int, what: str, now: datetime) -> None:
    """Once for each person and campaign; ``what`` is the address that was opened first. What they
    voted before is shown apart from then on, and its places reopen. Raises CampaignNotFound."""
    if Unblinding.objects.filter(campaign=campaign_id, user=user).exists():
        return
    with campaign_turn(campaign_id=campaign_id, now=now) as turn:
        Unblinding.objects.get_or_create(
            campaign_id=campaign_id, user=user, defaults={"at": now, "what": what[:300]}
        )
        _set_apart(turn, Rater.objects.filter(campaign=campaign_id, user=user).first())


def refuse_unblinded(*, campaign_token: str, rater_key: str, user: User, now: datetime) -> None:
    """A signed-in person who is unblinded may not vote by the place of a browser or a key either;
    what that place voted before is shown apart from then on. Raises RaterBarred."""
    marks = Unblinding.objects.filter(campaign__link_token=campaign_token, user=user)
    campaign_id = marks.values_list("campaign_id", flat=True).first()
    if campaign_id is None:
        return
    with campaign_turn(campaign_id=campaign_id, now=now) as turn:
        _set_apart(turn, Rater.objects.filter(campaign=campaign_id, key=rater_key).first())
    raise RaterBarred(UNBLINDED_SENTENCE)


def _set_apart(turn: Turn, rater: Rater | None) -> None:
    if rater is None or rater.unblinded_at is not None:
        return
    leave_out(turn, rater, why=Vote.UNBLINDED, action=UNBLINDED)
    change_rater(rater, {}, by=1, n_counted=0, unblinded_at=turn.now)
