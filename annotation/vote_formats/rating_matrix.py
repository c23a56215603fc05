"""A matrix of ratings as CSV without a header: a row a rater, a column an item."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from annotation.vote_formats.rated_items import NOMINAL, SCALES, Metric, RatedItems, Value
from annotation.vote_formats.rows import MAX_FILE_BYTES, BrokenRows
from evaluation.source_files.reading import decode, read_bytes
from evaluation.source_files.refusals import WrongKindOfFile

METRIC = "rating"


def read_rating_matrix(
    path: Path, *, level: str = NOMINAL, max_bytes: int = MAX_FILE_BYTES
) -> RatedItems:
    """An empty cell is no rating. At the nominal level every value is a label; at the others it is
    a number. Raises BrokenRows for rows of another length and for what is no number there,
    WrongKindOfFile for another kind of file or an unknown level."""
    if level not in SCALES:
        raise WrongKindOfFile(path, f"level “{level}” is unknown; known: {', '.join(SCALES)}")
    text = decode(read_bytes(path, max_bytes=max_bytes), path)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    except csv.Error as error:
        raise WrongKindOfFile(path, f"this is not CSV: {error}") from error
    problems: list[str] = []
    items: list[list[Value]] = [[] for _ in rows[0]]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(items):
            problems.append(f"row {number}: it has {len(row)} cells, the first has {len(items)}")
            continue
        for place, cell in enumerate(row):
            if cell.strip():
                value = cell.strip() if level == NOMINAL else _number(cell)
                if value is None:
                    problems.append(f"row {number}, column {place + 1}: “{cell}” is no number")
                else:
                    items[place].append(value)
    if problems:
        raise BrokenRows(path, problems)
    given = {value for ratings in items for value in ratings}
    if not given:
        raise WrongKindOfFile(path, "it holds no rating")
    metric = Metric(METRIC, level, tuple(sorted(given)), tuple(map(tuple, items)))
    names = tuple(f"item {number}" for number in range(1, len(items) + 1))
    return RatedItems(path.stem, "", names, (metric,))


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
