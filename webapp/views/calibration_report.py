"""What a template needs to show a calibration report."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

from django.http import HttpRequest

from annotation.queries.calibration_data import MODELS
from annotation.queries.calibration_page import CalibrationPage, pseudonyms
from annotation.queries.preferences_page import PreferenceRow, preference_rows
from annotation.services.calibration import KeptReport, why_not_adoptable
from annotation.services.campaigns import get_campaign
from webapp.forms.calibration import LEVELS, WIDTHS, CalibrationChoice, percents
from webapp.http.pages import wants_partial
from webapp.views.calibration_drawings import (
    agreement_chart,
    resolution_chart,
    resolution_table,
    system_table,
    tolerance_chart,
    tolerance_table,
)
from webapp.views.calibration_words import (
    HELP,
    adopted_here,
    comparisons,
    findings,
    lacks_scores,
    left_out,
    news_of,
    resolution_interval,
    wanted,
)

SHOWN_RATERS = 50
FORMATS = ("html", "md", "csv", "json")
"""The last one holds the votes, and is a lead's while people vote."""


def is_old_news(request: HttpRequest, page: CalibrationPage, report: KeptReport) -> bool:
    """Whether a polling page has everything already."""
    known = request.GET.get("known")
    return bool(known) and wants_partial(request) and known == news_of(page, report)


def report_context(
    page: CalibrationPage,
    report: KeptReport,
    choice: CalibrationChoice,
    *,
    is_lead: bool,
    now: dt.datetime,
) -> dict[str, Any]:
    body = report.body
    raters = _raters(report)
    names = pseudonyms(report.campaign, [one["rater"] for one in raters])
    reason = why_not_adoptable(get_campaign(report.campaign), report, now=now) if is_lead else ""
    return {
        "page": page,
        "report": report,
        "body": body,
        "choice": choice,
        "help": HELP,
        "news": news_of(page, report),
        "judges": _judges(report),
        "findings": findings(report),
        "lacks_scores": lacks_scores(report),
        "left_out": left_out(report),
        "preferences": _preferences(report),
        "levels": percents(LEVELS, choice.settings.agreement),
        "widths": percents(WIDTHS, choice.settings.target_width),
        "agreement": agreement_chart(body),
        "tolerance": tolerance_chart(body),
        "tolerance_rows": tolerance_table(body),
        "resolution": resolution_chart(body),
        "resolution_rows": resolution_table(body),
        "resolution_interval": _interval(body["resolution"]),
        "systems": system_table(body),
        "raters": [(names.get(one["rater"], ""), one) for one in raters],
        "n_more_raters": body["counts"].get("n_raters", 0) - len(raters),
        "comparisons": comparisons(report),
        "adopted": adopted_here(page, report),
        "why_not": reason,
        "wanted": wanted(body["stopping"]),
        "formats": FORMATS if is_lead or not page.is_live else FORMATS[:-1],
        "section": "calibration",
    }


def _judges(report: KeptReport) -> list[tuple[str, str, bool]]:
    """(value of the choice, name, whether it is chosen); the first is read without a choice.
    Judges that share a name, such as one under two prompts, are told apart by their keys."""
    judges = report.body["context"]["judges"]
    n_named = Counter(one["name"] for one in judges)
    options = []
    for place, one in enumerate(judges):
        is_shared = n_named[one["name"]] > 1
        value = one["key"] if is_shared else one["name"]
        name = f"{one['name']} #{one['key'][:6]}" if is_shared else one["name"]
        shown = f"{name}, a proxy" if one["is_proxy"] else name
        options.append((value if place else "", shown, one["key"] == report.judge_key))
    return options


def _preferences(report: KeptReport) -> tuple[PreferenceRow, ...]:
    """Only where language models gave the verdicts."""
    if report.body["context"]["voters"] != MODELS:
        return ()
    return preference_rows(report.campaign, data_hash=report.data_hash)


def _interval(section: dict[str, Any]) -> str:
    return "" if "undefined" in section else resolution_interval(section)


def _raters(report: KeptReport) -> list[dict[str, Any]]:
    """Those with the most votes."""
    rows = report.body["raters"].get("each", ())
    return sorted(rows, key=lambda one: (-one["n_votes"], one["rater"]))[:SHOWN_RATERS]
