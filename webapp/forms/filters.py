"""What an address asks a page for, read without judging it: the queries know what exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from evaluation.queries.choices import UnknownChoice
from evaluation.queries.leaderboard import BoardFilters

RESERVED = frozenset(
    {
        "protocol", "judge", "measure", "track", "modality", "synthesizer", "source", "search",
        "internal", "resolution", "sort", "order", "page", "format", "a", "b", "phase", "all",
        "limit",
    }
)  # fmt: skip

MOST_DIGITS = 18
"""Of a number in an address: any database and any parser takes that many."""


def text(params: QueryDict, name: str) -> str:
    return params.get(name, "").strip()


def flag(params: QueryDict, name: str) -> bool:
    """Raises UnknownChoice unless the value is 1, 0 or absent."""
    value = text(params, name)
    if value not in ("", "0", "1"):
        raise UnknownChoice(name, value, ("0", "1"))
    return value == "1"


def page_number(params: QueryDict) -> int:
    """1 where none is given. Raises UnknownChoice for what is no positive number."""
    value = text(params, "page") or "1"
    if not value.isdecimal() or len(value) > MOST_DIGITS or int(value) < 1:
        raise UnknownChoice("page", value, ("a number from 1",))
    return int(value)


def order(params: QueryDict) -> bool | None:
    """Whether to sort downwards; None leaves it to the column. Raises UnknownChoice."""
    value = text(params, "order")
    if value not in ("", "up", "down"):
        raise UnknownChoice("order", value, ("up", "down"))
    return None if not value else value == "down"


def slices(params: QueryDict) -> Mapping[str, str]:
    """Every other parameter is taken for a slice of the benchmark (tier, type, task …); the query
    refuses those it does not have."""
    return {
        name: text(params, name) for name in params if name not in RESERVED and text(params, name)
    }


def board_filters(params: QueryDict) -> BoardFilters:
    return BoardFilters(
        protocol=text(params, "protocol"),
        judge=text(params, "judge"),
        measure=text(params, "measure"),
        track=text(params, "track"),
        modality=text(params, "modality"),
        synthesizer=text(params, "synthesizer"),
        source=text(params, "source"),
        search=text(params, "search"),
        slices=slices(params),
        internal=flag(params, "internal"),
        resolution=flag(params, "resolution"),
        sort=text(params, "sort"),
        descending=order(params),
    )


@dataclass(frozen=True, slots=True)
class KeyParams:
    """The chosen comparison key and judge, as pages pass them on to one another."""

    protocol: str
    judge: str


def key_params(params: QueryDict) -> KeyParams:
    return KeyParams(text(params, "protocol"), text(params, "judge"))


KEPT_BETWEEN_PAGES = ("protocol", "judge", "track")


def keys_query(params: QueryDict) -> str:
    """``?protocol=…&judge=…&track=…`` as far as the reader chose them, for links to other pages;
    empty where everything is at its default."""
    kept = QueryDict(mutable=True)
    for name in KEPT_BETWEEN_PAGES:
        if text(params, name):
            kept[name] = text(params, name)
    return f"?{kept.urlencode()}" if kept else ""


def is_filtered(params: QueryDict) -> bool:
    """Whether the address narrows what is shown, so that there is something to reset."""
    return any(text(params, name) for name in params if name not in ("sort", "order", "page"))


def are_keys_chosen(params: QueryDict) -> bool:
    """Whether the reader chose a comparison key or a judge, so that the choice stays in sight."""
    return any(text(params, name) for name in ("protocol", "judge", "synthesizer"))
