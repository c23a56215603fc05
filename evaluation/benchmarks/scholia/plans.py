"""What a paper will say, decided before a word of it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evaluation.records import Key

Kind = Literal[
    "quantity",
    "threshold",
    "mechanism",
    "reason",
    "enumeration",
    "failure",
    "remedy",
    "setup",
    "silence",
]
Wordings = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MustHave:
    """One gradable piece of a planned fact: its gold sentence and the keys that show it."""

    text: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class PlannedFact:
    """A fact of one paper. ``wordings`` are what the paper may write, ``asked`` what a question
    may write. Facts with the same ``topic`` in different papers can be compared. ``partner`` is
    the fact it is asked together with: the other condition, the reason, the remedy.
    """

    id: str
    paper_id: str
    kind: Kind
    topic: str
    wordings: Wordings
    asked: Wordings
    must_haves: tuple[MustHave, ...]
    templates: tuple[str, ...] = ()
    partner: str = ""
    value: str = ""
    only_in_table: bool = False


@dataclass(frozen=True, slots=True)
class Silence:
    """A thing the paper does not report. ``words`` never occur in it unless ``is_said``: then one
    sentence of the paper says that the thing was not measured."""

    topic: str
    matter: str
    asked: str
    words: tuple[str, ...]
    is_said: bool


@dataclass(frozen=True, slots=True)
class PaperPlan:
    """``scene`` binds what the discourse may name; ``reference`` binds how a question points at
    the paper."""

    id: str
    name: str
    facts: tuple[PlannedFact, ...]
    silences: tuple[Silence, ...]
    scene: Wordings
    reference: Wordings

    def fact(self, fact_id: str) -> PlannedFact:
        for fact in self.facts:
            if fact.id == fact_id:
                return fact
        raise KeyError(fact_id)

    def of_kind(self, *kinds: Kind) -> list[PlannedFact]:
        return [fact for fact in self.facts if fact.kind in kinds]
