"""The cells of one question as one judge sees them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.models import Cell, CellError, Judgment, Question
from evaluation.protocol.flags import SENTENCES
from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Flag
from evaluation.queries.question import AnswerRow
from evaluation.queries.vectors import BoardVector, track_order
from evaluation.records import CellState

NOT_REACHED = "The run has not reached this cell yet."
NOT_JUDGED = "It is answered and waits for its judge."

_FIELDS = (
    "pk", "run_variant", "track", "phase", "repeat", "requested_chars", "not_applicable",
    "answered_at", "errored_at",
    "run_variant__variant__system", "run_variant__variant__label",
    "run_variant__variant__modality", "run_variant__variant__synthesis",
    "run_variant__variant__is_anchor",
    "retrieval__achieved_chars", "retrieval__n_units", "retrieval__retrieve_ms",
    "retrieval__flags",
    "answer__pk", "answer__text", "answer__abstained", "answer__cost_usd",
)  # fmt: skip


def answer_rows(
    keys: BoardKeys,
    question: Question,
    vectors: Sequence[BoardVector],
    *,
    cell: int | None = None,
) -> list[tuple[int, AnswerRow]]:
    """(run variant, row) of every cell of the board's runs at every track, and of ``cell`` with
    its siblings where another run made it."""
    run_variants = {one.run_variant_id for one in vectors}
    labels = {one.run_variant_id: one.label for one in vectors}
    if cell is not None:
        run_variants.add(Cell.objects.values_list("run_variant", flat=True).get(pk=cell))
    cells = list(
        Cell.objects.filter(question=question, run_variant__in=run_variants)
        .order_by("run_variant__position", "phase", "repeat", "pk")
        .values(*_FIELDS)
    )
    judged = _judgments([one["answer__pk"] for one in cells if one["answer__pk"]], keys.judge_keys)
    errors = dict(
        CellError.objects.filter(cell__in=[one["pk"] for one in cells if one["errored_at"]])
        .order_by("pk")
        .values_list("cell", "message")
    )
    siblings: dict[tuple[int, str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for one in cells:
        siblings[one["run_variant"], one["phase"], one["repeat"]].append(one)
    n_judges = len(keys.judge_keys)
    scores = {one["pk"]: _score(judged[one["answer__pk"]], n_judges) for one in cells}
    return [
        (
            one["run_variant"],
            _row(
                one,
                labels.get(one["run_variant"], one["run_variant__variant__label"]),
                judged[one["answer__pk"]],
                scores,
                siblings[one["run_variant"], one["phase"], one["repeat"]],
                errors.get(one["pk"], ""),
            ),
        )
        for one in cells
    ]


def _judgments(
    answers: Sequence[int], judge_keys: Sequence[str]
) -> defaultdict[int, list[Mapping[str, Any]]]:
    found: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    rows = Judgment.objects.filter(answer__in=answers, judge__key__in=judge_keys).order_by("pk")
    for row in rows.values(
        "answer", "composite", "scores", "reason", "unscored_reason", "judge__name"
    ):
        found[row["answer"]].append(row)
    return found


def _score(judgments: Sequence[Mapping[str, Any]], n_judges: int) -> float | None:
    """The judge's composite, or the mean of all judges where all of them scored the answer."""
    scored = [one["composite"] for one in judgments if one["composite"] is not None]
    return sum(scored) / n_judges if scored and len(scored) == n_judges else None


def _state(
    cell: Mapping[str, Any], judgments: Sequence[Mapping[str, Any]], score: float | None
) -> CellState:
    if cell["not_applicable"]:
        return "not_applicable"
    if score is not None:
        return "scored"
    if any(one["composite"] is None for one in judgments):
        return "unscored"
    return "errored" if cell["errored_at"] else "pending"


def _reason(
    cell: Mapping[str, Any],
    state: CellState,
    judgments: Sequence[Mapping[str, Any]],
    error: str,
) -> str:
    """Why there is no score."""
    if state == "not_applicable":
        return str(cell["not_applicable"])
    if state == "unscored":
        return " ".join(one["unscored_reason"] for one in judgments if one["unscored_reason"])
    if state == "errored":
        return error
    if state == "pending":
        return NOT_JUDGED if cell["answered_at"] else NOT_REACHED
    return ""


def _row(
    cell: Mapping[str, Any],
    label: str,
    judgments: Sequence[Mapping[str, Any]],
    scores: Mapping[int, float | None],
    siblings: Sequence[Mapping[str, Any]],
    error: str,
) -> AnswerRow:
    state = _state(cell, judgments, scores[cell["pk"]])
    by_track = {one["track"]: one["pk"] for one in siblings}
    only = judgments[0] if len(judgments) == 1 else None
    return AnswerRow(
        cell_id=cell["pk"],
        system=cell["run_variant__variant__system"],
        variant=label,
        label=label,
        modality=cell["run_variant__variant__modality"],
        synthesis=cell["run_variant__variant__synthesis"],
        anchor=cell["run_variant__variant__is_anchor"],
        track=cell["track"],
        phase=cell["phase"],
        repeat=cell["repeat"],
        state=state,
        state_reason=_reason(cell, state, judgments, error),
        score=scores[cell["pk"]],
        dimensions=dict(only["scores"]) if only else {},
        judge_reason=(
            only["reason"]
            if only
            else "\n\n".join(f"**{one['judge__name']}**: {one['reason']}" for one in judgments)
        ),
        answer=cell["answer__text"] or "",
        abstained=bool(cell["answer__abstained"]),
        achieved_chars=cell["retrieval__achieved_chars"],
        requested_chars=cell["requested_chars"],
        n_units=cell["retrieval__n_units"],
        retrieve_ms=cell["retrieval__retrieve_ms"],
        cost_usd=cell["answer__cost_usd"],
        flags=tuple(
            Flag(code, SENTENCES.get(code, code)) for code in cell["retrieval__flags"] or ()
        ),
        by_track=tuple(
            (track, scores[by_track[track]], by_track[track]) for track in track_order(by_track)
        ),
    )
