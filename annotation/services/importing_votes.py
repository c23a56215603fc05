"""Votes that were cast elsewhere, as a closed campaign of their own."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign
from annotation.services import audit
from annotation.services.campaigns import TAKEN_WORDS
from annotation.services.imported_campaigns import store_layout
from annotation.vote_formats.formats import OWN, read_votes
from annotation.vote_formats.layout import NOT_STATED, Layout, lay_out
from annotation.vote_formats.rows import MODEL, ReadOptions, VoteFile
from evaluation.source_files.reading import storable
from evaluation.source_files.refusals import WrongKindOfFile

LONGEST_NAME: Final = 200
LONGEST_SLUG: Final = 80
DECISION: Final = "What the raters were asked is not stated by the imported file."
NOT_DRAWN: Final = "The pairs were not drawn by us: how they were chosen is not known."
DRAWN_BEFORE: Final = (
    "The pairs and their inclusion probabilities are as the file states them; only pairs with "
    "votes are in it."
)


class CampaignUnnameable(WrongKindOfFile):
    """A campaign of this name exists, or no campaign can have the name."""

    def __init__(self, name: str, reason: str) -> None:
        self.option = "name"
        super().__init__(Path(name or "name"), reason)


@dataclass(frozen=True, slots=True)
class ImportedVotes:
    """``n_votes`` are stored and ``n_counted`` of them count; ``n_unscored`` verdicts could not
    be read and are kept apart. ``notes`` say what was made of the file."""

    campaign: Campaign
    n_votes: int
    n_counted: int
    n_unscored: int
    n_pairs: int
    n_raters: int
    n_systems: int
    n_questions: int
    notes: tuple[str, ...]

    @property
    def sentence(self) -> str:
        unscored = f", {_many(self.n_unscored, 'verdict')} unscored" if self.n_unscored else ""
        return (
            f"{_many(self.n_votes, 'vote')} of {_many(self.n_raters, 'rater')} on "
            f"{_many(self.n_pairs, 'pair')} of {_many(self.n_systems, 'system')} imported as "
            f"{self.campaign.slug}{unscored}."
        )


def import_votes(
    *,
    name: str,
    paths: Sequence[Path],
    format: str,
    now: datetime,
    by: User | None = None,
    actor_name: str = audit.COMMAND,
    options: ReadOptions | None = None,
    seed: int = 1,
    on_read: Callable[[int], None] | None = None,
    on_stored: Callable[[ImportedVotes], None] | None = None,
) -> ImportedVotes:
    """Read the files and store them as the new campaign ``name``: all of it, or nothing.

    ``on_read`` is told the number of rows before anything is stored; ``on_stored`` is called in
    the transaction that stores. Raises CampaignUnnameable where the campaign exists,
    UnknownVoteFormat, and WrongKindOfFile (often as BrokenRows) for what cannot be taken.
    """
    slug = free_slug(name)
    file = read_votes(paths, format, options=options)
    layout = lay_out(file.rows, seed=seed, path=paths[0])
    if on_read is not None:
        on_read(len(file.rows))
    source = _source(paths, format, file, layout)
    with transaction.atomic():
        free_slug(name)
        campaign = _campaign(name, slug, format, layout, source, seed=seed, by=by, now=now)
        store_layout(campaign=campaign, layout=layout, now=now)
        imported = ImportedVotes(
            campaign=campaign,
            n_votes=len(layout.votes),
            n_counted=layout.n_counted,
            n_unscored=len(layout.unscored),
            n_pairs=len(layout.pairs),
            n_raters=len(layout.raters),
            n_systems=len(layout.systems),
            n_questions=len(layout.questions),
            notes=tuple(source["notes"]),
        )
        audit.record(
            action="votes imported", by=by, campaign=campaign, now=now, actor_name=actor_name,
            detail={"format": format, "files": source["files"], "n_votes": imported.n_votes},
        )  # fmt: skip
        if on_stored is not None:
            on_stored(imported)
    return imported


def free_slug(name: str) -> str:
    """The slug of a campaign that can be made. Raises CampaignUnnameable."""
    shown = storable(name).strip()
    if not shown or len(shown) > LONGEST_NAME:
        raise CampaignUnnameable(shown[:60], f"a name has 1 to {LONGEST_NAME} characters")
    # A name without a letter of the Latin alphabet still needs an address.
    slug = slugify(shown)[:LONGEST_SLUG].strip("-") or (
        f"campaign-{hashlib.sha256(shown.encode()).hexdigest()[:8]}"
    )
    if slug in TAKEN_WORDS:
        raise CampaignUnnameable(shown, f"“{slug}” is a word of the site's addresses")
    if Campaign.objects.filter(slug=slug).exists():
        raise CampaignUnnameable(
            shown,
            f"the campaign “{slug}” exists already; votes are imported into a new campaign only",
        )
    return slug


def _campaign(
    name: str,
    slug: str,
    format: str,
    layout: Layout,
    source: dict[str, Any],
    *,
    seed: int,
    by: User | None,
    now: datetime,
) -> Campaign:
    widest = max((pair.n_counted for pair in layout.pairs), default=1)
    options = CampaignOptions(
        policy="uniform",
        n_pairs=min(len(layout.pairs), 1_000_000),
        overlap=min(max(widest, 1), 1_000),
        seed=seed,
        decision=DECISION,
        allow_both_bad=any(vote.row.choice == "both_bad" for vote in layout.votes),
        reasons=(),
        ask_comment=False,
    )
    note = DRAWN_BEFORE if format in OWN else NOT_DRAWN
    return Campaign.objects.create(
        slug=slug,
        name=storable(name).strip(),
        link_token=secrets.token_urlsafe(32),
        origin=Campaign.IMPORTED,
        is_simulated=layout.simulated,
        track=layout.track[:20],
        options=options.as_json(),
        sampling={"drawn_by_us": False, "note": note},
        source=source,
        opened_at=now,
        closed_at=now,
        created_by=by,
        created_at=now,
    )


def _source(paths: Sequence[Path], format: str, file: VoteFile, layout: Layout) -> dict[str, Any]:
    files = [{"file": path.name, "sha256": _digest(path)} for path in paths]
    return {
        "format": format,
        "files": files,
        "n_rows": len(file.rows),
        "n_unscored": len(layout.unscored),
        "notes": [*file.notes, *_notes(layout)],
    }


def _notes(layout: Layout) -> list[str]:
    notes = []
    is_named = [rater.pseudonym for rater in layout.raters] != [NOT_STATED]
    if not is_named:
        notes.append("The file names no raters: they stand as one, and cannot agree or differ.")
    if [question.key for question in layout.questions] == [NOT_STATED]:
        notes.append("The file names no questions: all pairs stand under one.")
    if is_named and layout.n_repeated:
        notes.append(
            f"{layout.n_repeated:,} times a rater judged the same two systems on the same question "
            "again; each such verdict stands on a pair of its own."
        )
    if all(rater.voter == MODEL for rater in layout.raters):
        notes.append("All raters are language models: what follows says nothing about people.")
    n_itself = sum(pair.first == pair.second for pair in layout.pairs)
    if n_itself:
        notes.append(f"{n_itself:,} pairs compare a system with itself, as the file has them.")
    return notes


def _many(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _digest(path: Path) -> str:
    """Of the file as it is; of a folder, over its files in order."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    if path.is_dir():
        return digest.hexdigest()
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
