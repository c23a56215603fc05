"""Making the card of a benchmark that was loaded from files."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from evaluation.records import Card
from evaluation.source_files.reading import MAX_FILE_BYTES, read_bytes

UNSTATED_LICENCE = "not stated"
MAX_SLUG_CHARS = 80
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SHOWN_DIGEST_CHARS = 16


class SlugUnusable(ValueError):
    """The slug is not lower-case letters and digits joined by single hyphens, or is too long."""


def slug_from(name: str) -> str:
    """A slug made of a file's or folder's name: ``COVID-QA_v2.json`` gives ``covid-qa-v2-json``.
    Raises SlugUnusable when no letter or digit is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))[:MAX_SLUG_CHARS].strip("-")
    return checked_slug(slug)


def checked_slug(slug: str) -> str:
    if not _SLUG.fullmatch(slug) or len(slug) > MAX_SLUG_CHARS:
        raise SlugUnusable(
            f"“{slug}” cannot be a slug: use lower-case letters and digits joined by single "
            f"hyphens, at most {MAX_SLUG_CHARS} characters"
        )
    return slug


def card_for(
    path: Path,
    *,
    family: str,
    format_name: str,
    files: Iterable[Path],
    slug: str | None,
    title: str | None,
    licence: str | None,
    description: str = "",
    citation: str = "",
    slice_file: Path | None = None,
    max_bytes: int = MAX_FILE_BYTES,
) -> Card:
    """The card of what stands at ``path``. Its source names the file or folder and the start of
    the SHA-256 over ``files`` (names and bytes), so that a changed file shows."""
    digest = hashlib.sha256()
    for file in sorted(files):
        name = file.relative_to(path).as_posix() if path in file.parents else file.name
        digest.update(name.encode() + b"\0")
        digest.update(hashlib.sha256(read_bytes(file, max_bytes=max_bytes)).digest())
    stem = path.stem if path.is_file() else path.name
    source = f"{path.name} ({format_name}, SHA-256 {digest.hexdigest()[:_SHOWN_DIGEST_CHARS]}…)"
    if slice_file is not None:
        source += f", slice {slice_file.name}"
    return Card(
        slug=checked_slug(slug) if slug else slug_from(stem),
        title=title or stem.replace("_", " "),
        family=family,
        licence=licence or UNSTATED_LICENCE,
        citation=citation,
        source=source,
        description=description,
    )
