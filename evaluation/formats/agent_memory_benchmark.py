"""Results of Vectorize's agent-memory-benchmark: one run of one provider on one split, ``.json``
or ``.json.gz``.

The context is the string that was put into the prompt, so achieved characters are its length. The
benchmark's slug is dataset and split, the system's is the memory provider's; the run's own name
is the variant where it differs. ``score`` (0–1) counts before ``correct`` (true or false).
"""

from __future__ import annotations

from pathlib import Path

from evaluation.formats.foreign_scores import BOOLEAN_SCALE, SHARE_SCALE, judgment_of, slug_of
from evaluation.formats.result_rows import ResultFile, ResultRow, rows_of
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, is_finite_number, read_json

FORMAT = "agent-memory-benchmark"
_META = ("dataset", "split", "memory_provider", "run_name", "mode", "answer_llm", "judge_llm")


def read(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> ResultFile:
    """The rows of a run. A result that cannot be taken is a problem that names its place. Raises
    WrongKindOfFile for another layout and when no result can be taken."""
    root = JsonNode(read_json(path, max_bytes=max_bytes), path)
    if not isinstance(root.value, dict) or not {"memory_provider", "results"} <= root.value.keys():
        raise root.refuse(
            "this is no result of agent-memory-benchmark: memory_provider and results are needed"
        )
    meta = {
        name: found.label()
        for name in _META
        if (found := root.find(name)) is not None and str(found.value).strip()
    }
    meta["memory_provider"] = root.field("memory_provider").label()
    rows, problems = rows_of(
        root.field("results").each(), lambda node: _row(node, meta), path=path, noun="result"
    )
    total = root.value.get("total_queries")
    if is_finite_number(total) and total != len(rows):
        problems.append(f"total_queries is {total}, but {len(rows)} results were read")
    has_shares = any(
        isinstance(result, dict) and result.get("score") is not None
        for result in root.value["results"]
    )
    meta["scale"] = SHARE_SCALE if has_shares else BOOLEAN_SCALE
    return ResultFile(FORMAT, rows, tuple(problems), meta)


def _row(node: JsonNode, meta: dict[str, str]) -> ResultRow:
    provider = meta["memory_provider"]
    run_name = meta.get("run_name", provider)
    context = node.find("context")
    text = context.text() if context is not None else None
    gold = node.find("gold_answers")
    score = node.find("score")
    correct = node.find("correct")
    reason = node.find("judge_reason")
    value = score.value if score is not None else correct.value if correct is not None else None
    retrieve = node.find("retrieve_time_ms")
    return ResultRow(
        benchmark=slug_of(meta.get("dataset", ""), meta.get("split", "")),
        question_id=node.field("query_id").label(),
        system=slug_of(provider),
        variant=run_name if run_name != provider else "",
        answer=node.field("answer").text(),
        synthesizer=meta.get("answer_llm", ""),
        achieved_chars=len(text) if text is not None else None,
        context=text,
        question_text=_text(node, "query"),
        gold_answer=" / ".join(one.label() for one in gold.each()) if gold is not None else "",
        slices=_slices(node),
        judgments=(
            judgment_of(meta.get("judge_llm", "unnamed"), value, reason.text() if reason else ""),
        ),
        retrieve_ms=float(retrieve.value)
        if retrieve is not None and is_finite_number(retrieve.value)
        else None,
    )


def _text(node: JsonNode, name: str) -> str:
    found = node.find(name)
    return found.text() if found is not None else ""


def _slices(node: JsonNode) -> dict[str, tuple[str, ...]]:
    axes = node.find("category_axes")
    if axes is None:
        return {}
    return {
        str(name): tuple(value.label() for value in axes.field(name).each())
        for name, values in axes.fields().items()
        if values
    }
