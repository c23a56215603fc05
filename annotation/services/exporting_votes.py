"""A campaign's votes as a file: read in small parts, so that a million cost no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import User

from annotation.models import Campaign
from annotation.queries.exported_rows import WhatToExport, exported_checks, exported_rows, n_rows
from annotation.services import audit
from annotation.services.exclusion_rules import apply_rules_after_closing
from annotation.services.unblinding import mark_unblinded
from annotation.vote_formats.formats import render_checks, render_votes
from evaluation.services.exporting import whole_or_nothing

WHILE_OPEN: Final = "Made while the campaign was open: it says who wrote what."


@dataclass(frozen=True, slots=True)
class ExportedFile:
    path: Path
    n_rows: int
    n_bytes: int


def note_export(
    *,
    campaign: Campaign,
    what: WhatToExport,
    now: datetime,
    by: User | None = None,
    actor_name: str = audit.COMMAND,
) -> None:
    """The audit's entry of an export, after the rules of a campaign that has closed by itself. Who
    exports an open campaign sees who wrote what, and may not vote in it any more."""
    apply_rules_after_closing(campaign=campaign, now=now)
    embargoing = Campaign.objects.embargoing(now).filter(pk=campaign.pk)
    is_open = campaign.origin == Campaign.MEASURED and (
        campaign.opened_at is None or embargoing.exists()
    )
    detail: dict[str, Any] = {
        "format": what.format,
        "what": "checks" if what.checks else "votes",
        "n_rows": n_rows(campaign=campaign, what=what),
    }
    if is_open:
        detail["note"] = WHILE_OPEN
    if is_open and by is not None:
        mark_unblinded(
            user=by, campaign_id=campaign.pk, what=f"/campaigns/{campaign.slug}/export/", now=now
        )
    audit.record(
        action="votes exported", by=by, campaign=campaign, detail=detail, now=now,
        actor_name=actor_name,
    )  # fmt: skip


def export_votes(
    *,
    campaign: Campaign,
    what: WhatToExport,
    path: Path,
    on_progress: Callable[[int], None] | None = None,
) -> ExportedFile:
    """Write the export; the file appears whole or not at all. ``on_progress`` is told how many
    rows were read. The caller notes it in the audit. Raises OSError where it cannot be written."""
    n_written = 0

    def told(n_done: int) -> None:
        nonlocal n_written
        n_written = n_done
        if on_progress is not None:
            on_progress(n_done)

    with whole_or_nothing(path) as stream:
        for text in exported_texts(campaign=campaign, what=what, on_progress=told):
            stream.write(text.encode())
    return ExportedFile(path, n_written, path.stat().st_size)


def exported_texts(
    *,
    campaign: Campaign,
    what: WhatToExport,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[str]:
    """The export piece by piece, for a file or a download: the votes that were there when it
    began, in the order in which they were stored."""
    if what.checks:
        return render_checks(exported_checks(campaign, on_progress), what.format)
    return render_votes(exported_rows(campaign, what, on_progress), what.format)
