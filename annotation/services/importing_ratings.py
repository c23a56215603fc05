"""Ratings of items by several people, as a study that agreement is measured on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from annotation.models import RatingMetric, RatingStudy
from annotation.services import audit
from annotation.vote_formats.formats import UnknownVoteFormat
from annotation.vote_formats.judge_bench import read_judge_bench
from annotation.vote_formats.rated_items import NOMINAL, RatedItems
from annotation.vote_formats.rating_matrix import read_rating_matrix
from annotation.vote_formats.rows import MAX_FILE_BYTES
from evaluation.source_files.reading import sha256_of, storable
from evaluation.source_files.refusals import WrongKindOfFile

JUDGE_BENCH, MATRIX = "judge-bench", "matrix"
FORMATS: Final = (JUDGE_BENCH, MATRIX)
LONGEST_SLUG: Final = 80


class StudyUnnameable(WrongKindOfFile):
    """A study of this name exists, or no study can have the name."""

    def __init__(self, name: str, reason: str) -> None:
        self.option = "name"
        super().__init__(Path(name or "name"), reason)


@dataclass(frozen=True, slots=True)
class ImportedRatings:
    study: RatingStudy
    n_items: int
    n_metrics: int
    n_ratings: int


@transaction.atomic
def import_ratings(
    *,
    name: str,
    path: Path,
    now: datetime,
    format: str = JUDGE_BENCH,
    level: str = NOMINAL,
    by: User | None = None,
    actor_name: str = audit.COMMAND,
    max_bytes: int = MAX_FILE_BYTES,
) -> ImportedRatings:
    """Read a file of ratings and store it as the new study ``name``: all of it, or nothing.
    ``level`` is that of a matrix; JUDGE-BENCH states its own. Raises StudyUnnameable where the
    study exists, UnknownVoteFormat, and WrongKindOfFile (BrokenRows)."""
    slug = slugify(name)[:LONGEST_SLUG].strip("-")
    if not slug:
        raise StudyUnnameable(name, "a name needs a letter of the Latin alphabet or a digit")
    if RatingStudy.objects.filter(slug=slug).exists():
        raise StudyUnnameable(name, f"the study “{slug}” exists already")
    items = _read(path, format, level, max_bytes)
    digest = sha256_of(path, max_bytes=max_bytes)
    source = {"format": format, "file": path.name, "sha256": digest, "url": items.url}
    study = RatingStudy.objects.create(
        slug=slug, name=storable(items.name), source=source, created_at=now
    )
    RatingMetric.objects.bulk_create(
        [
            RatingMetric(
                study=study,
                name=metric.name,
                level=metric.level,
                scale=list(metric.scale),
                ratings=[list(ratings) for ratings in metric.ratings],
                n_items=len(metric.ratings),
                n_ratings=metric.n_ratings,
            )
            for metric in items.metrics
        ]
    )
    n_ratings = sum(metric.n_ratings for metric in items.metrics)
    audit.record(
        action="ratings imported", by=by, campaign=None, now=now, actor_name=actor_name,
        detail={**source, "study": slug, "n_ratings": n_ratings},
    )  # fmt: skip
    return ImportedRatings(study, len(items.item_ids), len(items.metrics), n_ratings)


def _read(path: Path, format: str, level: str, max_bytes: int) -> RatedItems:
    if format == JUDGE_BENCH:
        return read_judge_bench(path, max_bytes=max_bytes)
    if format == MATRIX:
        return read_rating_matrix(path, level=level, max_bytes=max_bytes)
    raise UnknownVoteFormat(format, FORMATS, "read from")
