"""CSV files as rows of texts that know where they stand."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.source_files.reading import decode, read_bytes
from evaluation.source_files.refusals import WrongKindOfFile

MOST_CELL_CHARS = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TableRow:
    """``number`` counts as a spreadsheet does: the header is row 1. ``refusal`` says why a row
    has no cells that can be used."""

    number: int
    cells: dict[str, str]
    refusal: str = ""

    @property
    def place(self) -> str:
        return f"row {self.number}"


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[str, ...]
    rows: Iterator[TableRow]


def read_table(path: Path, *, needed: tuple[str, ...], max_bytes: int) -> Table:
    """A CSV file in UTF-8 with a header; blank lines are skipped.

    Raises WrongKindOfFile for a header that lacks a needed column or has one twice, and while
    rows are read where the quoting is broken.
    """
    text = decode(read_bytes(path, max_bytes=max_bytes), path)
    csv.field_size_limit(MOST_CELL_CHARS)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = _next(reader, path)
    columns = tuple(name.strip() or f"column {place}" for place, name in enumerate(header or (), 1))
    twice = next((name for name, times in Counter(columns).items() if times > 1), None)
    if twice is not None:
        raise WrongKindOfFile(path, f"the column “{twice[:60]}” occurs twice", place="row 1")
    missing = [name for name in needed if name not in columns]
    if missing:
        shown = ", ".join(name[:60] for name in columns[:20])
        raise WrongKindOfFile(
            path, f"the column “{missing[0]}” is missing (columns here: {shown})", place="row 1"
        )
    return Table(columns, _rows(reader, columns, path))


def _rows(reader: Iterator[list[str]], columns: tuple[str, ...], path: Path) -> Iterator[TableRow]:
    number = 1
    while (cells := _next(reader, path)) is not None:
        number += 1
        if not any(cell.strip() for cell in cells):
            continue
        refusal = ""
        if len(cells) != len(columns):
            refusal = f"it has {len(cells)} cells, the header has {len(columns)}"
        yield TableRow(number, dict(zip(columns, cells, strict=False)), refusal)


def _next(reader: Iterator[list[str]], path: Path) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        line = getattr(reader, "line_num", 0)
        raise WrongKindOfFile(path, f"this is not CSV: {error}", place=f"line {line}") from error
