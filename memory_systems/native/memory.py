"""A memory that is a published package in a worker process of its own.

To add one: a folder ``memory_systems/adapters/<slug>/`` with an empty ``__init__.py``,

- ``adapter.py``: a subclass of ``NativeMemory`` (of ``RevisingNativeMemory`` where the package can
  delete) with ``INFO`` (``package``, ``uses_model``, ``model`` among the ingest parameters);
- ``worker.py``: ``Worker(folder, settings)``, which imports the package and nothing of
  MemJury, with ``add``, ``remove`` (where it revises), ``units``, ``search``, ``flush``, ``close``;

and ``requirements/systems/<slug>.in`` and ``.txt``. ``serving.py`` says what the calls are given.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from memory_systems.base import (
    Budget,
    IngestOutcome,
    Retrieval,
    SourceItem,
    StoreStats,
    SystemConfig,
    SystemInfo,
    SystemRefused,
    Unit,
)
from memory_systems.chunk_memory import EmbedderRequired
from memory_systems.fetching import Knobs, Ranking, fetch_ranked
from memory_systems.item_digest import digest_of
from memory_systems.model_address import ModelAddress
from memory_systems.native.adding import Added, add_parts, outcome_of
from memory_systems.native.catalogue import Catalogue, Entry
from memory_systems.native.holding import HeldFolder
from memory_systems.native.hybrid import fused_ranking
from memory_systems.native.installation import get_installation
from memory_systems.native.kept_worker import KeptWorker, TimeLimits
from memory_systems.native.process import (
    WorkerFailed,
    WorkerNotStarted,
    WorkerProcess,
    WorkerTimedOut,
)  # fmt: skip
from memory_systems.native.unit_table import UnitTable

_LOG = logging.getLogger(__name__)
MOST_TIME_OUTS = 3


class ModelRequired(SystemRefused):
    """The system calls a language model, and no address of one was given."""


class CannotReplace(SystemRefused):
    """The package cannot take an item out again, and another text of a stored item came."""


class NativeMemory:
    """Items are journalled: what a kill interrupted is taken out again on opening, where the
    package can; else the store is rebuilt. A worker that failed is started anew when needed."""

    INFO: ClassVar[SystemInfo]
    VARIABLES: ClassVar[Mapping[str, str]] = {}
    LIMITS: ClassVar[TimeLimits] = TimeLimits()

    def __init__(self, config: SystemConfig, folder: Path) -> None:
        self._config = config
        self._folder = folder
        if self.INFO.uses_embedder and config.embedder is None:
            raise EmbedderRequired(f"memory system {self.INFO.slug!r} needs an embedder")
        if config.model is None:
            raise ModelRequired(f"memory system {self.INFO.slug!r} needs a language model")
        self._address: ModelAddress = config.model
        self._table: UnitTable | None = None
        self._n_time_outs = 0
        self._worker = KeptWorker(self._new_worker, self.settings, start_s=self.LIMITS.start_s)
        with ExitStack() as on_failure:
            on_failure.callback(self._address.close)
            self._held = HeldFolder(folder, wait_s=self.LIMITS.hold_s)
            on_failure.callback(self._held.release)
            self._catalogue = Catalogue(folder)
            on_failure.callback(self._catalogue.close)
            on_failure.callback(self._worker.kill)
            self._worker.start()
            self._take_out_interrupted()
            on_failure.pop_all()

    def python(self) -> Path:
        """Of the system's own environment. Raises SystemNotInstalled."""
        return get_installation(self.INFO.slug).python

    def worker_file(self) -> Path:
        """``worker.py`` beside the adapter's own file."""
        return Path(str(sys.modules[type(self).__module__].__file__)).with_name("worker.py")

    def variables(self) -> Mapping[str, str]:
        """What the worker's environment holds besides what every worker's does."""
        return self.VARIABLES

    def settings(self) -> dict[str, Any]:
        """What the worker is opened with."""
        embedder = self._config.embedder
        return {
            **self._config.parameters,
            "base_url": self._address.base_url,
            "api_key": self._address.api_key,
            "model": self._address.model,
            "embedding_model": embedder.name if embedder else "",
            "embedding_dim": embedder.dim if embedder else 0,
        }

    def parts(self, item: SourceItem) -> Sequence[str]:
        """The texts that are added one after another for an item; whole by default."""
        return [item.text]

    def kinds_at(self, budget: Budget) -> tuple[str, ...]:  # noqa: ARG002
        """The kinds of units that a track retrieves; all where empty."""
        return ()

    def native_ranking(self, rank: Callable[[int], Ranking]) -> tuple[Ranking, Knobs]:
        """What comes back at the native track: the first ``native_k`` by default."""
        k = self.INFO.native_k or 1
        return rank(k)[:k], {"k": k}

    def ingest(self, item: SourceItem) -> IngestOutcome:
        """A failure of the package is an error of this item, which is then not stored; raises only
        where going on is of no use: no worker starts, or item after item takes too long."""
        digest = digest_of(item)
        known = self._catalogue.find(item.id)
        if known is not None and known.is_committed and known.digest == digest:
            return IngestOutcome(units=known.n_units, errors=known.errors)
        self._table = None
        before = self._address.usage()
        try:
            if known is not None:
                self._take_out(known)
            self._catalogue.begin(item)
            added = add_parts(item, self.parts(item), self._address, self._call_add)
            self._n_time_outs = 0
        except WorkerFailed as failure:
            added = Added(failures=[str(failure)])
            self._count_time_out(failure)
        self._address.check()
        outcome = outcome_of(item, added, before, self._address.usage())
        if not added.failures or added.n_units:
            self._catalogue.commit(
                item.id, handles=added.handles, n_units=added.n_units, errors=outcome.errors
            )
            return outcome
        left = Entry(item.id, digest, tuple(added.handles), 0, (), is_committed=False)
        return replace(outcome, errors=(*outcome.errors, *self._left_behind(left)))

    def flush(self) -> None:
        self._worker.call("flush", {}, timeout_s=self.LIMITS.other_s)

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        """The question's id is not used. Raises WorkerFailed; the next call starts a new worker."""
        kinds = self.kinds_at(budget)
        table = self._units_now().only(kinds)
        if not table.units or not text.strip():
            return Retrieval(units=())
        knobs: Knobs = {}
        rank = self._ranking(text, table, kinds, knobs)
        ranked, fetched = (
            self.native_ranking(rank)
            if budget.is_native
            else fetch_ranked(rank, budget, native_k=1, n_chars=table.n_chars)
        )
        self._address.check()
        return Retrieval(units=table.at(ranked), knobs={**knobs, **fetched})

    def units(self) -> Sequence[Unit]:
        return self._units_now().units

    def units_under(self, budget: Budget) -> Sequence[Unit]:
        return self._units_now().only(self.kinds_at(budget)).units

    def stats(self) -> StoreStats:
        n_chars = self._units_now().n_chars
        return StoreStats(
            n_items=len(self.stored_item_ids()),
            n_units=len(n_chars),
            mean_unit_chars=float(n_chars.mean()) if len(n_chars) else 0.0,
        )

    def stored_item_ids(self) -> frozenset[str]:
        return frozenset(one.item_id for one in self._catalogue.entries() if one.is_committed)

    def close(self) -> None:
        """The folder may be copied afterwards. A worker that fails to end well is ended: what was
        committed is stored, and opening the folder again heals it as after a kill."""
        try:
            self._worker.close(timeout_s=self.LIMITS.other_s)
        except WorkerFailed as failure:
            _LOG.warning("%s", failure)
        finally:
            self._catalogue.close()
            self._held.release()
            self._address.close()

    def _call_add(self, given: Mapping[str, Any], seed: str) -> Any:
        return self._worker.call("add", given, timeout_s=self.LIMITS.add_s, seed=seed)

    def _new_worker(self) -> WorkerProcess:
        return WorkerProcess(
            name=self.INFO.slug,
            python=self.python(),
            worker_file=self.worker_file(),
            folder=self._folder.resolve(),
            variables=self.variables(),
        )

    def _count_time_out(self, failure: WorkerFailed) -> None:
        """Raises the failure where trying the next item is of no use."""
        if isinstance(failure, WorkerNotStarted):
            raise failure
        self._n_time_outs = self._n_time_outs + 1 if isinstance(failure, WorkerTimedOut) else 0
        if self._n_time_outs >= MOST_TIME_OUTS:
            raise failure

    def _left_behind(self, entry: Entry) -> list[str]:
        """Take a failed item's remains out; a sentence where that failed too. What stays is not
        retrieved: its item is not committed."""
        try:
            self._take_out(entry)
            self._catalogue.forget(entry.item_id)
        except (WorkerFailed, CannotReplace) as failure:
            return [f"what was stored of it could not be taken out: {failure}"]
        return []

    def _take_out(self, entry: Entry) -> None:
        raise CannotReplace(
            f"{self.INFO.slug} cannot take an item out again, and {entry.item_id!r} is stored"
        )

    def _take_out_interrupted(self) -> None:
        """A store that cannot revise keeps them: whoever builds it makes it anew."""

    def _units_now(self) -> UnitTable:
        if self._table is None:
            listed = self._worker.call("units", {}, timeout_s=self.LIMITS.other_s)
            stored = [one for one in self._catalogue.entries() if one.is_committed]
            positions = {one.item_id: place for place, one in enumerate(stored)}
            self._table = UnitTable.of(listed, positions)
        return self._table

    def _ranking(
        self, text: str, table: UnitTable, kinds: Sequence[str], knobs: Knobs
    ) -> Callable[[int], Ranking]:
        def own(k: int) -> Ranking:
            given = {"text": text, "k": k, "kinds": list(kinds)}
            found = self._worker.call("search", given, timeout_s=self.LIMITS.search_s)
            return table.ranking([(str(name), float(score)) for name, score in found])

        self._address.begin(f"question {text}")
        if self._config.embedder is not None:
            knobs["embedder"] = self._config.embedder.name
        if self._config.modality != "hybrid" or self.INFO.modalities[0] == "hybrid":
            return own
        engine = str(self._config.parameters["lexical_engine"])
        return fused_ranking(
            own, text, table=table, engine=engine, folder=self._folder, knobs=knobs
        )


class RevisingNativeMemory(NativeMemory):
    """Of a package that can take an item out again. Deleting an id that is not stored changes
    nothing."""

    def revise(self, item: SourceItem) -> IngestOutcome:
        return self.ingest(item)

    def delete(self, item_id: str) -> IngestOutcome:
        known = self._catalogue.find(item_id)
        if known is None:
            return IngestOutcome(units=0)
        try:
            self._take_out(known)
            self._catalogue.forget(item_id)
        except WorkerFailed as failure:
            return IngestOutcome(units=0, errors=(str(failure),))
        return IngestOutcome(units=0)

    def _take_out(self, entry: Entry) -> None:
        self._table = None
        given = {"item_id": entry.item_id, "handles": list(entry.handles)}
        self._address.begin(f"removal of {entry.item_id}")
        self._worker.call("remove", given, timeout_s=self.LIMITS.other_s)

    def _take_out_interrupted(self) -> None:
        for entry in self._catalogue.entries():
            if not entry.is_committed:
                self._take_out(entry)
                self._catalogue.forget(entry.item_id)
