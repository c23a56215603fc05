"""What the address of a lead's page asks of a campaign's votes."""

from __future__ import annotations

import datetime as dt

from django.http import QueryDict

from annotation.queries.votes import VoteFilters
from evaluation.queries.choices import UnknownChoice
from webapp.forms.filters import flag, text


def vote_filters(params: QueryDict) -> VoteFilters:
    """Raises UnknownChoice for a day that does not exist and for text that no name has."""
    return VoteFilters(
        rater=name(params, "rater"),
        system=text(params, "system"),
        question=name(params, "question"),
        choice=text(params, "choice"),
        status=text(params, "status"),
        since=day(params, "since"),
        until=day(params, "until"),
        has_comment=flag(params, "comment"),
        before=text(params, "before"),
    )


def name(params: QueryDict, field: str) -> str:
    """Text to look up in the database, which takes no NUL character."""
    value = text(params, field)
    if "\0" in value:
        raise UnknownChoice(field, value.replace("\0", "␀"), ("text without control characters",))
    return value


def day(params: QueryDict, field: str) -> dt.date | None:
    """None where none is given. Raises UnknownChoice for what is no day."""
    value = text(params, field)
    if not value:
        return None
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise UnknownChoice(field, value, ("a day such as 2026-03-31",)) from None
