from __future__ import annotations

import pytest

from annotation.models import AuditEntry, Campaign
from annotation.services.invitations import (
    InvitationNotFound,
    TooManyInvitations,
    make_invitations,
    revoke_invitation,
)
from tests.annotation.services.measured_campaigns import LATER, NOW
from tests.annotation.toy_campaigns import make_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(invite_only=True)


def test_every_seat_has_a_link_of_its_own(campaign: Campaign) -> None:
    made = make_invitations(campaign=campaign, n=20, by=None, now=NOW, note="  Class 7b ")
    assert len({invitation.token for invitation in made}) == 20
    assert all(len(invitation.token) >= 32 for invitation in made)
    assert {invitation.note for invitation in campaign.invitations.all()} == {"Class 7b"}
    assert AuditEntry.objects.get().detail == {"n": 20, "note": "Class 7b"}


def test_an_invitation_is_revoked_once(campaign: Campaign) -> None:
    (invitation,) = make_invitations(campaign=campaign, n=1, by=None, now=NOW)
    revoked = revoke_invitation(campaign=campaign, invitation_id=invitation.pk, by=None, now=LATER)
    assert revoked.revoked_at == LATER
    with pytest.raises(InvitationNotFound):
        revoke_invitation(campaign=campaign, invitation_id=invitation.pk, by=None, now=LATER)


@pytest.mark.parametrize("n", [0, -1, 1001])
def test_a_number_out_of_range_is_refused(campaign: Campaign, n: int) -> None:
    with pytest.raises(TooManyInvitations, match="from 1 to 1,000"):
        make_invitations(campaign=campaign, n=n, by=None, now=NOW)
