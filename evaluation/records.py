"""The records of the protocol: plain values that every layer of evaluation shares.

A benchmark is a set of scenarios; a scenario is one isolated lifetime of a memory, an ordered
stream of steps. Everything here is frozen and free of Django.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memory_systems.base import SourceItem as SourceItem

MAIN_PHASE = "main"


@dataclass(frozen=True, slots=True)
class Card:
    """What a benchmark is and where it comes from. ``slug`` names it in every URL and command."""

    slug: str
    title: str
    family: str
    licence: str
    citation: str
    source: str
    description: str = ""
    is_generated: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A verbatim piece of a source item: offsets in characters, end exclusive."""

    item_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Key:
    """A string or a number that must appear for a fact to be met exactly.

    For ``number``: ``value`` is its decimal text, ``unit`` may be empty, ``tolerance`` is relative
    (0.01 = 1 %). For ``term``: ``value`` or any alias, compared after normalisation.
    """

    kind: Literal["number", "term"]
    value: str
    unit: str = ""
    tolerance: float = 0.0
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A must-have fact of the rubric, with the places in the sources that state it."""

    text: str
    keys: tuple[Key, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a right answer is at one phase. ``abstain``: the right answer is that the thing is not
    known or not reported. ``penalties``: claims the answer must not make. ``stale_values``:
    values that were right before and no longer are."""

    gold_answer: str
    facts: tuple[Fact, ...] = ()
    penalties: tuple[str, ...] = ()
    abstain: bool = False
    stale_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """``slices`` maps a slice name (tier, type, task, domain…) to this question's values in it.
    ``expectations`` has one entry a phase; the usual single phase is ``main``."""

    id: str
    text: str
    expectations: Mapping[str, Expectation]
    slices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source_ids: tuple[str, ...] = ()
    holdout: bool = False


@dataclass(frozen=True, slots=True)
class Ingest:
    item: SourceItem
    kind: Literal["ingest"] = "ingest"


@dataclass(frozen=True, slots=True)
class Revise:
    item: SourceItem
    kind: Literal["revise"] = "revise"


@dataclass(frozen=True, slots=True)
class Delete:
    item_id: str
    kind: Literal["delete"] = "delete"


@dataclass(frozen=True, slots=True)
class Define:
    definition_id: str
    text: str
    kind: Literal["define"] = "define"


@dataclass(frozen=True, slots=True)
class SetWriter:
    model: str
    kind: Literal["set_writer"] = "set_writer"


@dataclass(frozen=True, slots=True)
class Consent:
    scope: str
    granted: bool
    kind: Literal["consent"] = "consent"


@dataclass(frozen=True, slots=True)
class ExportMemory:
    kind: Literal["export"] = "export"


@dataclass(frozen=True, slots=True)
class ImportMemory:
    kind: Literal["import"] = "import"


@dataclass(frozen=True, slots=True)
class Ask:
    question_id: str
    phase: str = MAIN_PHASE
    kind: Literal["ask"] = "ask"


@dataclass(frozen=True, slots=True)
class Fork:
    """The lifetime splits: every branch starts from a copy of the memory as it is here.
    A fork is the last step of its stream. Branch names are part of the asked phases."""

    branches: Mapping[str, tuple[Step, ...]]
    kind: Literal["fork"] = "fork"


Step = (
    Ingest
    | Revise
    | Delete
    | Define
    | SetWriter
    | Consent
    | ExportMemory
    | ImportMemory
    | Ask
    | Fork
)


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class LoaderReport:
    """What a loader found. ``problems`` name the line or question and the reason."""

    n_documents: int = 0
    n_questions: int = 0
    n_facts: int = 0
    n_spans_found: int = 0
    n_spans_relocated: int = 0
    n_spans_ambiguous: int = 0
    n_spans_missing: int = 0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A loaded benchmark: the card, the scenarios in order and every question they ask."""

    card: Card
    scenarios: tuple[Scenario, ...]
    questions: tuple[Question, ...]
    report: LoaderReport = LoaderReport()


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    """A unit as it stands in the rendered context: ``text`` is what was really shown (after
    merging and cutting), ``is_cut`` whether packing shortened it."""

    text: str
    kind: str
    source_id: str
    start: int = -1
    end: int = -1
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The rendered context: the very text the synthesizer reads."""

    units: tuple[PlacedUnit, ...]
    text: str

    @property
    def achieved_chars(self) -> int:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Usage:
    """Cost of model calls. ``cost_usd`` is None when a price is unknown."""

    input_tokens: int = 0
    output_tokens: int = 0
    model_calls: int = 0
    cost_usd: float | None = 0.0
    latency_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """``abstained``: the synthesizer said that the context does not tell."""

    text: str
    usage: Usage = Usage()
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Judgment:
    """A score on the measure's scale, or UNSCORED (``composite`` None) with a reason in words.
    ``scores`` are the dimensions that were scored, each on the same scale."""

    composite: float | None
    scores: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""
    unscored_reason: str = ""
    usage: Usage = Usage()

    def __post_init__(self) -> None:
        if (self.composite is None) != bool(self.unscored_reason):
            raise ValueError("a judgment has either a composite or a reason for being unscored")


CellState = Literal["scored", "unscored", "errored", "not_applicable", "pending"]


@dataclass(frozen=True, slots=True)
class CellRecord:
    """One cell of one variant at one track, as measures read it."""

    scenario_id: str
    question_id: str
    phase: str
    repeat: int
    state: CellState
    score: float | None
    answer: str = ""
    slices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MeasureValue:
    """A measure's value for one resampling unit; None where nothing was scored."""

    unit_id: str
    value: float | None
    slices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
