from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.protocol.asks import PlannedAsk, n_changes, planned_asks
from evaluation.protocol.lifetime import FLUSH_EVERY, Lifetime
from evaluation.records import Ask, Delete, Fork, Ingest, Revise, Scenario, SourceItem
from memory_systems.base import Budget, IngestOutcome, Retrieval, StoreStats, Unit


class Killed(BaseException):
    """Stands for a kill: nothing may catch it."""


class NoteMemory:
    """Keeps items in one JSON file, written at flush; can be told to die."""

    die_at: int | None = None
    n_ingested = 0

    def __init__(self, folder: Path) -> None:
        self.file = folder / "notes.json"
        self.notes: dict[str, str] = json.loads(self.file.read_text()) if self.file.exists() else {}

    def ingest(self, item: SourceItem) -> IngestOutcome:
        type(self).n_ingested += 1
        self.notes[item.id] = self.notes.get(item.id, "") + item.text
        if self.n_ingested == self.die_at:
            self.flush()
            raise Killed
        return IngestOutcome(units=1)

    def flush(self) -> None:
        self.file.write_text(json.dumps(self.notes))

    def close(self) -> None:
        pass

    def stored_item_ids(self) -> frozenset[str]:
        return frozenset(self.notes)

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:
        return Retrieval(tuple(self.units()))

    def units(self) -> Sequence[Unit]:
        return [Unit(text, "note", 1.0, id) for id, text in self.notes.items()]

    def stats(self) -> StoreStats:
        return StoreStats(len(self.notes), len(self.notes), 1.0)


class RevisableNotes(NoteMemory):
    def revise(self, item: SourceItem) -> IngestOutcome:
        self.notes[item.id] = item.text
        return IngestOutcome(units=1)

    def delete(self, item_id: str) -> IngestOutcome:
        self.notes.pop(item_id, None)
        return IngestOutcome(units=0)


@pytest.fixture(params=[NoteMemory, RevisableNotes])
def memory_class(request: pytest.FixtureRequest) -> type[NoteMemory]:
    request.param.die_at = None
    request.param.n_ingested = 0
    return request.param


def item(name: str, text: str = "") -> SourceItem:
    return SourceItem(id=name, text=text or f"text of {name}")


FORKED = Scenario(
    "s",
    (
        Ingest(item("a")),
        Ask("q1", "before"),
        Ingest(item("b")),
        Ask("q1", "middle"),
        Fork(
            {
                "kept": (Ask("q1", "kept/w1"), Ingest(item("c")), Ask("q1", "kept/w2")),
                "dropped": (Delete("a"), Ask("q1", "dropped/w1")),
            }
        ),
    ),
)


def notes_at(lifetime: Lifetime, label: str) -> set[str]:
    return set(json.loads((lifetime.folder_of(label) / "notes.json").read_text()))


def test_asks_name_the_state_they_are_asked_of() -> None:
    assert planned_asks(FORKED) == [
        PlannedAsk("q1", "before", "@1"),
        PlannedAsk("q1", "middle", "@head"),
        PlannedAsk("q1", "kept/w1", "kept@0"),
        PlannedAsk("q1", "kept/w2", "kept@head"),
        PlannedAsk("q1", "dropped/w1", "dropped@head"),
    ]
    assert n_changes(FORKED) == 4


def test_every_asked_state_is_kept_and_branches_share_their_prefix(tmp_path: Path) -> None:
    lifetime = Lifetime(FORKED, RevisableNotes, tmp_path / "store")
    records = list(lifetime.build())
    assert [(r.stream, r.position, r.operation) for r in records] == [
        ("", 0, "ingest"),
        ("", 1, "ingest"),
        ("kept", 0, "ingest"),
        ("dropped", 0, "delete"),
    ]
    assert notes_at(lifetime, "@1") == {"a"}
    assert notes_at(lifetime, "@head") == {"a", "b"}
    assert notes_at(lifetime, "kept@0") == {"a", "b"}
    assert notes_at(lifetime, "kept@head") == {"a", "b", "c"}
    assert notes_at(lifetime, "dropped@head") == {"b"}


def test_a_finished_store_is_not_ingested_again(
    tmp_path: Path, memory_class: type[NoteMemory]
) -> None:
    list(Lifetime(FORKED, memory_class, tmp_path).build())
    n_before = memory_class.n_ingested
    again = Lifetime(FORKED, memory_class, tmp_path)
    assert list(again.build()) == []
    assert memory_class.n_ingested == n_before
    assert len(again.records()) == 4


@pytest.mark.parametrize("die_at", range(1, 41, 3))
def test_a_kill_in_mid_ingest_leaves_a_store_that_ends_as_if_undisturbed(
    tmp_path: Path, memory_class: type[NoteMemory], die_at: int
) -> None:
    scenario = Scenario(
        "s",
        (
            *(Ingest(item(f"i{n}")) for n in range(20)),
            Ask("q", "early"),
            *(Ingest(item(f"i{n}")) for n in range(20, 40)),
            Ask("q", "late"),
        ),
    )
    memory_class.die_at = die_at
    with pytest.raises(Killed):
        list(Lifetime(scenario, memory_class, tmp_path).build())
    memory_class.die_at = None
    lifetime = Lifetime(scenario, memory_class, tmp_path)
    list(lifetime.build())
    notes = json.loads((lifetime.folder_of("@head") / "notes.json").read_text())
    assert notes == {f"i{n}": f"text of i{n}" for n in range(40)}
    assert len(notes_at(lifetime, "@20")) == 20
    assert [record.position for record in lifetime.records()] == list(range(40))


def test_a_half_written_journal_line_is_ignored(tmp_path: Path) -> None:
    scenario = Scenario("s", tuple(Ingest(item(f"i{n}")) for n in range(FLUSH_EVERY + 2)))
    RevisableNotes.die_at, RevisableNotes.n_ingested = FLUSH_EVERY + 2, 0
    with pytest.raises(Killed):
        list(Lifetime(scenario, RevisableNotes, tmp_path).build())
    RevisableNotes.die_at = None
    with (tmp_path / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"commit": ["", 1')
    lifetime = Lifetime(scenario, RevisableNotes, tmp_path)
    list(lifetime.build())
    assert len(notes_at(lifetime, "@head")) == FLUSH_EVERY + 2


def test_what_a_system_cannot_do_is_said_in_the_outcome(tmp_path: Path) -> None:
    scenario = Scenario(
        "s", (Ingest(item("a", "old")), Revise(item("a", "new")), Delete("a"), Ask("q"))
    )
    outcomes = [record.outcome for record in Lifetime(scenario, NoteMemory, tmp_path).build()]
    assert outcomes[1].errors == ("cannot revise: the new version was added",)
    assert outcomes[2].errors == ("this system has no way to delete",)


def test_a_fork_before_the_end_of_its_stream_is_refused() -> None:
    with pytest.raises(ValueError, match="last step"):
        planned_asks(Scenario("s", (Fork({"x": ()}), Ask("q"))))
