"""Whether a page shows what was measured here, what papers printed, or both."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice, choices, choose

SOURCES = ("measured", "published", "all")


def chosen_source(asked: str, keys: BoardKeys, published: Sequence[object]) -> str:
    """By default what was measured, and what was published only where nothing was. Raises
    UnknownChoice."""
    default = "measured" if keys.protocol is not None or not published else "published"
    return choose("source", asked, SOURCES, default=default)


def source_choices(active: str, keys: BoardKeys, published: Sequence[object]) -> tuple[Choice, ...]:
    """Empty where nothing was published, so that there is nothing to choose."""
    if not published:
        return ()
    offered = SOURCES if keys.protocol is not None else ("published",)
    return choices([(source, None) for source in offered], active)
