"""Reading the index of questions: means, spread across systems, drop with budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from evaluation.models import Question
from evaluation.protocol.tracks import NATIVE
from evaluation.queries.board import unit_scores
from evaluation.queries.board_keys import board_keys
from evaluation.queries.choices import choices, choose
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.measures import chosen_measure, measures_of
from evaluation.queries.question_index import check_slices, question_index, slice_choices
from evaluation.queries.questions import QuestionRow, QuestionsPage
from evaluation.queries.vectors import (
    BoardVector,
    at_track,
    board_vectors,
    default_track,
    track_order,
)

ROWS_A_PAGE = 50

Scores = Mapping[str, Mapping[str, float]]
"""Label → question id → score, scored ones only."""

_SORTS: Mapping[str, tuple[Callable[[QuestionRow], float | None], bool]] = {
    "id": (lambda _: None, False),
    "mean": (lambda row: row.mean, False),
    "spread": (lambda row: row.spread, True),
    "drop": (lambda row: row.drop, True),
}


def questions_page(slug: str, filters: BoardFilters, *, page: int = 1) -> QuestionsPage:
    """50 questions a page, sorted by spread unless the reader asks otherwise.

    Raises NotFound for the benchmark, UnknownChoice for anything else that does not exist.
    """
    keys = board_keys(slug, protocol=filters.protocol, judge=filters.judge)
    measure = chosen_measure(measures_of(keys.benchmark.family), filters.measure)
    vectors = board_vectors(keys, measure=measure.name)
    tracks = track_order(one.track for one in vectors if one.is_applicable)
    track = choose("track", filters.track, tracks, default=default_track(tracks))
    index = question_index(keys)
    check_slices(index, filters.slices)
    sort = choose("sort", filters.sort, list(_SORTS), default="spread" if vectors else "id")
    texts = dict(
        Question.objects.filter(benchmark=keys.benchmark_id).values_list("question_id", "text")
    )
    search = filters.search.casefold()
    ids = [
        one
        for one in index.with_slices(filters.slices)
        if search in one.casefold() or search in texts[one].casefold()
    ]
    budgets = tuple(one for one in tracks if one != NATIVE)
    here = _ranked(at_track(vectors, track))
    scores = _scores(here)
    smallest, largest = (
        (_scores(_at(vectors, budgets[0])), _scores(_at(vectors, budgets[-1])))
        if len(budgets) > 1
        else ({}, {})
    )
    rows = [
        _row(one, texts[one], index.slices[one], scores, smallest, largest, len(here))
        for one in ids
    ]
    value, downwards = _SORTS[sort]
    descending = downwards if filters.descending is None else filters.descending
    ordered = _sorted(rows, value, descending) if sort != "id" else rows[:: -1 if descending else 1]
    n_pages = max(1, math.ceil(len(ordered) / ROWS_A_PAGE))
    shown = min(page, n_pages)
    return QuestionsPage(
        keys=keys,
        track=track,
        scale_high=measure.scale_high,
        rows=tuple(ordered[(shown - 1) * ROWS_A_PAGE : shown * ROWS_A_PAGE]),
        n_questions=len(ordered),
        page=shown,
        n_pages=n_pages,
        sort=sort,
        descending=descending,
        search=filters.search,
        tracks=choices([(name, None) for name in tracks], track),
        slices=slice_choices(index, filters.slices),
        slice_names=index.slice_names,
        budgets=budgets,
    )


def _ranked(vectors: Sequence[BoardVector]) -> list[BoardVector]:
    return [one for one in vectors if one.is_applicable and not one.is_anchor]


def _at(vectors: Sequence[BoardVector], track: str) -> list[BoardVector]:
    return _ranked([one for one in vectors if one.track == track])


def _scores(vectors: Sequence[BoardVector]) -> Scores:
    return kept_scores(tuple((one.label, one.ids, one.updated_at.isoformat()) for one in vectors))


@lru_cache(maxsize=128)
def kept_scores(vectors: tuple[tuple[str, tuple[int, ...], str], ...]) -> Scores:
    """Remembered with the times of change, so that a changed score is read again."""
    read = unit_scores(ids for _, ids, _ in vectors)
    return {
        label: {unit: score for unit, score in read[ids].scores.items() if score is not None}
        for label, ids, _ in vectors
    }


def _row(
    question_id: str,
    text: str,
    slices: Mapping[str, tuple[str, ...]],
    scores: Scores,
    smallest: Scores,
    largest: Scores,
    n_variants: int,
) -> QuestionRow:
    own = {label: of[question_id] for label, of in scores.items() if question_id in of}
    best = max(own, key=lambda label: own[label]) if own else ""
    worst = min(own, key=lambda label: own[label]) if own else ""
    both = [
        label
        for label in smallest
        if question_id in smallest[label] and question_id in largest.get(label, {})
    ]
    drop = None
    if both:
        drop = sum(
            largest[label][question_id] - smallest[label][question_id] for label in both
        ) / len(both)
    return QuestionRow(
        question_id=question_id,
        text=text,
        slices=slices,
        n_scored=len(own),
        n_variants=n_variants,
        mean=sum(own.values()) / len(own) if own else None,
        spread=own[best] - own[worst] if len(own) > 1 else None,
        best=best,
        worst=worst if len(own) > 1 else "",
        drop=drop,
    )


def _sorted(
    rows: Sequence[QuestionRow], value: Callable[[QuestionRow], float | None], descending: bool
) -> list[QuestionRow]:
    """Questions without the value last; ties in the benchmark's order."""
    with_value = [row for row in rows if value(row) is not None]
    ordered = sorted(with_value, key=lambda row: value(row) or 0.0, reverse=descending)
    return ordered + [row for row in rows if value(row) is None]
