"""Reading the audit log of a campaign."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

from annotation.models import AuditEntry, Campaign
from annotation.queries.campaign import AuditPage, AuditRow
from annotation.queries.campaign_heads import head_of, read_campaign

ROWS_A_PAGE = 50
LONGEST_VALUE = 300


def audit_page(slug: str, *, now: dt.datetime, page: int = 1) -> AuditPage:
    """Newest first, 50 a page. Raises NotFound."""
    campaign = read_campaign(slug)
    n_entries = AuditEntry.objects.filter(campaign=campaign).count()
    n_pages = max(1, math.ceil(n_entries / ROWS_A_PAGE))
    shown = min(page, n_pages)
    rows = newest_entries(campaign, first=(shown - 1) * ROWS_A_PAGE, n=ROWS_A_PAGE)
    return AuditPage(head_of(campaign, now=now), rows, shown, n_pages)


def newest_entries(campaign: Campaign, *, n: int, first: int = 0) -> tuple[AuditRow, ...]:
    """``n`` entries of the campaign from the place ``first`` on, newest first."""
    entries = AuditEntry.objects.filter(campaign=campaign).order_by("-at", "-pk")
    return tuple(
        AuditRow(entry.at, entry.actor_name, entry.action, detail_of(entry.detail))
        for entry in entries[first : first + n]
    )


def detail_of(detail: Any) -> tuple[tuple[str, str], ...]:
    """Name and value of each thing an entry says, long values cut."""
    if not isinstance(detail, dict):
        return (("detail", _said(detail)),) if detail else ()
    return tuple((_name(str(name)), _said(value)) for name, value in detail.items())


def _name(name: str) -> str:
    """``n_waiting_for_review`` is said as "waiting for review"."""
    return name.removeprefix("n_").removeprefix("is_").replace("_", " ")


def _said(value: Any) -> str:
    if isinstance(value, list | tuple):
        text = ", ".join(_said(one) for one in value)
    elif isinstance(value, dict):
        text = "; ".join(f"{name}: {_said(one)}" for name, one in value.items())
    elif value is None:
        text = "none"
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
