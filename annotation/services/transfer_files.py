"""What transfers keep in the data folder while they need it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db.models import Q

from annotation.models import Transfer
from annotation.vote_formats.rows import MAX_FILE_BYTES
from evaluation.services.uploads import safe_name
from evaluation.source_files.refusals import WrongKindOfFile

FOLDER: Final = "transfers"
MOST_FILES: Final = 50
KEPT_FOR: Final = timedelta(days=7)
GONE: Final = (
    "The uploaded file is not in this machine's data folder any more (or was never there: "
    "workers on other machines need the same folder). Upload it again."
)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it comes through the page."""

    name: str
    chunks: Iterable[bytes]


def folder_of(transfer: Transfer) -> Path:
    return Path(settings.MEMJURY_DATA) / FOLDER / transfer.public_id


def keep_uploads(transfer: Transfer, uploads: Sequence[Upload]) -> int:
    """The uploads in a folder of their own; returns their bytes. Raises WrongKindOfFile."""
    if not 0 < len(uploads) <= MOST_FILES:
        raise WrongKindOfFile(Path("files"), f"give 1 to {MOST_FILES} files")
    folder = folder_of(transfer)
    folder.mkdir(mode=0o700, parents=True)
    n_bytes = 0
    for upload in uploads:
        path = folder / safe_name(upload.name)
        if path.exists():
            raise WrongKindOfFile(path, "two of the files have this name")
        with path.open("xb") as stream:
            for chunk in upload.chunks:
                n_bytes += len(chunk)
                if n_bytes > MAX_FILE_BYTES:
                    reason = f"larger than the limit of {MAX_FILE_BYTES:,} bytes"
                    raise WrongKindOfFile(path, reason)
                stream.write(chunk)
    return n_bytes


def remove_files(transfer: Transfer) -> None:
    shutil.rmtree(folder_of(transfer), ignore_errors=True)


def remove_old_files(*, now: datetime) -> None:
    """What a transfer left in the data folder is kept for a week after its end."""
    ended = Q(finished_at__lt=now - KEPT_FOR) | Q(failed_at__lt=now - KEPT_FOR)
    for transfer in Transfer.objects.filter(ended).exclude(file_path=""):
        remove_files(transfer)
        Transfer.objects.filter(pk=transfer.pk).update(file_path="")
