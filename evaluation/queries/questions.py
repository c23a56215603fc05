"""The index of a benchmark's questions: where systems differ and where budget matters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """``spread`` is the best minus the worst ranked variant at the track. ``drop`` is the mean of
    the variants at the largest budget minus their mean at the smallest. None: not measured."""

    question_id: str
    text: str
    slices: Mapping[str, tuple[str, ...]]
    n_scored: int
    n_variants: int
    mean: float | None
    spread: float | None
    best: str
    worst: str
    drop: float | None


@dataclass(frozen=True, slots=True)
class QuestionsPage:
    keys: BoardKeys
    track: str
    scale_high: float
    rows: tuple[QuestionRow, ...]
    n_questions: int
    page: int
    n_pages: int
    sort: str
    descending: bool
    search: str
    tracks: tuple[Choice, ...]
    slices: Mapping[str, tuple[Choice, ...]]
    slice_names: tuple[str, ...]
    budgets: tuple[str, ...]
