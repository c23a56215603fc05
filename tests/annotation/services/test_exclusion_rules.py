"""The rules fixed before opening are applied at closing, once, and the log says by whom."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User

from annotation.calibration.settings import CalibrationSettings
from annotation.models import AuditEntry, Campaign, Rater, Vote
from annotation.queries.exported_rows import WhatToExport
from annotation.services import exclusion_rules, turns
from annotation.services.calibration import kept_report
from annotation.services.campaign_control import close_campaign, reopen_campaign
from annotation.services.exclusion import restore_rater
from annotation.services.exclusion_rules import (
    apply_exclusion_rules,
    apply_rules_after_closing,
    apply_rules_of_closed,
)
from annotation.services.exporting_votes import note_export
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import NOW, make_campaign

pytestmark = pytest.mark.django_db

HOUR = dt.timedelta(hours=1)
ENDED = NOW + HOUR


def hasty_campaign(**more: Any) -> Campaign:
    """One rater who took their time and one who did not, in a campaign with a rule about that."""
    campaign = make_campaign(exclude_too_fast_above=0.5, overlap=2, **more)
    for seed, seconds in ((1, 60), (2, 0)):
        rater = ActingRater(campaign, seed=seed)
        for _ in range(2):
            page = rater.page()
            rater.wait(seconds=seconds).cast(on=page)
    return campaign


def closing_by_itself() -> Campaign:
    campaign = hasty_campaign()
    campaign.closes_at = ENDED
    campaign.save()
    return campaign


def excluded() -> list[str]:
    return list(Rater.objects.exclude(excluded_at=None).values_list("pseudonym", flat=True))


def log() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name"))


def test_who_applies_the_rules_is_in_the_log() -> None:
    campaign, lead = hasty_campaign(), User.objects.create_user("lena")
    names = apply_exclusion_rules(campaign=campaign, by=lead, now=ENDED)
    assert list(names) == excluded()
    assert log() == [("rater excluded", "lena"), ("exclusion rules applied", "lena")]
    detail = AuditEntry.objects.latest("pk").detail
    assert detail["excluded"] == list(names)
    assert "votes too fast" in detail["rules"][0]
    check_books(campaign)


def test_closing_applies_the_rules_in_the_name_of_who_closes() -> None:
    campaign, lead = hasty_campaign(), User.objects.create_user("lena")
    close_campaign(campaign=campaign, by=lead, now=ENDED)
    assert len(excluded()) == 1
    assert Vote.objects.filter(not_counted=Vote.EXCLUDED).count() == 2
    assert log() == [
        ("closed", "lena"),
        ("rater excluded", "lena"),
        ("exclusion rules applied", "lena"),
    ]
    check_books(campaign)


def test_closing_without_rules_excludes_nobody_and_logs_no_rules() -> None:
    campaign = make_campaign()
    ActingRater(campaign).cast()
    close_campaign(campaign=campaign, by=None, now=ENDED)
    assert log() == [("closed", "a command")]


def test_a_closing_time_that_passes_applies_the_rules_once() -> None:
    campaign = closing_by_itself()
    assert apply_rules_after_closing(campaign=campaign, now=ENDED - HOUR / 2) == ()
    (name,) = apply_rules_after_closing(campaign=campaign, now=ENDED)
    assert log() == [("rater excluded", "the site"), ("exclusion rules applied", "the site")]
    restore_rater(campaign=campaign, pseudonym=name, by=None, now=ENDED + HOUR)
    assert apply_rules_after_closing(campaign=campaign, now=ENDED + 2 * HOUR) == ()
    assert excluded() == []


def test_two_looks_at_the_same_moment_apply_them_once(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = closing_by_itself()
    turn = turns.campaign_turn

    def after_another(**asked: Any) -> Any:
        monkeypatch.setattr(exclusion_rules, "campaign_turn", turn)
        assert apply_rules_after_closing(campaign=campaign, now=ENDED) != ()
        return turn(**asked)

    monkeypatch.setattr(exclusion_rules, "campaign_turn", after_another)
    assert apply_rules_after_closing(campaign=campaign, now=ENDED) == ()
    assert AuditEntry.objects.filter(action=exclusion_rules.RULES_APPLIED).count() == 1


def test_reopening_and_closing_again_applies_them_again() -> None:
    campaign = closing_by_itself()
    (name,) = apply_rules_after_closing(campaign=campaign, now=ENDED)
    restore_rater(campaign=campaign, pseudonym=name, by=None, now=ENDED)
    again = reopen_campaign(campaign=campaign, by=None, now=ENDED + HOUR)
    close_campaign(campaign=again, by=None, now=ENDED + 2 * HOUR)
    assert excluded() == [name]


def test_results_of_a_campaign_that_closed_by_itself_are_those_under_its_rules() -> None:
    campaign = closing_by_itself()
    report = kept_report(campaign=campaign, settings=CalibrationSettings(), now=ENDED)
    assert len(report.body["context"]["excluded_raters"]) == 1
    assert len(excluded()) == 1


@pytest.mark.parametrize("way", ["export", "page"])
def test_an_export_and_a_page_after_the_closing_time_set_the_rules_off(way: str) -> None:
    campaign = closing_by_itself()
    if way == "export":
        note_export(campaign=campaign, what=WhatToExport("csv"), now=ENDED)
    else:
        apply_rules_of_closed(slug="nowhere", now=ENDED)
        apply_rules_of_closed(slug=campaign.slug, now=ENDED)
    assert len(excluded()) == 1
