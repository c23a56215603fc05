"""Seats of invite-only campaigns: one link each."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Campaign, Invitation
from annotation.services.audit import record

MOST_AT_ONCE = 1_000


class InvitationNotFound(Exception):
    """The campaign has no such invitation that is still good."""


class TooManyInvitations(ValueError):
    """That many are not made at once."""

    option = "n"


@transaction.atomic
def make_invitations(
    *, campaign: Campaign, n: int, by: User | None, now: datetime, note: str = ""
) -> list[Invitation]:
    """``n`` new seats, from 1 to 1,000; ``note`` says for whom they are. Raises
    TooManyInvitations."""
    if not 1 <= n <= MOST_AT_ONCE:
        raise TooManyInvitations(f"from 1 to {MOST_AT_ONCE:,} invitations are made at once")
    made = Invitation.objects.bulk_create(
        [
            Invitation(
                campaign=campaign,
                token=secrets.token_urlsafe(24),
                note=note.strip()[:200],
                created_at=now,
            )
            for _ in range(n)
        ]
    )
    detail = {"n": n, "note": note.strip()[:200]}
    record(action="invitations made", by=by, campaign=campaign, detail=detail, now=now)
    return made


@transaction.atomic
def revoke_invitation(
    *, campaign: Campaign, invitation_id: int, by: User | None, now: datetime
) -> Invitation:
    """The link admits nobody any more; votes that came through it stay. Raises
    InvitationNotFound."""
    good = Invitation.objects.select_for_update().filter(campaign=campaign, revoked_at=None)
    invitation = good.filter(pk=invitation_id).first()
    if invitation is None:
        raise InvitationNotFound(
            f"campaign '{campaign.slug}' has no invitation {invitation_id} that could be revoked"
        )
    invitation.revoked_at = now
    invitation.save(update_fields=["revoked_at"])
    detail = {"invitation": invitation.pk, "note": invitation.note}
    record(action="invitation revoked", by=by, campaign=campaign, detail=detail, now=now)
    return invitation
