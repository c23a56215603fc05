"""Results of Inspect AI: an EvalLog, version 2, as JSON.

The system is the model of the log, the benchmark its dataset (or task), the judges its scorers;
an epoch is a repeat. Values are read as Inspect reads them: "C" 1, "P" 0.5, "I" and "N" 0, yes,
no, true, false and numbers as they are. NaN is Inspect's own unscored. A value that is not 0–1,
and a list, are unscored; the entries of an object are dimensions without a composite.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from evaluation.formats.foreign_scores import SHARE_SCALE, composite_of, judgment_of, slug_of
from evaluation.formats.result_rows import ResultFile, ResultJudgment, ResultRow, rows_of
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, decode, parse_json, read_bytes
from evaluation.source_files.refusals import WrongKindOfFile

FORMAT = "inspect"
VERSION = 2
_ZIP_MAGIC = b"PK\x03\x04"
_ATTACHMENT = "attachment://"
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def read(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> ResultFile:
    """The rows of a log. A sample that cannot be taken is a problem that names its place. Raises
    WrongKindOfFile for another layout or version, a log without samples, and when no sample can
    be taken."""
    content = read_bytes(path, max_bytes=max_bytes)
    if content.startswith(_ZIP_MAGIC):
        raise WrongKindOfFile(
            path, "this is a packed log (.eval); write it as JSON with “inspect log convert”"
        )
    root = JsonNode(parse_json(decode(content, path), path, allow_nan=True), path)
    if not isinstance(root.value, dict) or not {"eval", "status"} <= root.value.keys():
        raise root.refuse("this is no log of Inspect AI: eval and status are needed")
    if root.value.get("version") != VERSION:
        raise root.refuse(f"the log's version is {root.value.get('version')}; {VERSION} is needed")
    samples = root.find("samples")
    if samples is None or not samples.value:
        raise root.refuse("the log holds no samples (only its header was kept)")
    meta = _meta(root)
    rows, problems = rows_of(
        samples.each(), lambda node: _row(node, meta), path=path, noun="sample"
    )
    if meta["status"] != "success":
        problems.insert(0, f"the log's status is “{meta['status']}”: samples may be missing")
    return ResultFile(FORMAT, rows, tuple(problems), meta)


def _meta(root: JsonNode) -> dict[str, str]:
    spec = root.field("eval")
    meta = {"status": root.field("status").label(), "scale": SHARE_SCALE}
    for name in ("task", "model", "run_id", "created"):
        if (found := spec.find(name)) is not None:
            meta[name] = found.label()
    dataset = spec.find("dataset")
    named = dataset.find("name") if dataset is not None else None
    meta["dataset"] = named.label() if named is not None else meta.get("task", "")
    return meta


def _row(node: JsonNode, meta: dict[str, str]) -> ResultRow:
    error = node.find("error")
    epoch = node.find("epoch")
    scores = node.find("scores")
    target = node.field("target")
    targets = target.value if isinstance(target.value, list) else [target.value]
    return ResultRow(
        benchmark=slug_of(meta["dataset"]),
        question_id=node.field("id").label(),
        system=slug_of(meta.get("model", "")),
        variant=meta.get("model", ""),
        answer=_answer(node),
        repeat=max(0, epoch.whole_number() - 1) if epoch is not None else 0,
        question_text=_last_text(node.field("input"), node),
        gold_answer=" / ".join(str(one) for one in targets),
        judgments=() if scores is None else _judgments(scores),
        error=error.field("message").text() if error is not None else "",
        run=meta.get("run_id", ""),
    )


def _answer(node: JsonNode) -> str:
    output = node.find("output")
    if output is None:
        return ""
    completion = output.find("completion")
    if completion is not None:
        return _resolved(completion.text(), node)
    choices = output.find("choices")
    if choices is None or not choices.value:
        return ""
    return _content(choices.each()[0].field("message").field("content"), node)


def _last_text(value: JsonNode, sample: JsonNode) -> str:
    """The input, or the content of its last message of the user."""
    if isinstance(value.value, str):
        return _resolved(value.value, sample)
    messages = [
        message for message in value.each() if message.field("role").value == "user"
    ] or value.each()
    return _content(messages[-1].field("content"), sample) if messages else ""


def _content(content: JsonNode, sample: JsonNode) -> str:
    if isinstance(content.value, str):
        return _resolved(content.value, sample)
    parts = [part.find("text") for part in content.each() if part.fields().get("type") == "text"]
    return "\n".join(_resolved(part.text(), sample) for part in parts if part is not None)


def _resolved(text: str, sample: JsonNode) -> str:
    if not text.startswith(_ATTACHMENT):
        return text
    attachments: dict[str, Any] = sample.fields().get("attachments") or {}
    return str(attachments.get(text.removeprefix(_ATTACHMENT), text))


def _judgments(scores: JsonNode) -> tuple[ResultJudgment, ...]:
    return tuple(_judgment(name, scores.field(name)) for name in scores.fields())


def _judgment(scorer: str, score: JsonNode) -> ResultJudgment:
    explanation = score.find("explanation")
    reason = explanation.text() if explanation is not None else ""
    value = score.fields().get("value")
    if isinstance(value, float) and math.isnan(value):
        return ResultJudgment(scorer, None, reason=reason, unscored_reason="unscored by Inspect")
    if isinstance(value, dict):
        read = {str(name): composite_of(_as_number(one)) for name, one in value.items()}
        scores = {name: one for name, one in read.items() if one is not None}
        unscored = "the scorer gives several values and none for the whole"
        return ResultJudgment(scorer, None, scores, reason, unscored)
    return judgment_of(scorer, _as_number(value), reason)


def _as_number(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value in _LETTERS:
        return _LETTERS[value]
    word = value.strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    try:
        return float(word)
    except ValueError:
        return value
