"""Imports and exports of votes as transfers: small ones at once, large ones by a worker.

A transfer can be done twice without harm: an import is stored in one transaction that ends the
transfer too, and an export replaces its whole file. One that a killed worker left open is done
again by whoever is asked next.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from celery import current_app
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerError

from annotation.models import Campaign, Transfer
from annotation.queries.exported_rows import WhatToExport, n_rows
from annotation.services.campaigns import get_campaign
from annotation.services.exporting_votes import export_votes, exported_texts, note_export
from annotation.services.importing_votes import ImportedVotes, free_slug, import_votes
from annotation.services.transfer_files import (
    FOLDER,
    GONE,
    Upload,
    folder_of,
    keep_uploads,
    remove_files,
    remove_old_files,
)
from annotation.vote_formats.formats import ENDINGS, READERS, UnknownVoteFormat
from annotation.vote_formats.rows import ReadOptions
from evaluation.source_files.refusals import WrongKindOfFile

TASK: Final = "annotation.tasks.do_transfer"
SMALL_IMPORT_BYTES: Final = 1024 * 1024
SMALL_EXPORT_ROWS: Final = 5_000
MOST_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Download:
    """An export that is small enough to be sent at once."""

    file_name: str
    texts: Iterator[str]


def start_import(
    *,
    name: str,
    uploads: Sequence[Upload],
    format: str,
    by: User | None,
    now: datetime,
    options: ReadOptions | None = None,
) -> Transfer:
    """Keep the files and import them: small ones before this returns, else by a worker.

    Raises CampaignUnnameable, UnknownVoteFormat and, for small files, whatever importing refuses;
    then nothing is kept.
    """
    free_slug(name)
    if format not in READERS:
        raise UnknownVoteFormat(format, READERS, "read from")
    chosen = options or ReadOptions()
    transfer = Transfer(
        public_id=secrets.token_urlsafe(16),
        kind=Transfer.IMPORT,
        file_format=format,
        options={
            "name": name,
            "systems": list(chosen.systems) if chosen.systems else None,
            "question": chosen.question,
            "models": chosen.models,
        },
        made_by=by,
        created_at=now,
    )
    transfer.file_path = f"{FOLDER}/{transfer.public_id}"
    try:
        n_bytes = keep_uploads(transfer, uploads)
        transfer.save()
        if n_bytes <= SMALL_IMPORT_BYTES:
            _import(transfer, now)
        else:
            hand_over(transfer)
    except BaseException:
        remove_files(transfer)
        Transfer.objects.filter(pk=transfer.pk, finished_at=None).delete()
        raise
    remove_old_files(now=now)
    return transfer


def start_export(
    *, slug: str, what: WhatToExport, by: User | None, now: datetime
) -> Download | Transfer:
    """A download where the campaign has few votes, else a transfer for a worker. Either is noted
    in the audit. Raises CampaignNotFound."""
    campaign = get_campaign(slug)
    n_total = n_rows(campaign=campaign, what=what)
    with transaction.atomic():
        note_export(campaign=campaign, what=what, by=by, now=now)
        if n_total <= SMALL_EXPORT_ROWS:
            return Download(
                export_name(campaign, what), exported_texts(campaign=campaign, what=what)
            )
        public_id = secrets.token_urlsafe(16)
        transfer = Transfer.objects.create(
            public_id=public_id,
            kind=Transfer.EXPORT,
            campaign=campaign,
            file_format=what.format,
            file_path=f"{FOLDER}/{public_id}/{export_name(campaign, what)}",
            options={"checks": what.checks},
            n_total=n_total,
            made_by=by,
            created_at=now,
        )
    hand_over(transfer)
    remove_old_files(now=now)
    return transfer


def do_transfer(*, transfer_id: int, now: datetime) -> None:
    """Do it, unless it is done. What its maker can put right ends it with one sentence; anything
    else ends it too and is raised. A transfer that its worker died of three times is given up."""
    transfer = Transfer.objects.filter(pk=transfer_id, finished_at=None, failed_at=None).first()
    if transfer is None:
        return
    n_attempts = transfer.options.get("n_attempts", 0) + 1
    if n_attempts > MOST_ATTEMPTS:
        _fail(transfer, "It was given up: the worker ended each time it was tried.", now)
        return
    transfer.options = {**transfer.options, "n_attempts": n_attempts}
    transfer.started_at = transfer.started_at or now
    transfer.save(update_fields=["options", "started_at"])
    try:
        if transfer.kind == Transfer.IMPORT:
            _import(transfer, now)
        else:
            _export(transfer, now)
    except TransferDone:
        return
    except WrongKindOfFile as refusal:
        _fail(transfer, str(refusal), now)
    except Exception:
        # Two deliveries at once: the second may stumble over what the first has just stored.
        if _fail(transfer, "Something unexpected went wrong; the site's log says what.", now):
            raise


def resume_unfinished_transfers() -> None:
    """Hand out again what nobody ended."""
    for transfer in Transfer.objects.filter(finished_at=None, failed_at=None).order_by("pk"):
        hand_over(transfer)


def hand_over(transfer: Transfer) -> None:
    """To a worker, once the current transaction is committed. Without a broker it waits for the
    next start of a worker."""

    def send() -> None:
        try:
            current_app.send_task(TASK, args=[transfer.pk])
        except BrokerError:
            return

    transaction.on_commit(send)


def export_name(campaign: Campaign, what: WhatToExport) -> str:
    """Such as toy-votes.csv."""
    kind = "checks" if what.checks else "arena" if what.format == "arena" else "votes"
    return f"{campaign.slug}-{kind}.{ENDINGS[what.format]}"


class TransferDone(Exception):
    """Somebody else ended the transfer meanwhile."""


def _import(transfer: Transfer, now: datetime) -> None:
    folder = folder_of(transfer)
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    if not paths:
        raise WrongKindOfFile(Path(transfer.options["name"]), GONE)
    asked = transfer.options
    imported = import_votes(
        name=asked["name"],
        paths=paths,
        format=transfer.file_format,
        now=now,
        by=transfer.made_by,
        actor_name="the site",
        options=ReadOptions(
            systems=tuple(asked["systems"]) if asked["systems"] else None,
            question=asked["question"],
            models=asked["models"],
        ),
        on_read=lambda n: _tell(transfer, n_total=n),
        on_stored=lambda done: _end_import(transfer, done, now),
    )
    transfer.campaign = imported.campaign
    shutil.rmtree(folder, ignore_errors=True)


def _end_import(transfer: Transfer, imported: ImportedVotes, now: datetime) -> None:
    """In the transaction that stores the campaign: whoever comes second undoes their own."""
    _end(
        transfer,
        now,
        campaign=imported.campaign,
        n_done=imported.n_votes + imported.n_unscored,
        outcome=" ".join([imported.sentence, *imported.notes]),
    )


def _export(transfer: Transfer, now: datetime) -> None:
    path = Path(settings.MEMJURY_DATA) / transfer.file_path
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if transfer.campaign is None:
        raise WrongKindOfFile(path, "its campaign is gone")
    done = export_votes(
        campaign=transfer.campaign,
        what=WhatToExport(transfer.file_format, bool(transfer.options["checks"])),
        path=path,
        on_progress=lambda n: _tell(transfer, n_done=n),
    )
    outcome = f"{done.n_rows:,} rows, {done.n_bytes:,} bytes."
    _end(transfer, now, n_done=done.n_rows, outcome=outcome)


def _end(transfer: Transfer, now: datetime, **values: object) -> None:
    is_open = Transfer.objects.filter(pk=transfer.pk, finished_at=None, failed_at=None)
    if not is_open.update(finished_at=now, **values):
        raise TransferDone(transfer.public_id)
    transfer.finished_at = now


def _tell(transfer: Transfer, **counts: int) -> None:
    Transfer.objects.filter(pk=transfer.pk).update(**counts)


def _fail(transfer: Transfer, sentence: str, now: datetime) -> bool:
    """False where it had ended well before."""
    is_open = Transfer.objects.filter(pk=transfer.pk, finished_at=None)
    if not is_open.update(failed_at=now, outcome=sentence):
        return False
    remove_files(transfer)
    return True
