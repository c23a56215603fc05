"""Cuts a text into overlapping windows of about a thousand characters, with exact offsets."""

from __future__ import annotations

import re
from bisect import bisect_left

from memory_systems.base import SystemRefused

DEFAULT_CHUNK_CHARS = 1000
DEFAULT_OVERLAP_CHARS = 200

_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)\]]*\s+|[。！？]")
_WORD_END = re.compile(r"\s+")


class ChunkSizeNotValid(SystemRefused):
    """The window or its overlap is too small or too large to advance through a text."""


class Boundaries:
    """Where a text's paragraphs, sentences and words end (white space after them included)."""

    def __init__(self, text: str) -> None:
        self._ends = [
            [match.end() for match in pattern.finditer(text)]
            for pattern in (_PARAGRAPH_END, _SENTENCE_END, _WORD_END)
        ]

    def nearest(self, target: int, slack: int) -> int:
        """The nearest paragraph end within ``slack`` characters of the offset ``target``, else
        the nearest sentence end, else the nearest word end, else ``target`` itself."""
        for ends in self._ends:
            place = bisect_left(ends, target)
            near = [
                end for end in ends[max(0, place - 1) : place + 1] if abs(end - target) <= slack
            ]
            if near:
                return min(near, key=lambda end: (abs(end - target), end))
        return target


def chunk_spans(
    text: str,
    *,
    chunk_chars: int = DEFAULT_CHUNK_CHARS,
    overlap_chars: int = DEFAULT_OVERLAP_CHARS,
) -> list[tuple[int, int]]:
    """Spans (start, end exclusive) of overlapping windows that together cover the text.

    A window ends at the paragraph, sentence or word end nearest to ``chunk_chars``, searched
    a tenth of ``chunk_chars`` to either side (hard cut where there is none), so that the mean
    stays close to ``chunk_chars``. The next one starts about ``overlap_chars`` before that end.
    The last window reaches back until it is full. White space at either edge is left out, so a
    text of white space alone has no window.

    Raises ChunkSizeNotValid unless chunk_chars ≥ 20 and 0 ≤ overlap_chars ≤ chunk_chars / 2.
    """
    if chunk_chars < 20 or not 0 <= overlap_chars <= chunk_chars // 2:
        raise ChunkSizeNotValid(
            "chunk_chars must be at least 20 and overlap_chars between 0 and half of it; "
            f"got chunk_chars={chunk_chars}, overlap_chars={overlap_chars}"
        )
    slack = chunk_chars // 10
    boundaries = Boundaries(text)
    spans: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > chunk_chars + slack:
        end = boundaries.nearest(start + chunk_chars, slack)
        spans.append((start, end))
        start = end if overlap_chars == 0 else boundaries.nearest(end - overlap_chars, slack // 2)
    if spans:
        full = max(spans[-1][0] + 1, len(text) - chunk_chars)
        start = min(start, boundaries.nearest(full, slack // 2))
    spans.append((start, len(text)))
    return [span for span in (_trimmed(text, *span) for span in spans) if span[0] < span[1]]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
