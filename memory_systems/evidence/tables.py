"""The rows of Markdown tables as claims that can be read without the table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_systems.evidence.claims import MAX_CLAIM_CHARS, Claim

_TABLE = re.compile(r"^[^\S\n]*\|[^\n]*\|[^\S\n]*(?:\n[^\S\n]*\|[^\n]*\|[^\S\n]*)+$", re.MULTILINE)
_RULE_CELL = re.compile(r":?-{2,}:?")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_CAPTION = re.compile(r"(?:\*\*)?(?:Table|Tab\.)\s*[\dIVXA-Z]", re.IGNORECASE)
_UNIT_IN_HEADER = re.compile(r"^(.*\S)\s*[\[(]([^()\[\]]{1,20})[\])]$")
_NUMERIC = re.compile(r"^[-+−]?\d[\d,.]*(?:\s?[eE][-+]?\d+)?$")
_MAX_CAPTION_CHARS = 160
_CAPTION_WITHIN_CHARS = 400


def table_claims(text: str, start: int, end: int, *, heading: str = "") -> Iterator[Claim]:
    """One claim a row: the caption (or the section's heading), then ``column: cell`` for each cell
    that is not empty. A unit in a column's title goes to its numbers."""
    for table in _TABLE.finditer(text, start, end):
        lines = _lines(text, table.start(), table.end())
        rows = [(at, to, _cells(text[at:to])) for at, to in lines]
        has_header = len(rows) > 1 and _is_rule(rows[1][2])
        header = rows[0][2] if has_header else []
        caption = _caption_of(text, table.start(), table.end()) or heading
        for at, to, cells in rows[2:] if has_header else rows:
            told = _told(header, cells)
            if told and not _is_rule(cells):
                row = f"{caption}: {told}" if caption else told
                yield Claim(row[:MAX_CLAIM_CHARS], at, to, ("tables",), heading, is_verbatim=False)


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    lines = []
    at = start
    for line in text[start:end].split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    return lines


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in _CELL_BORDER.split(inner)]


def _is_rule(cells: list[str]) -> bool:
    return any(cells) and all(_RULE_CELL.fullmatch(cell) for cell in cells if cell)


def _told(header: list[str], cells: list[str]) -> str:
    parts = []
    for place, cell in enumerate(cells):
        if not cell:
            continue
        title = header[place] if place < len(header) else ""
        unit = _UNIT_IN_HEADER.match(title)
        if unit and _NUMERIC.match(cell):
            title, cell = unit[1], f"{cell} {unit[2]}"
        parts.append(f"{title}: {cell}" if title else cell)
    return "; ".join(parts) + "." if parts else ""


def _caption_of(text: str, start: int, end: int) -> str:
    """The line above the table that begins with "Table", else such a line below it."""
    above = text[max(0, start - _CAPTION_WITHIN_CHARS) : start].rstrip().rpartition("\n")[2]
    below = text[end : end + _CAPTION_WITHIN_CHARS].lstrip().partition("\n")[0]
    for line in (above, below):
        if _CAPTION.match(line):
            return line.strip("* ").rstrip(".")[:_MAX_CAPTION_CHARS]
    return ""
