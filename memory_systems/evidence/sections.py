"""A paper's sections, and chunks that do not cut across them where they need not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_systems.chunking import chunk_spans

DEFAULT_CHUNK_CHARS = 6000
_MARKDOWN = re.compile(r"^[^\S\n]{0,3}(#{1,6})[^\S\n]+(\S[^\n]*)$", re.MULTILINE)
_NUMBERED = re.compile(
    r"(?<=\n\n)(\d{1,2}(?:\.\d{1,2}){0,3})\.?[^\S\n]+([A-Z][^\n.!?]{2,78})(?=\n)"
)
_MAX_HEADING_CHARS = 80
_SEPARATOR = " › "


@dataclass(frozen=True, slots=True)
class Chunk:
    """``start`` and ``end`` are offsets into the text (end exclusive)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """``heading`` holds the section's own heading and those above it, without the title; text
    before the first heading has none. The heading's own line is not part of the section."""

    heading: str
    start: int
    end: int


def sections_of(text: str) -> list[Section]:
    """In order; together they hold all of the text but heading lines. Headings are Markdown's, or
    numbered lines of their own where the text has none of those."""
    marks = [(found.start(), found.end(), len(found[1]), found[2]) for found in _markdown(text)]
    if not marks:
        marks = [
            (found.start(), found.end(), found[1].count(".") + 1, found[2])
            for found in _NUMBERED.finditer(text)
        ]
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    at = 0
    for start, end, level, title in marks:
        sections.append(Section(_told(path), at, start))
        path = [one for one in path if one[0] < level]
        path.append((level, " ".join(title.strip(" #").split())[:_MAX_HEADING_CHARS]))
        at = end
    sections.append(Section(_told(path), at, len(text)))
    return [section for section in sections if text[section.start : section.end].strip()]


def _markdown(text: str) -> list[re.Match[str]]:
    return list(_MARKDOWN.finditer(text))


def _told(path: list[tuple[int, str]]) -> str:
    """A heading of the first level is the paper's title where others stand under it."""
    told = path[1:] if len(path) > 1 and path[0][0] == 1 else path
    return _SEPARATOR.join(title for _, title in told)


def chunks_of(text: str, *, chunk_chars: int = DEFAULT_CHUNK_CHARS) -> list[Chunk]:
    """Chunks of about ``chunk_chars``: whole sections together as long as they fit; a section that
    is longer by itself is cut at its paragraphs. Raises ChunkSizeNotValid."""
    chunks: list[Chunk] = []
    for section in sections_of(text):
        if section.end - section.start > chunk_chars * 1.1:
            spans = chunk_spans(
                text[section.start : section.end], chunk_chars=chunk_chars, overlap_chars=0
            )
            chunks += [Chunk(section.start + start, section.start + end) for start, end in spans]
        elif chunks and section.end - chunks[-1].start <= chunk_chars:
            chunks[-1] = Chunk(chunks[-1].start, section.end)
        else:
            chunks.append(Chunk(section.start, section.end))
    return chunks
