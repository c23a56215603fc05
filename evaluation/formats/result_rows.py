"""Results as plain rows: one answer with its judgments, free of database and file format."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.records import MAIN_PHASE
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.refusals import WrongKindOfFile

MAX_SCORE = 10.0

MEASURED_ROW_FIELDS = ("cost_usd", "retrieve_ms", "run", "synthesize_ms")
MEASURED_JUDGMENT_FIELDS = ("cost_usd", "judge_ms")
"""What differs between two runs of one protocol: left out of a reproducible export."""


@dataclass(frozen=True, slots=True)
class ResultJudgment:
    """``composite`` and ``scores`` are 0–10; None is UNSCORED, for ``unscored_reason``. Cost and
    time are None where they are not known. Raises ValueError for anything else."""

    judge: str
    composite: float | None
    scores: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""
    unscored_reason: str = ""
    is_proxy: bool = False
    cost_usd: float | None = None
    judge_ms: float | None = None

    def __post_init__(self) -> None:
        if (self.composite is None) != bool(self.unscored_reason):
            raise ValueError("a judgment has either a composite or a reason for being unscored")
        named = {"composite": self.composite, **self.scores}
        for name, score in named.items():
            if score is not None and not (math.isfinite(score) and 0 <= score <= MAX_SCORE):
                raise ValueError(f"the score “{name}” is {score}, outside 0 to 10")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One answer: a variant at a track, to a question in a phase, in one repeat.

    ``system`` is the plain system, ``variant`` its label where it says more. ``achieved_chars`` is
    the length of the context in Unicode characters, None where it is not known; ``context`` is
    None where it was not kept. ``error`` is what went wrong where there is no answer. Costs, times
    (milliseconds) and tokens are None where they are not known.
    """

    benchmark: str
    question_id: str
    system: str
    answer: str
    phase: str = MAIN_PHASE
    modality: str = "other"
    synthesis: str = "shared"
    track: str = "native"
    repeat: int = 0
    scenario_id: str = ""
    variant: str = ""
    synthesizer: str = ""
    is_anchor: bool = False
    requested_chars: int | None = None
    achieved_chars: int | None = None
    context: str | None = None
    abstained: bool = False
    flags: tuple[str, ...] = ()
    judgments: tuple[ResultJudgment, ...] = ()
    question_text: str = ""
    gold_answer: str = ""
    slices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    error: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    run: str = ""
    cost_usd: float | None = None
    retrieve_ms: float | None = None
    synthesize_ms: float | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """What makes the answer one of its kind; two rows of a file never share it."""
        return (
            self.benchmark,
            self.scenario_id,
            self.system,
            self.variant,
            self.modality,
            self.track,
            self.question_id,
            self.phase,
            f"{self.repeat:09d}",
        )


@dataclass(frozen=True, slots=True)
class ResultFile:
    """What a file of results holds. ``problems`` name the line or place and the reason for each
    row that was not taken. ``meta`` says what the file states about itself; ``meta["scale"]``
    says how its scores became 0–10."""

    format: str
    rows: tuple[ResultRow, ...]
    problems: tuple[str, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict)


def canonical_order(rows: Iterable[ResultRow]) -> list[ResultRow]:
    """Rows by their key: the order of every export, whatever order they were made in."""
    return sorted(rows, key=lambda row: row.key)


def without_repeats(
    placed: Iterable[tuple[str, ResultRow]],
) -> tuple[tuple[ResultRow, ...], list[str]]:
    """The rows, each key once; ``placed`` pairs each with its place in the file. A second row
    with a key is not taken, and the problem names both places."""
    rows: list[ResultRow] = []
    places: dict[tuple[str, ...], str] = {}
    problems: list[str] = []
    for place, row in placed:
        if row.key in places:
            first = places[row.key]
            problems.append(
                f"{place}: a second answer of {row.variant or row.system} to “{row.question_id}” "
                f"(first at {first}); not taken"
            )
            continue
        places[row.key] = place
        rows.append(row)
    return tuple(rows), problems


def rows_of(
    nodes: Iterable[JsonNode], read_row: Callable[[JsonNode], ResultRow], *, path: Path, noun: str
) -> tuple[tuple[ResultRow, ...], list[str]]:
    """A row for each node, each key once, and a problem for each that cannot be taken. Raises
    WrongKindOfFile, which calls a node by ``noun``, when none can."""
    placed: list[tuple[str, ResultRow]] = []
    problems: list[str] = []
    for node in nodes:
        try:
            placed.append((node.place, read_row(node)))
        except WrongKindOfFile as refusal:
            problems.append(f"{refusal.place}: {refusal.reason}")
    if not placed:
        why = problems[0] if problems else "the file holds none"
        raise WrongKindOfFile(path, f"no {noun} could be read; {why}")
    rows, repeated = without_repeats(placed)
    return rows, problems + repeated
