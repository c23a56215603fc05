"""Our own votes as CSV: safe in a spreadsheet, and read back to the letter."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.vote_formats.exported_votes import (
    CHECK_FIELDS,
    FLAGS,
    NESTED,
    NUMBERS,
    VOTE_FIELDS,
    WHOLE,
    ExportedCheck,
    ExportedVote,
    plain_record,
)
from annotation.vote_formats.reading_own import NEEDED, OneCampaign, vote_of
from annotation.vote_formats.rows import ReadOptions, RowCollector, VoteFile
from annotation.vote_formats.spreadsheet import cell_of, text_of
from annotation.vote_formats.tables import read_table
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import parse_json
from evaluation.source_files.refusals import WrongKindOfFile


def render(
    records: Iterable[ExportedVote | ExportedCheck], *, of_checks: bool = False
) -> Iterator[str]:
    """A header and a row a record. What is not known is an empty cell; lists are JSON."""
    columns = CHECK_FIELDS if of_checks else VOTE_FIELDS
    yield _line(columns)
    for record in records:
        values = plain_record(record)
        yield _line([_cell(name, values[name]) for name in columns])


def _line(cells: Sequence[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(cells)
    return text.getvalue()


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in FLAGS:
        return "true" if value else "false"
    if name in NESTED:
        return json.dumps(value, ensure_ascii=False, allow_nan=False) if value else ""
    return cell_of(value) if isinstance(value, str) else repr(value)


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """Raises BrokenRows, WrongKindOfFile."""
    rows = RowCollector(paths[0])
    campaign = OneCampaign()
    for path in paths:
        table = read_table(path, needed=NEEDED, max_bytes=options.max_bytes)
        for row in table.rows:
            place = row.place if len(paths) == 1 else f"{path.name}, {row.place}"
            with rows.reading(place):
                if row.refusal:
                    raise rows.refuse(place, row.refusal)
                values = _values(row.cells, path, place)
                rows.rows.append(vote_of(JsonNode(values, path, place), campaign))
    return rows.finished()


def _values(cells: Mapping[str, str], path: Path, place: str) -> dict[str, Any]:
    return {name: _value(name, cell, path, place) for name, cell in cells.items()}


def _value(name: str, cell: str, path: Path, place: str) -> Any:
    if name in NESTED:
        return parse_json(cell, path, place=place) if cell else None
    if name in FLAGS and cell:
        if cell.casefold() not in ("true", "false"):
            raise WrongKindOfFile(path, f"{name} “{cell[:60]}” is not true or false", place=place)
        return cell.casefold() == "true"
    if name in WHOLE | NUMBERS:
        return _number(name, cell, path, place) if cell else None
    return text_of(cell)


def _number(name: str, cell: str, path: Path, place: str) -> float | int:
    try:
        number: float | int = int(cell) if name in WHOLE else float(cell)
    except ValueError as error:
        raise WrongKindOfFile(path, f"{name} “{cell[:60]}” is no number", place=place) from error
    if not math.isfinite(number):
        raise WrongKindOfFile(path, f"{name} “{cell[:60]}” is no number", place=place)
    return number
