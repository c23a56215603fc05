"""A run's answers into a file that is whole or not there at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from evaluation.formats.results import WRITERS, UnknownResultFormat, render_results
from evaluation.models import Cell, Run
from evaluation.services.results import result_cells, result_rows

JSON_LINES = "jsonl"


class NothingToExport(Exception):
    """The run has no answer yet."""


@dataclass(frozen=True, slots=True)
class Exported:
    """``n_left_out``: cells without an answer or an error (pending, not applicable)."""

    path: Path
    n_rows: int
    n_left_out: int
    n_bytes: int


def export_results(
    *,
    run: Run,
    format: str,
    path: Path,
    reproducible: bool = False,
    with_contexts: bool = False,
) -> Exported:
    """Write the run's answers in canonical order.

    JSON Lines are written as they are read; a table is made whole, and holds no contexts. Raises
    UnknownResultFormat, NothingToExport, and OSError where the file cannot be written: then what
    stood at ``path`` still stands there.
    """
    texts = exported_texts(
        run=run, format=format, reproducible=reproducible, with_contexts=with_contexts
    )
    n_cells = Cell.objects.filter(run_variant__run=run).count()
    n_rows = len(result_cells(run=run))
    with whole_or_nothing(path) as stream:
        for text in texts:
            stream.write(text.encode("utf-8", "backslashreplace"))
    return Exported(path, n_rows, n_cells - n_rows, path.stat().st_size)


def exported_texts(
    *, run: Run, format: str, reproducible: bool = False, with_contexts: bool = False
) -> Iterator[str]:
    """The export piece by piece, for a file or a download. Raises UnknownResultFormat and
    NothingToExport at once, not when the first piece is asked for."""
    if format not in WRITERS:
        raise UnknownResultFormat(
            f"unknown format '{format}'; results can be written as {', '.join(sorted(WRITERS))}"
        )
    cells = result_cells(run=run)
    if not cells:
        raise NothingToExport(f"run {run.public_id} has no answer to export yet")
    rows = result_rows(run=run, cells=cells, with_contexts=with_contexts and format == JSON_LINES)
    if format == JSON_LINES:
        return (render_results([row], format, reproducible=reproducible) for row in rows)
    return iter([render_results(rows, format, reproducible=reproducible)])


@contextmanager
def whole_or_nothing(path: Path) -> Iterator[BinaryIO]:
    """A file that is written beside ``path`` and takes its place once it is safely on disk; on
    any failure it is removed and ``path`` is as it was. Raises OSError, which names ``path``."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with beside.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        beside.unlink(missing_ok=True)
