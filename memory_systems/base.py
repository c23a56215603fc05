"""What a memory system is: the contract between the protocol and every adapter.

A memory system is made with a configuration and a work folder and keeps all its state in that
folder. Opening the folder again gives the same memory; copying a closed folder forks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from memory_systems.model_address import ModelAddress

Modality = Literal["dense", "lexical", "hybrid", "none", "other"]
Synthesis = Literal["shared", "internal"]
BudgetMode = Literal["capped", "targeted"]


@dataclass(frozen=True, slots=True)
class SourceItem:
    """One thing a memory takes in: a document, a session or an event.

    ``text`` is the full text in Unicode; ``timestamp`` is ISO 8601 or empty.
    """

    id: str
    text: str
    title: str = ""
    kind: str = "document"
    timestamp: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """A retrieved piece of memory. ``start`` and ``end`` are character offsets into the source
    item's text (end exclusive), or -1 where the unit is not a span of its source."""

    text: str
    kind: str
    score: float
    source_id: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Budget:
    """How much context may come back. At most one limit is set; none means native.

    ``chars`` counts Unicode characters of the rendered context. In ``capped`` mode a system
    over-fetches (units whose text adds up to at least ``chars``, or its whole store) and shared
    code packs them. In ``targeted`` mode it sets its own knob from its mean characters a unit.
    """

    chars: int | None = None
    tokens: int | None = None
    k: int | None = None
    mode: BudgetMode = "capped"

    def __post_init__(self) -> None:
        limits = [limit for limit in (self.chars, self.tokens, self.k) if limit is not None]
        if len(limits) > 1:
            raise ValueError("a budget has at most one limit: chars, tokens or k")
        if any(limit <= 0 for limit in limits):
            raise ValueError("a budget's limit is a positive number")

    @property
    def is_native(self) -> bool:
        return self.chars is None and self.tokens is None and self.k is None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Units in rank order, best first, and the knobs that were really used."""

    units: tuple[Unit, ...]
    knobs: Mapping[str, int | float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What one ingest did. Counts are of this item alone; ``errors`` are sentences. ``cost_usd``
    is None where a price is unknown."""

    units: int
    truncated_units: int = 0
    model_calls: int = 0
    tokens: int = 0
    errors: tuple[str, ...] = ()
    cost_usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class StoreStats:
    """What a store holds now; ``mean_unit_chars`` is 0.0 for an empty store. ``layers``: how much
    there is of each kind of thing, for a store that holds more than units."""

    n_items: int
    n_units: int
    mean_unit_chars: float
    n_over_embedder_limit: int = 0
    layers: Mapping[str, int] = field(default_factory=dict)


class Embedder(Protocol):
    """Turns texts into unit-length vectors. A text over ``max_tokens`` is embedded as the mean
    of windows, never silently cut."""

    @property
    def name(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...
    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Array of shape (len(texts), dim), rows of length 1 (an empty text gives zeros)."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


@runtime_checkable
class CountsCalls(Protocol):
    """An embedder that pays for calls: how many, and their tokens, since it was made."""

    @property
    def n_calls(self) -> int: ...
    @property
    def n_tokens(self) -> int: ...


@dataclass(frozen=True, slots=True)
class SystemConfig:
    """How a variant is opened. ``parameters`` are the ingest and retrieval options that the
    system's registration declares; an unknown one is an error. ``model`` is given to systems whose
    registration says ``uses_model``."""

    modality: Modality
    embedder: Embedder | None = None
    parameters: Mapping[str, int | float | str | bool] = field(default_factory=dict)
    seed: int = 0
    model: ModelAddress | None = None


class SystemRefused(ValueError):
    """A memory system cannot be opened or used as asked; the message is a sentence for a person."""


class SystemNotInstalled(SystemRefused):
    """A package that the system needs is not installed; the message says how to install it."""


class MemorySystem(Protocol):
    """The required part of every adapter."""

    def ingest(self, item: SourceItem) -> IngestOutcome:
        """Take one item in, durably once ``flush`` returns. Ingesting an id again replaces it."""
        ...

    def flush(self) -> None: ...
    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval: ...
    def units(self) -> Sequence[Unit]: ...
    def stats(self) -> StoreStats: ...
    def stored_item_ids(self) -> frozenset[str]: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """What an oracle anchor, and nothing else, is given. ``spans`` are (item id, start, end)."""

    id: str
    text: str
    source_ids: tuple[str, ...]
    spans: tuple[tuple[str, int, int], ...]


@runtime_checkable
class Oracle(Protocol):
    def retrieve_for(self, question: GoldQuestion, *, budget: Budget) -> Retrieval: ...


@runtime_checkable
class Revises(Protocol):
    def revise(self, item: SourceItem) -> IngestOutcome: ...
    def delete(self, item_id: str) -> IngestOutcome: ...


@runtime_checkable
class NarrowsBudgets(Protocol):
    """A system that retrieves only some kinds of its units under a budget."""

    def units_under(self, budget: Budget) -> Sequence[Unit]: ...


@runtime_checkable
class Defines(Protocol):
    def define(self, definition_id: str, text: str) -> IngestOutcome: ...


@runtime_checkable
class SwitchesWriter(Protocol):
    def set_writer(self, model: str) -> None: ...


@runtime_checkable
class HeedsConsent(Protocol):
    def consent(self, scope: str, granted: bool) -> IngestOutcome: ...


@runtime_checkable
class Settles(Protocol):
    """A system that derives something from all items together, once the last one is in."""

    def settle(self) -> None: ...


@runtime_checkable
class AnswersItself(Protocol):
    def answer(self, question_id: str, text: str, *, attempt: int = 0) -> str:
        """``attempt`` is how often somebody had this answer tried again."""
        ...


@runtime_checkable
class ReportsInvalidations(Protocol):
    def take_invalidations(self) -> Sequence[tuple[str, str]]:
        """(item id, what happened: invalidated | rederived) since the last call."""
        ...


@runtime_checkable
class Exports(Protocol):
    def export_memory(self) -> bytes: ...
    def import_memory(self, bundle: bytes) -> IngestOutcome: ...


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """A system's registration: what it is, what it promises, how it is opened.

    ``modalities``: those it can be run in, its plain form first. ``granularity`` says how items
    are split; ``departures`` are declared departures from the protocol, each (flag, sentence).
    ``ingest_parameters`` and ``retrieval_parameters`` map option name to default: only the former
    are part of the store's key; ``least_values`` are the least of those that cannot be as small as
    others of their kind. ``native_k`` is its own knob at the native track. ``package`` names
    the published package that runs in an environment of its own, installed by
    ``manage.py install_system``; empty for the systems of the house. ``uses_model``: it calls a
    language model through ``SystemConfig.model``, chosen by its ingest parameter ``model`` (empty:
    it does without).
    """

    slug: str
    title: str
    description: str
    modalities: tuple[Modality, ...]
    granularity: str
    knob: str
    synthesis: Synthesis = "shared"
    is_anchor: bool = False
    has_context: bool = True
    native_only: bool = False
    uses_embedder: bool = True
    version: str = "1"
    native_k: int | None = None
    ingest_parameters: Mapping[str, int | float | str | bool] = field(default_factory=dict)
    retrieval_parameters: Mapping[str, int | float | str | bool] = field(default_factory=dict)
    least_values: Mapping[str, int | float] = field(default_factory=dict)
    departures: tuple[tuple[str, str], ...] = ()
    package: str = ""
    uses_model: bool = False
