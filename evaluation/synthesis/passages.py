"""The context as passages that can be quoted: sentences, and table rows read with their header."""

from __future__ import annotations

import re
from collections.abc import Iterator

MIN_CHARS = 12
MAX_CHARS = 600
MAX_TITLE_CHARS = 120
CUT_MARK = "[…]"
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]{0,2}\s+(?=[A-Z0-9\"'(\[$\\*_À-Þ])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|resp|approx|Fig|Figs|Eq|Eqs|Sec|Tab|Ref|Refs|No|Dr|Prof|St)|"
    r"\b[A-Z])\.$"
)
_RULE_CELL = re.compile(r":?-{2,}:?")
_HEADING = re.compile(r"#{1,6}\s|[-=_*]{3,}\s*$|<{3,}|>{3,}|\[\d{1,7}\]\s")
_UNIT_IN_HEADER = re.compile(r"^(.*\S)\s*[\[(]([^()\[\]]{1,20})[\])]$")
_NUMERIC = re.compile(r"^[-+−]?\d[\d,.]*(?:\s?[eE][-+]?\d+)?$")
_LIST_MARK = re.compile(r"^(?:[-*+•]|\(?\d{1,3}[.)])\s+")


def passages(text: str) -> Iterator[str]:
    """Quotable pieces in order of place, each of 12 to 600 characters. Headings and rules of
    Markdown, and numbered header lines, are left out; a longer sentence is cut at a space."""
    table: list[list[str]] = []
    prose: list[str] = []
    for line in text.splitlines():
        line = line.strip().removesuffix(CUT_MARK).rstrip()
        is_row = len(line) > 2 and line[0] == "|" and line[-1] == "|"
        if table and not is_row:
            yield from _rows(table)
            table = []
        if prose and (is_row or not line or _HEADING.match(line) or _LIST_MARK.match(line)):
            yield from _sentences(" ".join(prose))
            prose = []
        if is_row:
            table.append([cell.strip() for cell in line[1:-1].split("|")])
        elif line and not _HEADING.match(line):
            prose.append(_LIST_MARK.sub("", line))
    yield from _rows(table)
    yield from _sentences(" ".join(prose))


def _rows(table: list[list[str]]) -> Iterator[str]:
    """A first row is a header only over a rule: a retrieved piece may begin inside a table."""
    has_header = len(table) > 1 and _is_rule(table[1])
    header = table[0] if has_header else []
    for cells in table[1:] if has_header else table:
        if not _is_rule(cells):
            yield from _bounded(_row(header, cells))


def _is_rule(cells: list[str]) -> bool:
    return any(cells) and all(_RULE_CELL.fullmatch(cell) for cell in cells if cell)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text, max(start, match.start() - 8), match.start()):
            continue
        yield from _bounded(text[start : match.start()].strip())
        start = match.end()
    yield from _bounded(text[start:].strip())


def _bounded(passage: str) -> Iterator[str]:
    while len(passage) > MAX_CHARS:
        at = passage.rfind(" ", MAX_CHARS // 2, MAX_CHARS)
        at = at if at > 0 else MAX_CHARS
        yield passage[:at]
        passage = passage[at:].strip()
    if len(passage) >= MIN_CHARS:
        yield passage


def _row(header: list[str], cells: list[str]) -> str:
    """``| Ostro | 12 |`` under ``| Model | Time (ms) |`` reads "Model: Ostro; Time: 12 ms."."""
    parts = []
    for place, cell in enumerate(cells):
        if not cell:
            continue
        title = header[place] if place < len(header) else ""
        unit = _UNIT_IN_HEADER.match(title) if len(title) <= MAX_TITLE_CHARS else None
        if unit and _NUMERIC.match(cell):
            title, cell = unit[1], f"{cell} {unit[2]}"
        parts.append(f"{title}: {cell}" if title else cell)
    return "; ".join(parts) + "."
