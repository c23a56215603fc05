"""Where in a scenario's lifetime each question is asked, and of which state of the memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.records import Ask, Fork, Scenario, Step

HEAD = "head"


@dataclass(frozen=True, slots=True)
class Stream:
    """A line of steps without forks. ``path`` names it: empty for the trunk, else the branches
    taken, joined by "/". A branch starts from the final state of its parent."""

    path: str
    steps: tuple[Step, ...]

    @property
    def parent(self) -> str | None:
        return self.path.rpartition("/")[0] if self.path else None


@dataclass(frozen=True, slots=True)
class PlannedAsk:
    """``state_label`` names the memory's state: ``<stream>@<n>`` after its first n steps that
    change memory, ``<stream>@head`` for the final one."""

    question_id: str
    phase: str
    state_label: str


def streams_of(scenario: Scenario) -> list[Stream]:
    """The trunk and every branch, parents first. Raises ValueError for a fork that is not last."""
    return list(_split("", scenario.steps))


def _split(path: str, steps: Sequence[Step]) -> Iterator[Stream]:
    for index, step in enumerate(steps):
        if isinstance(step, Fork):
            if index != len(steps) - 1:
                raise ValueError("a fork is the last step of its stream")
            yield Stream(path, tuple(steps[:-1]))
            for name, branch in step.branches.items():
                yield from _split(f"{path}/{name}" if path else name, branch)
            return
    yield Stream(path, tuple(steps))


def asks_of(stream: Stream) -> list[PlannedAsk]:
    n_changes = sum(not isinstance(step, Ask) for step in stream.steps)
    asks, done = [], 0
    for step in stream.steps:
        if isinstance(step, Ask):
            asks.append(
                PlannedAsk(step.question_id, step.phase, state_label(stream, done, n_changes))
            )
        else:
            done += 1
    return asks


def state_label(stream: Stream, n_done: int, n_changes: int) -> str:
    return f"{stream.path}@{HEAD if n_done == n_changes else n_done}"


def planned_asks(scenario: Scenario) -> list[PlannedAsk]:
    """Every ask of the scenario, in stream order."""
    return [ask for stream in streams_of(scenario) for ask in asks_of(stream)]


def n_changes(scenario: Scenario) -> int:
    """How many steps change a memory, over all branches."""
    return sum(
        not isinstance(step, Ask) for stream in streams_of(scenario) for step in stream.steps
    )
