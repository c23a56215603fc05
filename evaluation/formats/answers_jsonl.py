"""Our own results: JSON Lines, one answer a line, keys sorted, UTF-8.

Always there: benchmark, question_id, phase, system, modality, synthesis, track, repeat,
achieved_chars, answer and judgments (judge, composite, scores, reason or unscored_reason). Every
other field of ``ResultRow`` is there where it differs from its default. Scores are 0–10.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from evaluation.formats.result_rows import (
    MEASURED_JUDGMENT_FIELDS,
    MEASURED_ROW_FIELDS,
    ResultFile,
    ResultJudgment,
    ResultRow,
    canonical_order,
    without_repeats,
)
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, is_finite_number, read_json_lines
from evaluation.source_files.refusals import WrongKindOfFile

FORMAT = "jsonl"
_ALWAYS = {
    "benchmark", "question_id", "phase", "system", "modality", "synthesis", "track", "repeat",
    "achieved_chars", "answer", "judgments", "judge", "composite",
}  # fmt: skip


def render(rows: Iterable[ResultRow], *, reproducible: bool = False) -> str:
    """The rows as text, in canonical order. ``reproducible`` leaves out what was measured: equal
    protocols then give equal bytes."""
    return "".join(_line(row, reproducible) + "\n" for row in canonical_order(rows))


def _line(row: ResultRow, reproducible: bool) -> str:
    data = _plain(row, MEASURED_ROW_FIELDS if reproducible else ())
    left_out = MEASURED_JUDGMENT_FIELDS if reproducible else ()
    ordered = sorted(row.judgments, key=lambda judgment: judgment.judge)
    data["judgments"] = [_plain(judgment, left_out) for judgment in ordered]
    line = _json(data, ensure_ascii=False)
    # A lone surrogate has no UTF-8 form: such a line is written in escapes.
    return line if line.isascii() or _is_utf8(line) else _json(data, ensure_ascii=True)


def _json(data: Any, *, ensure_ascii: bool) -> str:
    return json.dumps(
        data, ensure_ascii=ensure_ascii, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(record: ResultRow | ResultJudgment, left_out: Iterable[str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for one in fields(record):
        value = getattr(record, one.name)
        if one.name in left_out or (one.name not in _ALWAYS and value == _default(one)):
            continue
        data[one.name] = dict(value) if isinstance(value, Mapping) else value
    return data


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def read(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> ResultFile:
    """The rows of a file. A line that cannot be taken is a problem that names it; unknown fields
    are ignored and named once. Raises WrongKindOfFile when no line can be taken."""
    placed: list[tuple[str, ResultRow]] = []
    problems: list[str] = []
    unknown: dict[str, str] = {}
    for line in read_json_lines(path, max_bytes=max_bytes):
        try:
            if line.refusal is not None:
                raise line.refusal
            node = JsonNode(line.value, path, line.place)
            placed.append((line.place, _row(node)))
            for name in node.fields().keys() - _ROW_READERS.keys():
                unknown.setdefault(name, line.place)
        except WrongKindOfFile as refusal:
            problems.append(f"{refusal.place}: {refusal.reason}")
    rows, repeated = without_repeats(placed)
    if not rows:
        raise WrongKindOfFile(path, f"no answer could be read; {problems[0]}")
    problems += repeated
    problems += [f"{place}: the field “{name}” is not read" for name, place in unknown.items()]
    return ResultFile(FORMAT, rows, tuple(problems), {"scale": "composite 0–10, as in the file"})


def _row(node: JsonNode) -> ResultRow:
    values = _read_fields(node, ResultRow, _ROW_READERS)
    context = values.get("context")
    if context is not None:
        stated = values.setdefault("achieved_chars", len(context))
        if stated != len(context):
            raise node.refuse(
                f"achieved_chars is {stated}, but the context has {len(context)} characters"
            )
    return ResultRow(**values)


def _read_fields(
    node: JsonNode, record: type[Any], readers: Mapping[str, Callable[[JsonNode], Any]]
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for one in fields(record):
        required = one.default is MISSING and one.default_factory is MISSING
        value = node.field(one.name) if required else node.find(one.name)
        if value is not None:
            values[one.name] = readers[one.name](value)
    return values


def _judgments(node: JsonNode) -> tuple[ResultJudgment, ...]:
    judgments: dict[str, ResultJudgment] = {}
    for each in node.each():
        judgment = _judgment(each)
        if judgment.judge in judgments:
            raise each.refuse(f"the judge “{judgment.judge}” judges the answer twice")
        judgments[judgment.judge] = judgment
    return tuple(judgments.values())


def _judgment(node: JsonNode) -> ResultJudgment:
    values = {
        name: reader(value)
        for name, reader in _JUDGMENT_READERS.items()
        if (value := node.find(name)) is not None
    }
    if "judge" not in values:
        raise node.refuse("the field “judge” is missing")
    values.setdefault("composite", None)
    if values["composite"] is None and not values.get("unscored_reason"):
        values["unscored_reason"] = "no reason given"
    try:
        return ResultJudgment(**values)
    except ValueError as error:
        raise node.refuse(str(error)) from error


def _number(node: JsonNode) -> float:
    if not is_finite_number(node.value):
        raise node.refuse("a number is needed here")
    return float(node.value)


def _quantity(node: JsonNode) -> float:
    value = _number(node)
    if value < 0:
        raise node.refuse("this cannot be negative")
    return value


def _count(node: JsonNode) -> int:
    value = node.whole_number()
    if value < 0:
        raise node.refuse("this cannot be negative")
    return value


def _scores(node: JsonNode) -> dict[str, float]:
    return {name: _number(node.field(name)) for name in node.fields()}


def _texts(node: JsonNode) -> tuple[str, ...]:
    return tuple(each.text() for each in node.each())


def _slices(node: JsonNode) -> dict[str, tuple[str, ...]]:
    return {name: _texts(node.field(name)) for name in node.fields()}


_ROW_READERS: dict[str, Callable[[JsonNode], Any]] = {
    **dict.fromkeys(("benchmark", "question_id", "system"), JsonNode.label),
    **dict.fromkeys(
        ("answer", "phase", "modality", "synthesis", "track", "scenario_id", "variant",
         "synthesizer", "context", "question_text", "gold_answer", "error", "run"),
        JsonNode.text,
    ),
    **dict.fromkeys(("is_anchor", "abstained"), JsonNode.flag),
    **dict.fromkeys(
        ("repeat", "requested_chars", "achieved_chars", "input_tokens", "output_tokens"), _count
    ),
    **dict.fromkeys(("cost_usd", "retrieve_ms", "synthesize_ms"), _quantity),
    "flags": _texts,
    "slices": _slices,
    "judgments": _judgments,
}  # fmt: skip
_JUDGMENT_READERS: dict[str, Callable[[JsonNode], Any]] = {
    "judge": JsonNode.label,
    "composite": _number,
    "scores": _scores,
    "reason": JsonNode.text,
    "unscored_reason": JsonNode.text,
    "is_proxy": JsonNode.flag,
    "cost_usd": _quantity,
    "judge_ms": _quantity,
}
