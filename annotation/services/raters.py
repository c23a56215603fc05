"""Raters join a campaign: they consent, and get the key that the signed cookie carries."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User

from annotation.models import Campaign, Invitation, Rater
from annotation.services.standing import (
    PEOPLE_ONLY,
    UNBLINDED,
    closed_sentence,
    is_anothers,
    is_unblinded,
    kind_sentence,
)
from annotation.services.turns import Turn, campaign_turn
from annotation.services.voting_refusals import CampaignClosed, InvitationUnusable, RaterBarred

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def admit_rater(
    *,
    campaign_token: str,
    user: User | None,
    invitation: str | None,
    rater_key: str | None = None,
    now: datetime,
) -> str:
    """The consent of a new rater, and their key. A signed-in person, the holder of a used
    invitation, and a browser that holds a place (``rater_key``) get the rater they are already,
    also where that one's part is over. Raises CampaignNotFound, CampaignClosed, RaterBarred,
    InvitationUnusable."""
    with campaign_turn(campaign_token=campaign_token, now=now) as turn:
        campaign = turn.campaign
        kind = Rater.ANONYMOUS if user is None else Rater.SIGNED_IN
        sentence = kind_sentence(campaign, kind) or closed_sentence(campaign, now)
        if sentence:
            raise CampaignClosed(sentence)
        if is_unblinded(campaign, user.pk if user else None):
            raise RaterBarred(UNBLINDED)
        known = Rater.objects.filter(campaign=campaign, user=user).first() if user else None
        if known is not None:
            return known.key
        seat = _seat(campaign, invitation) if turn.options.invite_only else None
        if seat is not None and seat.rater is not None:
            return seat.rater.key
        held = Rater.objects.filter(campaign=campaign, key=rater_key).first() if rater_key else None
        is_own = held is not None and not is_anothers(held, user.pk if user else None)
        if held is not None and is_own and seat is None:
            return held.key
        rater = _create(turn, kind, user, _new_pseudonym(campaign))
        if seat is not None:
            Invitation.objects.filter(pk=seat.pk).update(rater=rater)
        return rater.key


def is_place_of_another(*, rater_key: str, user: User) -> bool:
    """Whether the key is that of a rater who is somebody else when signed in."""
    bound = Rater.objects.filter(key=rater_key, user__isnull=False)
    return bound.exclude(user=user).exists()


def admit_simulated_rater(*, campaign_token: str, name: str, now: datetime) -> str:
    """A rater of a simulated campaign by its name, made when it is new; its key. Raises
    CampaignNotFound, CampaignClosed (also for a campaign of people)."""
    with campaign_turn(campaign_token=campaign_token, now=now) as turn:
        if not turn.campaign.is_simulated:
            raise CampaignClosed(PEOPLE_ONLY)
        sentence = closed_sentence(turn.campaign, now)
        if sentence:
            raise CampaignClosed(sentence)
        known = Rater.objects.filter(campaign=turn.campaign, pseudonym=name).first()
        return (known or _create(turn, Rater.SIMULATED, None, name)).key


def _create(turn: Turn, kind: str, user: User | None, pseudonym: str) -> Rater:
    return Rater.objects.create(
        campaign=turn.campaign,
        kind=kind,
        key=secrets.token_urlsafe(24),
        pseudonym=pseudonym,
        user=user,
        created_at=turn.now,
        consented_at=turn.now,
    )


def _new_pseudonym(campaign: Campaign) -> str:
    """Random, so that it does not tell who came when."""
    while True:
        name = "rater-" + "".join(secrets.choice(LETTERS) for _ in range(6))
        if not Rater.objects.filter(campaign=campaign, pseudonym=name).exists():
            return name


def _seat(campaign: Campaign, token: str | None) -> Invitation:
    """Raises InvitationUnusable."""
    seats = Invitation.objects.filter(campaign=campaign, token=token or "", revoked_at=None)
    seat = seats.select_related("rater").first()
    if seat is None:
        raise InvitationUnusable
    return seat
