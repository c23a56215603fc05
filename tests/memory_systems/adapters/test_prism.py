"""Prism keeps Theoria's claims, ranks them at once and answers by itself."""

from __future__ import annotations

from pathlib import Path

from memory_systems.adapters.prism import Prism
from memory_systems.base import AnswersItself, Budget
from memory_systems.evidence.answering import NOT_TOLD
from tests.memory_systems.adapters.theoria.papers import filled as filled_theoria
from tests.memory_systems.adapters.theoria.papers import papers
from tests.memory_systems.contract import open_memory


def filled(folder: Path) -> Prism:
    memory = open_memory("prism", "dense", folder)
    assert isinstance(memory, Prism)
    for paper in papers():
        memory.ingest(paper)
    return memory


def test_its_units_and_links_are_those_of_theoria(tmp_path: Path) -> None:
    prism, theoria = filled(tmp_path / "prism"), filled_theoria(tmp_path / "theoria")
    assert prism.units() == theoria.units()
    assert prism.links() == theoria.layers().links
    counts = prism.stats().layers
    assert counts == {name: theoria.stats().layers[name] for name in counts}
    assert "theories" not in counts
    prism.close()
    theoria.close()


def test_it_answers_with_claims_that_it_holds(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    assert isinstance(memory, AnswersItself)
    answer = memory.answer("q", "At how many litres does the kettle of type 3 boil?")
    assert "30 litres" in answer
    texts = {line for unit in memory.units() for line in unit.text.split("\n")}
    assert set(answer.split("\n")) <= texts
    assert memory.answer("q", "Who won the regatta?") == NOT_TOLD
    memory.close()
    assert (
        open_memory("prism", "dense", tmp_path).answer(  # type: ignore[attr-defined]
            "another id", "At how many litres does the kettle of type 3 boil?"
        )
        == answer
    )


def test_an_empty_memory_says_that_nothing_is_told(tmp_path: Path) -> None:
    memory = open_memory("prism", "dense", tmp_path)
    assert isinstance(memory, AnswersItself)
    assert memory.answer("q", "Anything?") == NOT_TOLD
    memory.close()


def test_linked_claims_come_along(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    found = memory.retrieve("q", "the violin sounds", budget=Budget(k=4))
    assert len(found.units) == 4
    assert found.knobs["n_linked"] >= 0  # type: ignore[operator]
    memory.close()
