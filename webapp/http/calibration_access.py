"""Who may have which form of a calibration report, and what having it leaves behind."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied

from annotation.queries.calibration_page import CalibrationPage, Reader, calibration_page
from annotation.services.audit import SITE, record
from annotation.services.calibration import KeptReport, kept_report
from annotation.services.campaigns import get_campaign
from annotation.services.unblinding import mark_unblinded
from webapp.forms.calibration import CalibrationChoice
from webapp.http.calibration_files import ReportFile, calibration_file
from webapp.http.roles import may_spend, voter

BUNDLE = "json"
"""It holds every vote with the systems of its pair."""

Person = User | AnonymousUser | Any


class ResultsKeptBack(PermissionDenied):
    """People are voting, and the reader may still be one of them; the message says so."""


def readable_report(
    user: Person, slug: str, choice: CalibrationChoice, *, now: dt.datetime
) -> KeptReport:
    """Raises NotFound, UnknownChoice and ResultsKeptBack."""
    readable_page(user, slug, now=now)
    return kept_report(
        campaign=get_campaign(slug), settings=choice.settings, judge=choice.judge, now=now
    )


def readable_file(
    user: Person, slug: str, choice: CalibrationChoice, *, name: str, what: str, now: dt.datetime
) -> ReportFile:
    """The report as a file, noted in the audit log. While people vote, the bundle is a lead's, and
    marks them: it says which systems stand in which pair. Raises as ``readable_report``."""
    page = readable_page(user, slug, now=now)
    campaign, person = get_campaign(slug), user if isinstance(user, User) else None
    if name == BUNDLE and page.is_live:
        if person is None or not may_spend(person):
            raise ResultsKeptBack("The bundle holds the votes; it opens when the campaign closes.")
        mark_unblinded(user=person, campaign_id=campaign.pk, what=what, now=now)
    report = kept_report(
        campaign=campaign,
        settings=choice.settings,
        judge=choice.judge,
        now=now,
        must_be_current=True,
    )
    made = calibration_file(campaign, report, name)
    record(
        action="exported the calibration",
        by=person,
        campaign=campaign,
        detail={"format": name, "report": report.report_hash},
        now=now,
        actor_name=SITE,
    )
    return made


def readable_page(user: Person, slug: str, *, now: dt.datetime) -> CalibrationPage:
    """Raises NotFound and ResultsKeptBack."""
    reader = Reader(is_lead=may_spend(user), **voter(user))
    page = calibration_page(slug, reader=reader, now=now)
    if page.kept_back:
        raise ResultsKeptBack(page.kept_back)
    return page
