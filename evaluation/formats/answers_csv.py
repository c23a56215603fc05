"""Results as a tidy table: a line for each answer and judge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from evaluation.formats.result_rows import (
    MEASURED_JUDGMENT_FIELDS,
    MEASURED_ROW_FIELDS,
    ResultJudgment,
    ResultRow,
    canonical_order,
)

FORMAT = "csv"
_TEXT = (
    "benchmark", "scenario_id", "question_id", "phase", "system", "variant", "modality",
    "synthesis", "synthesizer", "track",
)  # fmt: skip
_COUNTS = ("repeat", "requested_chars", "achieved_chars", "input_tokens", "output_tokens")
_NUMBERS = ("cost_usd", "retrieve_ms", "synthesize_ms")
_JUDGMENT_TEXT = ("judge", "reason", "unscored_reason")
_JUDGMENT_NUMBERS = ("composite", "judge_ms")
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_JOIN = "; "


def rows_to_frame(rows: Iterable[ResultRow], *, context: bool = False) -> pd.DataFrame:
    """A tidy table in canonical order: a line for each answer and judge, one with an empty judge
    for an answer that nobody judged.

    Dimensions are columns ``score_<name>``, slices ``slice_<name>`` (several values joined by
    "; "). Counts are Int64, scores, costs and times Float64: what is not known is missing, not
    0. ``judge_cost_usd`` is the judgment's cost. The context is left out unless asked for.
    """
    records = [
        _record(row, judgment, context)
        for row in canonical_order(rows)
        for judgment in _judgments(row)
    ]
    named = dict.fromkeys(name for record in records for name in record)
    scores = sorted(name for name in named if name.startswith("score_"))
    slices = sorted(name for name in named if name.startswith("slice_"))
    columns = [
        *_TEXT, *_COUNTS, "is_anchor", "abstained", "flags", "judge", "is_proxy", "composite",
        *scores, "reason", "unscored_reason", "answer", "question_text", "gold_answer", *slices,
        "error", "run", *_NUMBERS, "judge_cost_usd", "judge_ms", *(["context"] if context else []),
    ]  # fmt: skip
    frame = pd.DataFrame(records, columns=pd.Index(columns))
    for name in columns:
        if name in _COUNTS:
            frame[name] = frame[name].astype("Int64")
        elif name in (*_NUMBERS, *scores, "composite", "judge_cost_usd", "judge_ms"):
            frame[name] = frame[name].astype("Float64")
        elif name in ("is_anchor", "abstained", "is_proxy"):
            frame[name] = frame[name].astype("boolean")
        else:
            frame[name] = frame[name].astype("object").where(frame[name].notna(), "")
    return frame


def render(rows: Iterable[ResultRow], *, reproducible: bool = False) -> str:
    """The table as CSV. A text cell that a spreadsheet would run as a formula gets an apostrophe
    in front; what is not known is an empty cell."""
    frame = rows_to_frame(rows)
    if reproducible:
        measured = {*MEASURED_ROW_FIELDS, *MEASURED_JUDGMENT_FIELDS, "judge_cost_usd"}
        frame = frame.drop(columns=[name for name in frame.columns if name in measured])
    for name in frame.columns:
        if frame[name].dtype == "object":
            frame[name] = frame[name].map(formula_safe)
    return str(frame.to_csv(index=False, lineterminator="\n"))


def formula_safe(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _judgments(row: ResultRow) -> list[ResultJudgment | None]:
    return [*sorted(row.judgments, key=lambda one: one.judge)] or [None]


def _record(row: ResultRow, judgment: ResultJudgment | None, context: bool) -> dict[str, Any]:
    names = (
        *_TEXT, *_COUNTS, *_NUMBERS, "is_anchor", "abstained", "answer", "question_text",
        "gold_answer", "error", "run",
    )  # fmt: skip
    record: dict[str, Any] = {name: getattr(row, name) for name in names}
    record["flags"] = _JOIN.join(row.flags)
    if context:
        record["context"] = row.context
    for name, values in row.slices.items():
        record[f"slice_{name}"] = _JOIN.join(values)
    if judgment is not None:
        for name in (*_JUDGMENT_TEXT, *_JUDGMENT_NUMBERS, "is_proxy"):
            record[name] = getattr(judgment, name)
        record["judge_cost_usd"] = judgment.cost_usd
        for name, score in judgment.scores.items():
            record[f"score_{name}"] = score
    return record
