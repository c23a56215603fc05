"""The table of a page as a file: exactly the rows that are shown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import orjson
from django.http import HttpResponse

from evaluation.formats.answers_csv import formula_safe


def csv_response(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], filename: str
) -> HttpResponse:
    """UTF-8 CSV. A text that a spreadsheet would run as a formula is given a leading quote."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return HttpResponse(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )


def json_response(value: Any, *, status: int = 200) -> HttpResponse:
    """JSON of plain values and dataclasses; a number that is not finite becomes null."""
    plain = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    body = orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS)
    return HttpResponse(body, content_type="application/json", status=status)


def _cell(value: Any) -> str | float | int:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    return formula_safe(str(value))
