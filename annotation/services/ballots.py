"""A vote as a rater sent it, checked against what the campaign asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from annotation.campaign_options import CampaignOptions
from annotation.services.voting_refusals import (
    MAX_COMMENT_CHARS,
    ChoiceUnknown,
    CommentTooLong,
    ConfidenceUnknown,
    ReasonUnknown,
)

MAX_CLIENT_TOKEN_CHARS = 64


@dataclass(frozen=True, slots=True)
class Ballot:
    choice: str
    reasons: tuple[str, ...]
    comment: str
    confidence: int | None
    client_token: str

    @classmethod
    def read(
        cls,
        options: CampaignOptions,
        *,
        choice: str,
        reasons: Sequence[str],
        comment: str,
        confidence: int | None,
        client_token: str,
    ) -> Self:
        """What the campaign does not ask for is left out. Raises ChoiceUnknown, ReasonUnknown,
        CommentTooLong, ConfidenceUnknown."""
        if choice not in options.choices:
            raise ChoiceUnknown(known=options.choices)
        if any(reason not in options.reasons for reason in reasons):
            raise ReasonUnknown(known=options.reasons)
        if len(comment) > MAX_COMMENT_CHARS:
            raise CommentTooLong
        if confidence is not None and confidence not in range(1, 6):
            raise ConfidenceUnknown
        return cls(
            choice=choice,
            reasons=tuple(dict.fromkeys(reasons)),
            comment=_storable(comment) if options.ask_comment else "",
            confidence=confidence if options.ask_confidence else None,
            client_token=_storable(client_token)[:MAX_CLIENT_TOKEN_CHARS],
        )


def _storable(text: str) -> str:
    """Without NUL and with every lone surrogate replaced: no database keeps them."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
