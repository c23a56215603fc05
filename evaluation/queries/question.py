"""One question: what a right answer is, and what every variant answered from which context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Choice, Flag
from evaluation.records import CellState


@dataclass(frozen=True, slots=True)
class FactSource:
    """Where a source item states a fact, with some text before and after."""

    item_id: str
    title: str
    before: str
    text: str
    after: str


@dataclass(frozen=True, slots=True)
class FactRow:
    text: str
    keys: tuple[str, ...]
    sources: tuple[FactSource, ...]


@dataclass(frozen=True, slots=True)
class ExpectationRow:
    """What a right answer is at one phase."""

    phase: str
    gold_answer: str
    facts: tuple[FactRow, ...]
    penalties: tuple[str, ...]
    stale_values: tuple[str, ...]
    abstain: bool


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One cell as one judge sees it. ``by_track`` is the same variant across tracks: (track,
    score or None, cell)."""

    cell_id: int
    system: str
    variant: str
    label: str
    modality: str
    synthesis: str
    anchor: bool
    track: str
    phase: str
    repeat: int
    state: CellState
    state_reason: str
    score: float | None
    dimensions: Mapping[str, float]
    judge_reason: str
    answer: str
    abstained: bool
    achieved_chars: int | None
    requested_chars: int | None
    n_units: int | None
    retrieve_ms: float | None
    cost_usd: float | None
    flags: tuple[Flag, ...]
    by_track: tuple[tuple[str, float | None, int], ...]


@dataclass(frozen=True, slots=True)
class QuestionPage:
    keys: BoardKeys
    question_id: str
    text: str
    slices: Mapping[str, tuple[str, ...]]
    expectations: tuple[ExpectationRow, ...]
    track: str
    scale_high: float
    answers: tuple[AnswerRow, ...]
    tracks: tuple[Choice, ...]
    phases: tuple[Choice, ...]
    previous_id: str
    next_id: str


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A run of text of a context; ``facts`` are the numbers (from 1) of the facts stated there.
    ``is_term``: it is not the fact's source span but a name or number of the fact."""

    text: str
    facts: tuple[int, ...] = ()
    is_term: bool = False


@dataclass(frozen=True, slots=True)
class ContextUnit:
    number: int
    source_id: str
    title: str
    kind: str
    start: int
    end: int
    is_cut: bool
    pieces: tuple[TextPiece, ...]


@dataclass(frozen=True, slots=True)
class FactFound:
    """``in_context``: its source span lies in the context, or all its keys appear there. None
    where neither can be checked."""

    number: int
    text: str
    in_context: bool | None
    in_answer: bool | None
    in_units: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """One answer with its rendered context."""

    keys: BoardKeys
    question_id: str
    question: str
    answer: AnswerRow
    scale_high: float
    units: tuple[ContextUnit, ...]
    n_units_hidden: int
    facts: tuple[FactFound, ...]
