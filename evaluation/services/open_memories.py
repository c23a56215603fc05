"""The memories that a batch of cells asks, opened when a cell needs them."""

from __future__ import annotations

from evaluation.language_models.base import SpendingLimitReached
from evaluation.models import RunVariant, Work
from evaluation.protocol.lifetime import Lifetime
from evaluation.services.failures import RunInterrupted
from evaluation.services.ingesting import build_store
from evaluation.services.stores import lifetime_of
from memory_systems.base import MemorySystem


class OpenMemories:
    """One memory open at a time: cells come ordered by state."""

    def __init__(self, *, work: Work, run_variant: RunVariant) -> None:
        self.work = work
        self.run_variant = run_variant
        self.state_label: str | None = None
        self.memory: MemorySystem | None = None
        self.build_error: Exception | None = None

    def at(self, state_label: str) -> MemorySystem | None:
        """The memory as it was in that state; None for a system that keeps none."""
        if not self.run_variant.store_key:
            return None
        if self.build_error is not None:
            raise self.build_error
        if self.memory is None or state_label != self.state_label:
            self.close()
            lifetime = self._built_lifetime()
            self.memory = lifetime.open_memory(lifetime.folder_of(state_label))
            self.state_label = state_label
        return self.memory

    def _built_lifetime(self) -> Lifetime:
        """The store, built on this machine where it is not there yet; a failure counts for every
        cell of the batch instead of being tried again for each."""
        scenario = self.work.scenario
        if scenario is None:
            raise ValueError("a cells work names its scenario")
        lifetime = lifetime_of(run_variant=self.run_variant, scenario=scenario)
        if not lifetime.is_complete():
            try:
                build_store(run_variant=self.run_variant, scenario=scenario, work=self.work)
            except (SpendingLimitReached, RunInterrupted):
                raise
            except Exception as error:
                self.build_error = error
                raise
        return lifetime

    def close(self) -> None:
        if self.memory is not None:
            self.memory.close()
            self.memory = None
