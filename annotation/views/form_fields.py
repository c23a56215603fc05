"""What a rater sent with a form, as far as it can be read; what it may say is for the services."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

CONFIDENCES: Final = (1, 2, 3, 4, 5)
_MAX_REASONS: Final = 50
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


class FormUnreadable(Exception):
    """A field that our forms always send is missing or not ours; one sentence for the rater."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a rater had filled in, as it was typed; what a page that refuses gives back."""

    assignment_id: str
    choice: str
    reasons: tuple[str, ...]
    comment: str
    confidence: int | None


@dataclass(frozen=True, slots=True)
class SentVote:
    """``client_token`` is the same each time the same vote is sent."""

    draft: Draft
    client_token: str


def read_token(fields: QueryDict, name: str) -> str:
    """A random name that one of our pages held. Raises FormUnreadable."""
    value = fields.get(name, "")
    if not isinstance(value, str) or not _TOKEN.fullmatch(value):
        raise FormUnreadable(
            "The form was incomplete, so nothing was stored. Load the page again; what you wrote "
            "is kept."
        )
    return value


def check_confirmed(fields: QueryDict) -> None:
    """Raises FormUnreadable unless the box beside a withdrawal was ticked."""
    if not fields.get("sure"):
        raise FormUnreadable(
            "Nothing was erased. To withdraw, tick the box beside the button as well."
        )


def read_draft(fields: QueryDict) -> Draft:
    """Whatever can be read, without refusing anything."""
    number = fields.get("confidence", "")
    return Draft(
        assignment_id=fields.get("assignment", "")[:64],
        choice=fields.get("choice", "")[:20],
        reasons=tuple(fields.getlist("reasons")[:_MAX_REASONS]),
        # Browsers send CRLF for the line ends that were typed.
        comment=fields.get("comment", "").replace("\r\n", "\n").strip(),
        confidence=int(number) if number in map(str, CONFIDENCES) else None,
    )


def read_vote(fields: QueryDict) -> SentVote:
    """Raises FormUnreadable."""
    read_token(fields, "assignment")
    draft = read_draft(fields)
    if not draft.choice:
        raise FormUnreadable("No choice was sent, so nothing was stored. Choose, and vote again.")
    return SentVote(draft=draft, client_token=read_token(fields, "client_token"))
