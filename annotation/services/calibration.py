"""Calibration reports: computed when something changed, kept, and adopted by a lead."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.contrib.auth.models import User
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerError

from annotation.calibration.bundle import report_hash_of
from annotation.calibration.data import CalibrationData
from annotation.calibration.report import REPORT_VERSION, compute_report
from annotation.calibration.settings import CalibrationSettings
from annotation.models import CalibrationReport, Campaign, CampaignTally
from annotation.queries.calibration_context import judges_of_pairs, report_context
from annotation.queries.calibration_data import calibration_data
from annotation.services.audit import record
from annotation.services.exclusion_rules import apply_rules_after_closing
from annotation.services.standing import is_over
from evaluation.models import AdoptedResolution, Judge
from evaluation.queries.choices import UnknownChoice

TASK = "annotation.tasks.compute_report"
HELD = ("decisive", "tolerance", "resolution")
"""The sections that are also computed with the votes of excluded raters."""
SLOW_SECONDS = 1.0
OLD_AT_MOST = timedelta(minutes=10)
BETWEEN_TASKS = timedelta(seconds=15)
MOST_KEPT = 60
"""Choices of readers whose reports one campaign keeps."""


class CannotAdopt(Exception):
    """The report gives no resolution that a board could use; the message says why."""


class ReportOutOfDate(Exception):
    """The votes are not those of the report any more."""


@dataclass(frozen=True, slots=True)
class KeptReport:
    """``body``: section → values (annotation.calibration.report), with ``context`` and
    ``including_excluded`` beside. ``is_current``: nothing was voted or changed since.
    ``report_hash``: of settings, judge, data and every number."""

    campaign: str
    judge: str
    judge_key: str
    settings: CalibrationSettings
    version: int
    is_current: bool
    computed_at: datetime
    seconds: float
    data_hash: str
    report_hash: str
    body: Mapping[str, Any]


def kept_report(
    *,
    campaign: Campaign,
    settings: CalibrationSettings,
    now: datetime,
    judge: str = "",
    must_be_current: bool = False,
) -> KeptReport:
    """The campaign's report by a judge (its reference judge by default).

    One that takes long to compute may be some minutes old: it says so, and a worker computes the
    next; ``must_be_current`` computes it here. Raises UnknownChoice for a judge that has not
    scored the campaign's pairs.
    """
    apply_rules_after_closing(campaign=campaign, now=now)
    judge_row = chosen_judge(campaign, judge)
    version = _version(campaign)
    kept = CalibrationReport.objects.filter(
        campaign=campaign, settings_key=_key(settings, judge_row)
    ).first()
    if kept is not None and kept.version == version:
        return _report(kept, campaign, judge_row, settings, is_current=True)
    may_be_old = (
        kept is not None
        and not must_be_current
        and kept.body["seconds"] > SLOW_SECONDS
        and now - kept.computed_at < OLD_AT_MOST
    )
    if kept is not None and may_be_old:
        if now - kept.computed_at > BETWEEN_TASKS and not _ask_worker(campaign, settings, judge):
            return computed_report(campaign=campaign, settings=settings, now=now, judge=judge)
        return _report(kept, campaign, judge_row, settings, is_current=False)
    return computed_report(campaign=campaign, settings=settings, now=now, judge=judge)


def computed_report(
    *, campaign: Campaign, settings: CalibrationSettings, now: datetime, judge: str = ""
) -> KeptReport:
    """Compute the report and keep it. Votes go on meanwhile: the version is read first, so that a
    vote which comes too late for the numbers makes them old. Raises UnknownChoice."""
    started = time.monotonic()
    judge_row = chosen_judge(campaign, judge)
    judge_id = judge_row.pk if judge_row else None
    version = _version(campaign)
    data = calibration_data(campaign, judge_id=judge_id, with_excluded=settings.with_excluded)
    context = report_context(campaign, judge=judge_row)
    body = {
        "context": context,
        **compute_report(data, settings),
        "including_excluded": None,
    }
    if context["excluded_raters"] and not settings.with_excluded:
        everyone = calibration_data(campaign, judge_id=judge_id, with_excluded=True)
        body["including_excluded"] = compute_report(everyone, settings, only=HELD)
    kept, _ = CalibrationReport.objects.update_or_create(
        campaign=campaign,
        settings_key=_key(settings, judge_row),
        defaults={
            "version": version,
            "data_hash": data.sha256,
            "body": {**body, "seconds": time.monotonic() - started},
            "computed_at": now,
        },
    )
    _forget_oldest(campaign)
    return _report(kept, campaign, judge_row, settings, is_current=True)


def bundle_data(
    *, campaign: Campaign, report: KeptReport
) -> tuple[CalibrationData, CalibrationData | None]:
    """The votes that a current report was computed from, and those with excluded raters where it
    has such sections. Raises ReportOutOfDate when they are others by now."""
    judge = chosen_judge(campaign, report.judge_key)
    judge_id = judge.pk if judge else None
    data = calibration_data(
        campaign, judge_id=judge_id, with_excluded=report.settings.with_excluded
    )
    if data.sha256 != report.data_hash:
        raise ReportOutOfDate("votes came in while the report was read: ask for it again")
    if report.body["including_excluded"] is None:
        return data, None
    return data, calibration_data(campaign, judge_id=judge_id, with_excluded=True)


def refresh_report(
    *, campaign_id: int, settings: CalibrationSettings, judge: str, now: datetime
) -> None:
    """What a worker does: compute the report unless it is current by now."""
    campaign = Campaign.objects.select_related("benchmark", "protocol", "judge").get(pk=campaign_id)
    kept_report(campaign=campaign, settings=settings, judge=judge, now=now, must_be_current=True)


def chosen_judge(campaign: Campaign, name: str) -> Judge | None:
    """By key or name (of several with the name the first), or the reference judge; None where no
    judge scored the pairs. Raises UnknownChoice."""
    judges = judges_of_pairs(campaign)
    if not name:
        return campaign.judge or next(iter(judges), None)
    for judge in judges:
        if name in {judge.name, judge.key}:
            return judge
    raise UnknownChoice("judge", name, tuple(judge.name for judge in judges))


@transaction.atomic
def adopt_resolution(
    *,
    campaign: Campaign,
    settings: CalibrationSettings,
    by: User | None,
    now: datetime,
    judge: str = "",
) -> AdoptedResolution:
    """Make the report's resolution the one that the benchmark's boards of this judge read.

    Raises CannotAdopt and UnknownChoice.
    """
    report = kept_report(
        campaign=campaign, settings=settings, judge=judge, now=now, must_be_current=True
    )
    judge_row = chosen_judge(campaign, judge)
    reason = why_not_adoptable(campaign, report, now=now)
    if reason or judge_row is None or campaign.benchmark is None:
        raise CannotAdopt(reason or "no judge has scored the pairs of this campaign")
    found = report.body["resolution"]
    low, high = found["low_hundredths"], found["high_hundredths"]
    adopted = AdoptedResolution.objects.create(
        benchmark=campaign.benchmark,
        judge=judge_row,
        value=found["gap_hundredths"] / 100,
        low=None if low is None else low / 100,
        high=None if high is None else high / 100,
        level=found["agreement"],
        n_pairs=found["n_decisive"],
        report_hash=report.report_hash,
        report_name=campaign.slug,
        adopted_by=by,
        adopted_at=now,
    )
    detail = {"judge": judge_row.name, "points": adopted.value, "report": report.report_hash}
    record(action="adopted the resolution", by=by, campaign=campaign, detail=detail, now=now)
    return adopted


@transaction.atomic
def withdraw_resolution(*, campaign: Campaign, by: User | None, now: datetime) -> int:
    """Boards stop reading what was adopted from this campaign. Returns how many were withdrawn;
    raises CannotAdopt when there is none."""
    standing = AdoptedResolution.objects.filter(report_name=campaign.slug, withdrawn_at=None)
    n_withdrawn = standing.update(withdrawn_at=now)
    if not n_withdrawn:
        raise CannotAdopt("nothing of this campaign is adopted")
    record(action="withdrew the resolution", by=by, campaign=campaign, detail={}, now=now)
    return n_withdrawn


def why_not_adoptable(campaign: Campaign, report: KeptReport, *, now: datetime) -> str:
    """Empty where a lead may adopt the report's resolution, else the reason in one sentence."""
    found = report.body["resolution"]
    if campaign.is_simulated:
        return "the votes are simulated: they say nothing about people"
    if campaign.origin != Campaign.MEASURED or campaign.benchmark_id is None:
        return "the votes were imported: they are not about answers that were measured here"
    if not report.body["context"]["is_blind_to_retrieval"]:
        return "raters saw the retrieved context, so the vote was not blind to retrieval"
    if report.settings.with_excluded:
        return "the report counts excluded raters"
    if not is_over(campaign, now):
        return "the campaign is still open: close it first, so that the report stays as it is"
    if "undefined" in found:
        return str(found["undefined"])
    if found["gap_hundredths"] is None:
        return str(found["sentence"])
    return ""


def _forget_oldest(campaign: Campaign) -> None:
    of_campaign = CalibrationReport.objects.filter(campaign=campaign)
    newest = of_campaign.order_by("-computed_at", "-pk").values("pk")[:MOST_KEPT]
    if of_campaign.count() > MOST_KEPT:
        of_campaign.exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()


def _version(campaign: Campaign) -> int:
    return CampaignTally.objects.values_list("version", flat=True).get(campaign=campaign)


def _key(settings: CalibrationSettings, judge: Judge | None) -> str:
    parts = f"{REPORT_VERSION} {settings.key} {judge.key if judge else ''}"
    return hashlib.sha256(parts.encode()).hexdigest()


def _ask_worker(campaign: Campaign, settings: CalibrationSettings, judge: str) -> bool:
    """Whether a worker could be asked; the same request twice computes the same report."""
    try:
        current_app.send_task(TASK, args=[campaign.pk, settings.as_json(), judge])
    except BrokerError:
        return False
    return True


def _report(
    kept: CalibrationReport,
    campaign: Campaign,
    judge: Judge | None,
    settings: CalibrationSettings,
    *,
    is_current: bool,
) -> KeptReport:
    body = {name: of for name, of in kept.body.items() if name != "seconds"}
    numbers = {name: of for name, of in body.items() if name != "context"}
    return KeptReport(
        campaign=campaign.slug,
        judge=judge.name if judge else "",
        judge_key=judge.key if judge else "",
        settings=settings,
        version=kept.version,
        is_current=is_current,
        computed_at=kept.computed_at,
        seconds=kept.body["seconds"],
        data_hash=kept.data_hash,
        report_hash=report_hash_of(
            settings,
            judge_key=judge.key if judge else "",
            data_hash=kept.data_hash,
            numbers=numbers,
        ),
        body=body,
    )
