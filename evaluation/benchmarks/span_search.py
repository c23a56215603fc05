"""Finding a verbatim quote in a document: where it is said to be, near it, or after
normalising white space, letter case, quotation marks and dashes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

PlaceStatus = Literal["found", "relocated", "missing"]

_SAME_SIGNS = ("'‘’‚‛`´", '"“”„‟«»', "-‐‑‒–—−")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.{3,})\s*")


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a quote stands: offsets in characters, end exclusive, -1 where it is missing.

    ``found``: exactly where it was said to be, or, with no stated place, verbatim in the text.
    ``relocated``: at another offset than stated, or only after normalising.
    ``n_occurrences`` counts all places it could be; more than one makes a relocation ambiguous.
    """

    status: PlaceStatus
    start: int = -1
    end: int = -1
    n_occurrences: int = 0

    @property
    def is_ambiguous(self) -> bool:
        return self.status == "relocated" and self.n_occurrences > 1


MISSING = Placement("missing")


def place_at(text: str, quote: str, stated_start: int) -> Placement:
    """The quote at its stated offset, else its occurrence nearest to that offset (the earlier
    of two equally near), first verbatim and then normalised. Outer white space is not part of
    the span."""
    core = quote.strip()
    if not core:
        return MISSING
    lead = len(quote) - len(quote.lstrip())
    if stated_start >= 0 and text.startswith(quote, stated_start):
        start = stated_start + lead
        return Placement("found", start, start + len(core), 1)
    spans = [(start + lead, start + lead + len(core)) for start, _ in _verbatim(text, quote)] or (
        _verbatim(text, core) or _normalised(text, core)
    )
    if not spans:
        return MISSING
    start, end = min(spans, key=lambda span: (abs(span[0] - stated_start - lead), span[0]))
    return Placement("relocated", start, end, len(spans))


def place_anywhere(text: str, quote: str) -> Placement:
    """The first place of a quote that comes without an offset."""
    core = quote.strip()
    if not core:
        return MISSING
    if spans := _verbatim(text, core):
        return Placement("found", *spans[0], len(spans))
    if spans := _normalised(text, core):
        return Placement("relocated", *spans[0], len(spans))
    return MISSING


def quote_parts(quote: str) -> list[str]:
    """A quote with an ellipsis is several verbatim pieces."""
    return [part for part in _ELLIPSIS.split(quote) if part.strip()]


def _verbatim(text: str, quote: str) -> list[tuple[int, int]]:
    spans = []
    start = text.find(quote)
    while start >= 0:
        spans.append((start, start + len(quote)))
        start = text.find(quote, start + 1)
    return spans


def _normalised(text: str, quote: str) -> list[tuple[int, int]]:
    pattern = r"\s+".join("".join(map(_sign, word)) for word in quote.split())
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _sign(character: str) -> str:
    for signs in _SAME_SIGNS:
        if character in signs:
            return f"[{re.escape(signs)}]"
    return re.escape(character)
