"""Results of Supermemory's memorybench: a run's ``report.json``.

The report keeps the search results but not the prompt's context, so achieved characters are not
known. Scores are 0–1; a label that contradicts its score leaves the answer unscored.
"""

from __future__ import annotations

from pathlib import Path

from evaluation.formats.foreign_scores import SHARE_SCALE, judgment_of, slug_of
from evaluation.formats.result_rows import ResultFile, ResultJudgment, ResultRow, rows_of
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, is_finite_number, read_json

FORMAT = "memorybench"
_META = ("provider", "benchmark", "runId", "judge", "answeringModel", "timestamp")


def read(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> ResultFile:
    """The rows of a report. An evaluation that cannot be taken is a problem that names its place.
    Raises WrongKindOfFile for another layout and when no evaluation can be taken."""
    root = JsonNode(read_json(path, max_bytes=max_bytes), path)
    if not isinstance(root.value, dict) or not {"provider", "evaluations"} <= root.value.keys():
        raise root.refuse("this is no report of memorybench: provider and evaluations are needed")
    meta = {name: found.label() for name in _META if (found := root.find(name)) is not None}
    meta["provider"] = root.field("provider").label()
    rows, problems = rows_of(
        root.field("evaluations").each(),
        lambda node: _row(node, meta),
        path=path,
        noun="evaluation",
    )
    meta["scale"] = SHARE_SCALE
    return ResultFile(FORMAT, rows, tuple(problems), meta)


def _row(node: JsonNode, meta: dict[str, str]) -> ResultRow:
    kind = node.find("questionType")
    return ResultRow(
        benchmark=slug_of(meta.get("benchmark", "")),
        question_id=node.field("questionId").label(),
        system=slug_of(meta["provider"]),
        answer=node.field("hypothesis").text(),
        synthesizer=meta.get("answeringModel", ""),
        question_text=_text(node, "question"),
        gold_answer=_label(node, "groundTruth"),
        slices={"type": (kind.label(),)} if kind is not None else {},
        judgments=(_judgment(node, meta.get("judge", "unnamed")),),
        run=meta.get("runId", ""),
        retrieve_ms=_duration(node, "searchDurationMs"),
        synthesize_ms=_duration(node, "answerDurationMs"),
    )


def _judgment(node: JsonNode, judge: str) -> ResultJudgment:
    score, label = node.find("score"), node.find("label")
    value = score.value if score is not None else None
    reason = _text(node, "explanation")
    if label is not None and (label.value == "correct") != (value == 1) and value in (0, 1):
        contradiction = f"the score {value} contradicts the label “{label.value}”"
        return ResultJudgment(judge, None, reason=reason, unscored_reason=contradiction)
    return judgment_of(judge, value, reason)


def _text(node: JsonNode, name: str) -> str:
    found = node.find(name)
    return found.text() if found is not None else ""


def _label(node: JsonNode, name: str) -> str:
    found = node.find(name)
    return found.label() if found is not None and str(found.value).strip() else ""


def _duration(node: JsonNode, name: str) -> float | None:
    found = node.find(name)
    return float(found.value) if found is not None and is_finite_number(found.value) else None
