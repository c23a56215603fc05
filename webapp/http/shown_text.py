"""Texts that others wrote, deep inside what a page shows, with their invisible controls written
out: labels of imported systems turn up in sentences, tables and charts alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from annotation.services.calibration import KeptReport
from evaluation.formats.rich_text import show_controls


def report_with_controls_shown(report: KeptReport) -> KeptReport:
    """The report as a page may show it. Excluded raters keep their names, which are also
    addresses: the template shows those."""
    body = with_controls_shown(report.body)
    excluded = report.body["context"]["excluded_raters"]
    context = {**body["context"], "excluded_raters": excluded}
    judge = show_controls(report.judge)
    return replace(report, judge=judge, body={**body, "context": context})


def with_controls_shown(value: Any) -> Any:
    """Plain values of the same shape; names of fields that are texts of ours stay as they are."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else show_controls(value)
    if isinstance(value, Mapping):
        return {with_controls_shown(key): with_controls_shown(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [with_controls_shown(one) for one in value]
    return value
