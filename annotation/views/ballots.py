"""What a rater sent with a form, read within limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from annotation.services.voting_refusals import MAX_COMMENT_CHARS

MAX_REASONS: Final = 12
CONFIDENCES: Final = (1, 2, 3, 4, 5)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


class BallotUnreadable(Exception):
    """A field cannot be used as it is; the message is one sentence for the rater."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a rater had filled in, as it was typed; what a page that refuses gives back."""

    assignment_id: str = ""
    choice: str = ""
    reasons: tuple[str, ...] = ()
    comment: str = ""
    confidence: int | None = None


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote as it was sent; ``client_token`` is the same each time the same vote is sent."""

    assignment_id: str
    choice: str
    reasons: tuple[str, ...]
    comment: str
    confidence: int | None
    client_token: str


def read_token(fields: QueryDict, name: str) -> str:
    """A random name that one of our pages held. Raises BallotUnreadable."""
    value = fields.get(name, "")
    if not isinstance(value, str) or not _TOKEN.fullmatch(value):
        raise BallotUnreadable(
            "The form was incomplete, so nothing was stored. Load the page again; what you wrote "
            "is kept."
        )
    return value


def check_confirmed(fields: QueryDict) -> None:
    """Raises BallotUnreadable unless the box beside a withdrawal was ticked."""
    if not fields.get("sure"):
        raise BallotUnreadable(
            "Nothing was erased. To withdraw, tick the box beside the button as well."
        )


def read_draft(fields: QueryDict) -> Draft:
    """Whatever can be read, without refusing anything."""
    number = fields.get("confidence", "")
    confidence = int(number) if number in map(str, CONFIDENCES) else None
    return Draft(
        assignment_id=fields.get("assignment", "")[:64],
        choice=fields.get("choice", "")[:20],
        reasons=tuple(fields.getlist("reasons")[:MAX_REASONS]),
        comment=_plain(fields.get("comment", "")),
        confidence=confidence,
    )


def read_ballot(fields: QueryDict) -> Ballot:
    """Raises BallotUnreadable. Whether the campaign knows the choice is not asked here."""
    draft = read_draft(fields)
    if len(draft.comment) > MAX_COMMENT_CHARS:
        raise BallotUnreadable(
            f"The comment has {len(draft.comment):,} characters, and {MAX_COMMENT_CHARS:,} can be "
            "stored. Shorten it and vote again; nothing was stored yet."
        )
    if not draft.choice:
        raise BallotUnreadable("No choice was sent, so nothing was stored. Choose, and vote again.")
    return Ballot(
        assignment_id=read_token(fields, "assignment"),
        choice=draft.choice,
        reasons=draft.reasons,
        comment=draft.comment,
        confidence=draft.confidence,
        client_token=read_token(fields, "client_token"),
    )


def _plain(text: str) -> str:
    """Browsers send CRLF for the line ends that were typed; no database keeps NUL."""
    return text.replace("\r\n", "\n").replace("\x00", "").strip()
