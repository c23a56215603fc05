"""What every reader of votes gives: one row a verdict, or a refusal that names each broken row."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from evaluation.source_files.refusals import WrongKindOfFile

MAX_FILE_BYTES: Final = 100 * 1024 * 1024
A, B, TIE, BOTH_BAD, UNSCORED = "a", "b", "tie", "both_bad", "unscored"
CHOICES: Final = (A, B, TIE, BOTH_BAD)
PERSON, MODEL, SIMULATED = "person", "model", "simulated"
VOTERS: Final = (PERSON, MODEL, SIMULATED)

LONGEST_LABEL = 200
LONGEST_RATER = 120
LONGEST_KEY = 200
LONGEST_KEPT_TEXT = 500
NAMED_PROBLEMS = 20


class BrokenRows(WrongKindOfFile):
    """Rows of the file cannot be taken as votes; ``problems`` names each with what is wrong."""

    def __init__(self, path: Path, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        n_more = len(problems) - 1
        more = f" ({n_more:,} more such row{'s' if n_more > 1 else ''})" if n_more else ""
        super().__init__(path, f"{problems[0]}; nothing was imported{more}")


@dataclass(frozen=True, slots=True)
class Stated:
    """What only our own export says of a vote. ``position``: the pair's; ``slot``: its place."""

    position: int
    slot: int | None
    not_counted: str
    is_too_fast: bool = False
    n_reveals_seen: int = 0
    stratum: str = ""
    inclusion_probability: float | None = None
    slices: Mapping[str, Any] = field(default_factory=dict)
    track: str = ""
    excluded_at: dt.datetime | None = None
    excluded_reason: str = ""
    unblinded_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class VoteRow:
    """One verdict. ``choice`` is by side: a is left, b is right; ``unscored`` is a verdict that
    could not be read, kept apart from votes. ``question`` and ``rater`` are empty where the file
    does not state them. ``seconds`` is the time on task; ``extra`` holds the other columns."""

    place: str
    question: str
    left: str
    right: str
    choice: str
    rater: str
    voter: str = PERSON
    question_text: str = ""
    cast_at: dt.datetime | None = None
    seconds: float | None = None
    comment: str = ""
    reasons: tuple[str, ...] = ()
    confidence: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    left_is_first: bool | None = None
    stated: Stated | None = None


@dataclass(frozen=True, slots=True)
class VoteFile:
    """``notes``: sentences on what a reader left out or made of the file."""

    rows: tuple[VoteRow, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """``systems``: the two fields of an item that name its left and right system. ``question``:
    which of several questions asked of a pair is the vote. ``models``: the raters are language
    models."""

    systems: tuple[str, str] | None = None
    question: str = ""
    models: bool = False
    max_bytes: int = MAX_FILE_BYTES


class RowCollector:
    """Rows that were read, and the problems of those that were not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[VoteRow] = []
        self.problems: list[str] = []

    @contextmanager
    def reading(self, place: str) -> Iterator[None]:
        """Notes the refusal of what is read within, at its own place or else at ``place``."""
        try:
            yield
        except WrongKindOfFile as refusal:
            self.problems.append(f"{refusal.place or place}: {refusal.reason}")

    def refuse(self, place: str, reason: str) -> WrongKindOfFile:
        return WrongKindOfFile(self.path, reason, place=place)

    def finished(self, *notes: str) -> VoteFile:
        """Raises BrokenRows where a row is broken, WrongKindOfFile where there is none."""
        if self.problems:
            raise BrokenRows(self.path, self.problems)
        if not self.rows:
            raise WrongKindOfFile(self.path, "it holds no vote")
        return VoteFile(tuple(self.rows), tuple(note for note in notes if note))


def question_key(text: str) -> str:
    """What names a question that has only its text: the text, or its start with a digest."""
    key = " ".join(text.split())
    if len(key) <= LONGEST_KEY:
        return key
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{key[: LONGEST_KEY - 18]}… {digest}"


def kept_fields(fields: Mapping[str, Any], used: frozenset[str]) -> dict[str, Any]:
    """The fields beside the ``used`` ones that are worth keeping with a vote: short and plain."""
    return {
        name: value
        for name, value in fields.items()
        if name not in used and value not in (None, "") and is_plain(value)
    }


def is_plain(value: object) -> bool:
    """A number, a flag or a short text."""
    if isinstance(value, str):
        return len(value) <= LONGEST_KEPT_TEXT
    return isinstance(value, bool | int | float)


def unknown_outcome(value: object, known: Sequence[str]) -> str:
    """The refusal of an outcome, with those that are known."""
    shown = str(value)
    cut = shown if len(shown) <= 60 else f"{shown[:60]}…"
    return f"unknown outcome “{cut}”; known: {', '.join(known)}"
