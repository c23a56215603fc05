"""evalica's CSV: ``left,right,winner`` (left, right or tie), with columns of any other name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from annotation.vote_formats.rows import (
    MODEL,
    PERSON,
    TIE,
    A,
    B,
    ReadOptions,
    RowCollector,
    VoteFile,
    VoteRow,
    question_key,
    unknown_outcome,
)
from annotation.vote_formats.tables import Table, TableRow, read_table

OUTCOMES: Final = {"left": A, "right": B, "tie": TIE}
QUESTION_COLUMNS: Final = ("question_id", "question", "prompt", "instruction", "item")
RATER_COLUMNS: Final = ("worker", "rater", "annotator", "judge", "user")


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """The first of the columns named above that is there states the question, and the rater.
    Raises BrokenRows, WrongKindOfFile."""
    rows = RowCollector(paths[0])
    for path in paths:
        table = read_table(path, needed=("left", "right", "winner"), max_bytes=options.max_bytes)
        columns = _named(table, QUESTION_COLUMNS), _named(table, RATER_COLUMNS)
        for row in table.rows:
            place = row.place if len(paths) == 1 else f"{path.name}, {row.place}"
            with rows.reading(place):
                rows.rows.append(_vote(rows, place, row, columns, options))
    return rows.finished()


def _named(table: Table, known: tuple[str, ...]) -> str:
    return next((name for name in known if name in table.columns), "")


def _vote(
    rows: RowCollector,
    place: str,
    row: TableRow,
    columns: tuple[str, str],
    options: ReadOptions,
) -> VoteRow:
    if row.refusal:
        raise rows.refuse(place, row.refusal)
    cells = {name: cell.strip() for name, cell in row.cells.items()}
    outcome = cells.pop("winner")
    left, right = cells.pop("left"), cells.pop("right")
    if outcome.casefold() not in OUTCOMES:
        raise rows.refuse(place, unknown_outcome(outcome, tuple(OUTCOMES)))
    question, rater = (cells.pop(name) if name else "" for name in columns)
    names = ("left", "right", *columns)
    for name, value in zip(names, (left, right, question, rater), strict=True):
        if name and not value:
            raise rows.refuse(place, f"“{name}” is empty")
    return VoteRow(
        place=place,
        question=question_key(question),
        question_text=question if len(question) > len(question_key(question)) else "",
        left=left,
        right=right,
        choice=OUTCOMES[outcome.casefold()],
        rater=rater,
        voter=MODEL if options.models else PERSON,
        extra={name: cell for name, cell in cells.items() if cell},
    )
