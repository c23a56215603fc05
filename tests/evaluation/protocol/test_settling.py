"""What a memory derives from all its items together happens once, with the last of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.protocol.lifetime import Lifetime
from evaluation.records import Ingest, Scenario, SourceItem
from tests.evaluation.protocol.test_lifetime import Killed, RevisableNotes


class SettlingNotes(RevisableNotes):
    """Notes how much it held when it was settled; can be told to die there."""

    settled: list[int] = []
    dies = False

    def settle(self) -> None:
        if type(self).dies:
            type(self).dies = False
            self.flush()
            raise Killed
        self.settled.append(len(self.notes))


@pytest.fixture(autouse=True)
def _fresh() -> None:
    SettlingNotes.settled = []
    SettlingNotes.dies = False


def scenario() -> Scenario:
    steps = tuple(Ingest(SourceItem(f"i{number}", "text")) for number in range(3))
    return Scenario(id="s", steps=steps)


def test_a_memory_is_settled_once_with_its_last_item(tmp_path: Path) -> None:
    lifetime = Lifetime(scenario(), SettlingNotes, tmp_path)
    assert len(list(lifetime.build())) == 3
    assert SettlingNotes.settled == [3]
    assert list(lifetime.build()) == []
    assert SettlingNotes.settled == [3]


def test_a_kill_while_it_settles_repeats_the_last_item_alone(tmp_path: Path) -> None:
    SettlingNotes.dies = True
    with pytest.raises(Killed):
        list(Lifetime(scenario(), SettlingNotes, tmp_path).build())
    list(Lifetime(scenario(), SettlingNotes, tmp_path).build())
    assert SettlingNotes.settled == [3]
    memory = SettlingNotes(tmp_path / "memory" / "trunk")
    assert memory.notes == {"i0": "text", "i1": "text", "i2": "text"}
