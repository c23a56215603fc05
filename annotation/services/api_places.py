"""Who votes without a page, and in which campaign: by a key, by an account, or by the link."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from annotation.models import Assignment, Campaign, Rater
from annotation.services.raters import is_place_of_another
from annotation.services.unblinding import refuse_unblinded
from annotation.services.voting_refusals import (
    AssignmentForeign,
    CampaignNotFound,
    LinkMissing,
    RaterUnknown,
)

KEY_OF_ANOTHER = (
    "This rater_key is that of another person's account, so nothing was done. Leave it out to act "
    "as yourself, or sign out."
)


@dataclass(frozen=True, slots=True)
class Place:
    """``rater_key`` is None where nobody has joined yet."""

    campaign_token: str
    rater_key: str | None


def find_place(
    *,
    slug: str,
    link: str,
    rater_key: str | None,
    user: User | None,
    may_join: bool,
    now: datetime,
) -> Place:
    """The place in the campaign of that slug. Without a key, a signed-in person has the place of
    their account; whoever has none can join with the link's token, or by the slug alone where
    ``may_join``. Without any of these it is not said whether the campaign exists.

    Raises LinkMissing, CampaignNotFound, RaterUnknown (also for a key of another's account),
    RaterBarred (no longer blind).
    """
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise RaterUnknown if rater_key else CampaignNotFound if may_join else LinkMissing
    own = Rater.objects.filter(campaign=campaign)
    if rater_key is not None:
        if not own.filter(key=rater_key).exists():
            raise RaterUnknown
        return _checked(Place(campaign.link_token, rater_key), user, now)
    known = own.filter(user=user).values_list("key", flat=True).first() if user else None
    if known is None and not may_join and link != campaign.link_token:
        raise LinkMissing
    return _checked(Place(campaign.link_token, known), user, now)


def place_of_assignment(
    *, assignment_id: str, rater_key: str | None, user: User | None, now: datetime
) -> Place:
    """The place that the assignment belongs to. Raises RaterUnknown (neither key nor account, or
    a key of another's account), AssignmentForeign (the same for what is another's and for what
    never was), RaterBarred."""
    if rater_key is None and user is None:
        raise RaterUnknown
    if rater_key is not None:
        rater = Rater.objects.filter(key=rater_key).select_related("campaign").first()
    else:
        owned = Assignment.objects.filter(public_id=assignment_id, rater__user=user)
        rater = Rater.objects.filter(assignments__in=owned).select_related("campaign").first()
    if rater is None:
        raise AssignmentForeign
    return _checked(Place(rater.campaign.link_token, rater.key), user, now)


def _checked(place: Place, user: User | None, now: datetime) -> Place:
    if user is not None:
        if place.rater_key and is_place_of_another(rater_key=place.rater_key, user=user):
            raise RaterUnknown(KEY_OF_ANOTHER)
        refuse_unblinded(
            campaign_token=place.campaign_token, rater_key=place.rater_key or "", user=user, now=now
        )
    return place
