"""One scenario's lifetime of one memory: ingest, revise, fork, and keep the states asked about.

The store is a folder: ``journal.jsonl``, ``memory/<stream>`` (the memory as it is),
``states/<stream>@<n>`` (copies kept where a question was asked before a later change).
"""

from __future__ import annotations

import fcntl
import logging
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from evaluation.protocol.asks import HEAD, Stream, asks_of, streams_of
from evaluation.protocol.journal import Journal
from evaluation.protocol.steps import apply_step, item_of, operation_of, subject_of
from evaluation.records import Ask, Scenario, Step
from memory_systems.base import IngestOutcome, MemorySystem, Revises, Settles, SystemRefused

_LOG = logging.getLogger(__name__)
OpenMemory = Callable[[Path], MemorySystem]
FLUSH_EVERY = 16
FLUSH_AFTER_S = 5.0
"""A system that takes its time over an item loses little of it to a kill."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step that changed the store. ``seconds`` is measured."""

    stream: str
    position: int
    operation: str
    item_id: str
    outcome: IngestOutcome
    seconds: float


_STEP = TypeAdapter(StepRecord)


class Lifetime:
    """Builds and reopens the store of one scenario for one memory system."""

    def __init__(self, scenario: Scenario, open_memory: OpenMemory, root: Path) -> None:
        self.scenario = scenario
        self.open_memory = open_memory
        self.root = root
        self.streams = streams_of(scenario)

    def build(self) -> Iterator[StepRecord]:
        """Do every step not yet done, yielding each once it is durable. A finished store yields
        nothing. Only one process builds a store at a time; others wait."""
        self.root.mkdir(parents=True, exist_ok=True)
        with self._locked():
            if self.is_complete():
                return
            journal = Journal(self.root / "journal.jsonl")
            for stream in self.streams:
                yield from self._build_stream(stream, journal)
            (self.root / "complete").touch()

    def is_complete(self) -> bool:
        return (self.root / "complete").exists()

    def records(self) -> list[StepRecord]:
        """Every step that is durable, from the journal, in stream order."""
        journal = Journal(self.root / "journal.jsonl")
        return [_STEP.validate_python(did) for did in journal.committed.values()]

    def folder_of(self, state_label: str) -> Path:
        """The memory's folder in that state."""
        stream, _, state = state_label.rpartition("@")
        if state == HEAD:
            return self._memory_folder(stream)
        return self.root / "states" / _folder_name(state_label)

    def _build_stream(self, stream: Stream, journal: Journal) -> Iterator[StepRecord]:
        changes = [step for step in stream.steps if not isinstance(step, Ask)]
        asked = {ask.state_label for ask in asks_of(stream)}
        self._prepare(stream, journal, changes)
        memory = self.open_memory(self._memory_folder(stream.path))
        waiting: list[StepRecord] = []
        try:
            for number, step in enumerate(changes):
                label = f"{stream.path}@{number}"
                if label in asked and not self.folder_of(label).exists():
                    yield from self._commit(memory, journal, waiting)
                    memory.close()
                    _copy_folder(self._memory_folder(stream.path), self.folder_of(label))
                    memory = self.open_memory(self._memory_folder(stream.path))
                if (stream.path, number) in journal.committed:
                    continue
                journal.begin(stream.path, number)
                is_last = number == len(changes) - 1
                waiting.append(_timed(memory, step, stream.path, number, settles=is_last))
                took_s = sum(record.seconds for record in waiting)
                if len(waiting) >= FLUSH_EVERY or took_s >= FLUSH_AFTER_S:
                    yield from self._commit(memory, journal, waiting)
            yield from self._commit(memory, journal, waiting)
        finally:
            memory.close()

    def _prepare(self, stream: Stream, journal: Journal, changes: Sequence[Step]) -> None:
        """Bring the stream's folder to a state that the journal vouches for."""
        folder = self._memory_folder(stream.path)
        lost = journal.uncommitted(stream.path)
        if self._misses_a_state(stream, journal) or (
            lost and not self._can_redo(folder, [changes[number] for number in lost])
        ):
            shutil.rmtree(folder, ignore_errors=True)
            for kept in (self.root / "states").glob(_folder_name(f"{stream.path}@*")):
                shutil.rmtree(kept)
            journal.restart(stream.path)
        if not folder.exists():
            if stream.parent is None:
                folder.mkdir(parents=True)
            else:
                _copy_folder(self._memory_folder(stream.parent), folder)

    def _misses_a_state(self, stream: Stream, journal: Journal) -> bool:
        """Whether a state that is asked about was passed without its copy being kept."""
        begun = [number for path, number in journal.begun if path == stream.path]
        return any(
            not self.folder_of(ask.state_label).exists()
            for ask in asks_of(stream)
            if not ask.state_label.endswith(HEAD)
            and max(begun, default=-1) >= int(ask.state_label.rpartition("@")[2])
        )

    def _can_redo(self, folder: Path, lost: list[Step]) -> bool:
        """Take half-done items out again where the system can; say whether that was enough."""
        items = [item_of(step) for step in lost]
        if not folder.exists() or any(item is None for item in items):
            return False
        try:
            with closing(self.open_memory(folder)) as memory:
                if not isinstance(memory, Revises):
                    return False
                stored = memory.stored_item_ids()
                for step, item in zip(lost, items, strict=True):
                    if operation_of(step) != "ingest":
                        return False
                    if item is not None and item.id in stored and memory.delete(item.id).errors:
                        return False
                memory.flush()
        except SystemRefused:
            raise
        except Exception as error:  # noqa: BLE001 - what a kill left may be beyond its own package
            _LOG.warning("the store in %s is built anew: %s", folder, error)
            return False
        return True

    def _commit(
        self, memory: MemorySystem, journal: Journal, waiting: list[StepRecord]
    ) -> Iterator[StepRecord]:
        if waiting:
            memory.flush()
            journal.commit(
                waiting[0].stream,
                {record.position: _STEP.dump_python(record, mode="json") for record in waiting},
            )
            yield from waiting
            waiting.clear()

    def _memory_folder(self, stream: str) -> Path:
        return self.root / "memory" / _folder_name(stream or "trunk")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self.root / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _timed(
    memory: MemorySystem, step: Step, stream: str, number: int, *, settles: bool
) -> StepRecord:
    """What a memory derives from all its items together is counted with the last of them."""
    started = time.perf_counter()
    outcome = apply_step(memory, step)
    if settles and isinstance(memory, Settles):
        memory.settle()
    return StepRecord(
        stream=stream,
        position=number,
        operation=operation_of(step),
        item_id=subject_of(step),
        outcome=outcome,
        seconds=time.perf_counter() - started,
    )


def _folder_name(label: str) -> str:
    return label.replace("/", "+")


def _copy_folder(source: Path, target: Path) -> None:
    """Copy so that a half-copied folder is never mistaken for a state."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(source, partial)
    partial.rename(target)
