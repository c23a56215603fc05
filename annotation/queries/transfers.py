"""What the pages of imports and exports show."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.db.models import QuerySet

from annotation.models import Campaign, Pair, Transfer, Vote
from evaluation.queries.choices import NotFound

TransferState = Literal["waiting", "reading", "storing", "writing", "finished", "failed"]
SHOWN_TRANSFERS = 10


@dataclass(frozen=True, slots=True)
class TransferRow:
    """``n_total`` is None until it is known. ``outcome``: what was done, or what failed."""

    public_id: str
    kind: str
    file_format: str
    name: str
    campaign: str
    state: TransferState
    n_total: int | None
    n_done: int
    outcome: str
    created_at: dt.datetime
    finished_at: dt.datetime | None
    made_by: str
    has_file: bool

    @property
    def is_live(self) -> bool:
        return self.state not in ("finished", "failed")


@dataclass(frozen=True, slots=True)
class ExportPage:
    """``is_open``: an export now says who wrote what that people still vote on."""

    slug: str
    name: str
    is_open: bool
    is_simulated: bool
    n_votes: int
    n_counted: int
    n_checks: int
    transfers: tuple[TransferRow, ...]


def transfer_row(public_id: str) -> TransferRow:
    """In one query. Raises NotFound."""
    found = Transfer.objects.select_related("campaign", "made_by").filter(public_id=public_id)
    transfer = found.first()
    if transfer is None:
        raise NotFound("import or export", public_id)
    return _row(transfer)


def recent_imports() -> tuple[TransferRow, ...]:
    """The newest first, in one query."""
    imports = Transfer.objects.filter(kind=Transfer.IMPORT)
    return tuple(_row(transfer) for transfer in _newest(imports))


def export_page(slug: str, *, now: dt.datetime) -> ExportPage:
    """In four queries. Raises NotFound."""
    campaign = Campaign.objects.select_related("tally").filter(slug=slug).first()
    if campaign is None:
        raise NotFound("campaign", slug)
    tally = getattr(campaign, "tally", None)
    checks = Vote.objects.filter(campaign=campaign).exclude(pair__kind=Pair.VOTE)
    exports = Transfer.objects.filter(kind=Transfer.EXPORT, campaign=campaign)
    return ExportPage(
        slug=campaign.slug,
        name=campaign.name,
        is_open=Campaign.objects.embargoing(now).filter(pk=campaign.pk).exists(),
        is_simulated=campaign.is_simulated,
        n_votes=tally.n_votes if tally else 0,
        n_counted=tally.n_counted if tally else 0,
        n_checks=checks.count(),
        transfers=tuple(_row(transfer) for transfer in _newest(exports)),
    )


def exported_file(public_id: str) -> Path:
    """The file of a finished export. Raises NotFound where there is none (any more)."""
    transfer = Transfer.objects.filter(
        public_id=public_id, kind=Transfer.EXPORT, finished_at__isnull=False
    ).first()
    path = _file_of(transfer) if transfer else None
    if path is None:
        raise NotFound("export", public_id)
    return path


def _newest(transfers: QuerySet[Transfer]) -> QuerySet[Transfer]:
    related = transfers.select_related("campaign", "made_by")
    return related.order_by("-created_at", "-pk")[:SHOWN_TRANSFERS]


def _row(transfer: Transfer) -> TransferRow:
    campaign = transfer.campaign
    named = campaign.name if campaign else transfer.options.get("name", "")
    return TransferRow(
        public_id=transfer.public_id,
        kind=transfer.kind,
        file_format=transfer.file_format,
        name=named,
        campaign=campaign.slug if campaign else "",
        state=_state(transfer),
        n_total=transfer.n_total,
        n_done=transfer.n_done,
        outcome=transfer.outcome,
        created_at=transfer.created_at,
        finished_at=transfer.finished_at,
        made_by=transfer.made_by.get_username() if transfer.made_by else "",
        has_file=transfer.kind == Transfer.EXPORT and _file_of(transfer) is not None,
    )


def _state(transfer: Transfer) -> TransferState:
    if transfer.finished_at is not None:
        return "finished"
    if transfer.failed_at is not None:
        return "failed"
    if transfer.started_at is None:
        return "waiting"
    if transfer.kind == Transfer.EXPORT:
        return "writing"
    return "reading" if transfer.n_total is None else "storing"


def _file_of(transfer: Transfer) -> Path | None:
    if transfer.finished_at is None or not transfer.file_path:
        return None
    path = Path(settings.MEMJURY_DATA) / transfer.file_path
    return path if path.is_file() else None
