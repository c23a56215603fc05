"""A text's sentences with their places; tables, formulas and headings are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_systems.evidence.claims import MAX_CLAIM_CHARS

_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?![^\S\n]*(?:\n|\||[-*+•][^\S\n]|\$\$)))*")
_NOT_PROSE = re.compile(r"\||\$\$|#{1,6}\s|```|[-=_*]{3,}\s*$|!\[|\\begin|\\\[")
_END = re.compile(r"[.!?]['\"’”)\]]{0,2}(?=\s+['\"‘“(\[$\\*_`]{0,2}[A-Z0-9À-Þ`\\])|[。！？]")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|resp|approx|ca|Fig|Figs|Eq|Eqs|Sec|Tab|Ref|Refs|No|Dr|Prof|St)"
    r"|\b[A-Z])\.$"
)
_LIST_MARK = re.compile(r"(?:[-*+•]|\(?\d{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """``is_first``: it begins its paragraph."""

    start: int
    end: int
    is_first: bool


def sentences_of(text: str, start: int, end: int) -> Iterator[Sentence]:
    """The sentences of ``text[start:end]`` in order, none longer than a claim may be: longer ones
    are cut at spaces."""
    for paragraph in _PARAGRAPH.finditer(text, start, end):
        if _NOT_PROSE.match(text, paragraph.start()):
            continue
        mark = _LIST_MARK.match(text, paragraph.start(), paragraph.end())
        first = mark.end() if mark else paragraph.start()
        is_first = True
        for sentence_start, sentence_end in _split(text, first, paragraph.end()):
            for piece_start, piece_end in _bounded(text, sentence_start, sentence_end):
                yield Sentence(piece_start, piece_end, is_first)
                is_first = False


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _END.finditer(text, start, end):
        if found[0][0] == "." and _ABBREVIATION.search(
            text, max(start, found.start() - 8), found.start() + 1
        ):
            continue
        yield start, found.end()
        start = found.end()
    yield start, end


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """White space at either edge left out; nothing where nothing else is."""
    while start < end:
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if end - start <= MAX_CLAIM_CHARS:
            break
        at = text.rfind(" ", start + MAX_CLAIM_CHARS // 2, start + MAX_CLAIM_CHARS)
        at = at if at > 0 else start + MAX_CLAIM_CHARS
        yield start, at
        start = at
    if start < end:
        yield start, end
