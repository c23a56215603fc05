"""Changing, opening and closing campaigns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from annotation.campaign_options import CampaignOptions
from annotation.models import AuditEntry, Campaign
from annotation.services.campaign_control import (
    CampaignCannotChange,
    close_campaign,
    delete_draft,
    edit_campaign,
    open_campaign,
    reopen_campaign,
    set_times,
)
from annotation.services.campaign_drawing import TooFewPairs
from annotation.services.campaigns import ClosesBeforeItOpens
from tests.annotation.services.measured_campaigns import LATER, NOW, campaign_of, scored_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft() -> Campaign:
    return campaign_of(scored_run())


@pytest.fixture
def lead() -> User:
    return User.objects.create_user("lena")


def edited(campaign: Campaign, **changes: Any) -> Campaign:
    options = replace(CampaignOptions.from_json(campaign.options), **changes)
    return edit_campaign(campaign=campaign, name="Other", options=options, by=None, now=LATER)


def pair_ids(campaign: Campaign) -> set[int]:
    return set(campaign.pairs.values_list("pk", flat=True))


def test_a_campaign_opens_closes_and_opens_again(draft: Campaign, lead: User) -> None:
    assert open_campaign(campaign=draft, by=lead, now=NOW).opened_at == NOW
    assert Campaign.objects.open(NOW).get() == draft
    assert close_campaign(campaign=draft, by=lead, now=LATER).closed_at == LATER
    assert not Campaign.objects.embargoing(LATER).exists()
    assert reopen_campaign(campaign=draft, by=lead, now=LATER).closed_at is None
    assert Campaign.objects.open(LATER).get() == draft
    told = AuditEntry.objects.order_by("pk").values_list("action", "actor_name")
    assert list(told) == [
        ("created", "a command"), ("opened", "lena"), ("closed", "lena"),
        ("opened again", "lena"),
    ]  # fmt: skip


def test_a_closing_time_closes_and_reopening_drops_it(draft: Campaign) -> None:
    set_times(campaign=draft, opens_at=None, closes_at=LATER, by=None, now=NOW)
    open_campaign(campaign=draft, by=None, now=NOW)
    assert Campaign.objects.open(NOW).exists()
    assert not Campaign.objects.open(LATER).exists()
    with pytest.raises(CampaignCannotChange, match="closed already"):
        close_campaign(campaign=draft, by=None, now=LATER)
    again = reopen_campaign(campaign=draft, by=None, now=LATER)
    assert again.closes_at is None
    entry = AuditEntry.objects.order_by("pk").last()
    assert entry is not None
    assert entry.detail["readable_from"] == LATER.isoformat()


def test_what_a_state_does_not_allow_is_refused(draft: Campaign) -> None:
    for act in (close_campaign, reopen_campaign):
        with pytest.raises(CampaignCannotChange):
            act(campaign=draft, by=None, now=NOW)
    open_campaign(campaign=draft, by=None, now=NOW)
    with pytest.raises(CampaignCannotChange, match="opened already, so it cannot be opened"):
        open_campaign(campaign=draft, by=None, now=NOW)
    with pytest.raises(CampaignCannotChange, match="cannot be deleted"):
        delete_draft(campaign=draft, by=None, now=NOW)
    with pytest.raises(CampaignCannotChange, match="cannot be edited"):
        edited(draft, overlap=2)
    with pytest.raises(CampaignCannotChange, match="not closed"):
        reopen_campaign(campaign=draft, by=None, now=NOW)
    with pytest.raises(ClosesBeforeItOpens, match="not before"):
        set_times(campaign=draft, opens_at=LATER, closes_at=NOW, by=None, now=NOW)
    close_campaign(campaign=draft, by=None, now=LATER)
    with pytest.raises(CampaignCannotChange, match="open it again instead"):
        set_times(campaign=draft, opens_at=None, closes_at=None, by=None, now=LATER)


def test_an_open_campaign_is_not_closed_by_a_time_that_was_mistyped(draft: Campaign) -> None:
    open_campaign(campaign=draft, by=None, now=NOW)
    with pytest.raises(CampaignCannotChange, match="close the campaign instead"):
        set_times(campaign=draft, opens_at=None, closes_at=NOW, by=None, now=LATER)
    assert Campaign.objects.embargoing(LATER).exists()


def test_a_campaign_whose_time_has_passed_or_whose_pairs_all_wait_does_not_open(
    draft: Campaign,
) -> None:
    set_times(campaign=draft, opens_at=None, closes_at=NOW, by=None, now=NOW)
    with pytest.raises(CampaignCannotChange, match="closing time of glass-vote has passed"):
        open_campaign(campaign=draft, by=None, now=NOW)
    set_times(campaign=draft, opens_at=None, closes_at=None, by=None, now=NOW)
    draft.pairs.update(n_wanted=0, needs_review=True)
    with pytest.raises(CampaignCannotChange, match="9 wait for review"):
        open_campaign(campaign=draft, by=None, now=NOW)


def test_the_log_says_what_of_a_draft_was_changed(draft: Campaign) -> None:
    edited(draft, reveal="never")
    draft.refresh_from_db()
    edited(draft, overlap=4)
    logged = AuditEntry.objects.filter(action="edited").order_by("pk")
    assert [entry.detail["changed"] for entry in logged] == [["name", "reveal"], ["overlap"]]


def test_options_that_do_not_touch_the_drawing_keep_the_pairs(draft: Campaign) -> None:
    before = pair_ids(draft)
    held_back = draft.pairs.order_by("pk")[0]
    draft.pairs.filter(pk=held_back.pk).update(n_wanted=0, needs_review=True)
    changed = edited(draft, overlap=3, reveal="never")
    assert changed.name == "Other"
    assert pair_ids(draft) == before
    assert set(draft.pairs.values_list("n_wanted", flat=True)) == {0, 3}
    entry = AuditEntry.objects.order_by("pk").last()
    assert entry is not None
    assert entry.detail == {"changed": ["name", "overlap", "reveal"], "is_redrawn": False}


def test_options_of_the_drawing_draw_anew(draft: Campaign) -> None:
    before = pair_ids(draft)
    changed = edited(draft, n_pairs=12, policy="uniform", attention_every=5)
    assert not pair_ids(draft) & before
    assert draft.pairs.on_vote().count() == 12
    assert changed.sampling["policy"] == "uniform"
    assert changed.sampling["checks"]["n_attention"] == 3
    with pytest.raises(TooFewPairs):
        edited(changed, n_pairs=100)
    assert draft.pairs.on_vote().count() == 12


def test_a_draft_is_deleted_and_the_log_remembers_it(draft: Campaign) -> None:
    delete_draft(campaign=draft, by=None, now=NOW)
    assert not Campaign.objects.exists()
    entry = AuditEntry.objects.order_by("pk").last()
    assert entry is not None
    assert entry.detail == {"slug": "glass-vote", "name": "Glass vote"}
    assert entry.campaign is None
