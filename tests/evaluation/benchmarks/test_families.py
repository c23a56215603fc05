from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from evaluation.benchmarks.families import FAMILIES, UnknownFamily, family
from evaluation.benchmarks.measures import (
    RIGHT_FROM,
    after_passes,
    composite,
    real_passes,
    stability,
    update,
)
from evaluation.records import CellRecord, MeasureValue

Slices = Mapping[str, tuple[str, ...]]


def cell(
    question: str,
    score: float | None,
    phase: str = "main",
    repeat: int = 0,
    world: str = "w",
    slices: Slices | None = None,
) -> CellRecord:
    state = "errored" if score is None else "scored"
    return CellRecord(world, question, phase, repeat, state, score, slices=slices or {})  # type: ignore[arg-type]


def values(measured: Sequence[MeasureValue]) -> dict[str, float | None]:
    return {value.unit_id: value.value for value in measured}


def test_the_composite_is_the_mean_of_the_scored_repeats_of_each_question() -> None:
    cells = [cell("a", 4.0), cell("a", 8.0, repeat=1), cell("b", 1.0), cell("b", None, repeat=1)]
    assert values(composite(cells)) == {"a": 6.0, "b": 1.0}


def test_a_question_without_a_scored_cell_is_none_and_never_zero() -> None:
    assert values(composite([cell("a", None)])) == {"a": None}
    assert values(real_passes([cell("a", None, "before"), cell("a", 9, "after")])) == {"a": None}
    assert values(after_passes([cell("a", None, "after")])) == {"a": None}


def test_values_keep_the_slices_of_their_question() -> None:
    measured = composite(
        [cell("a", 4.0, slices={"tier": ("L1",), "type": ("factual", "negative")})]
    )
    assert measured[0].slices == {"tier": ("L1",), "type": ("factual", "negative")}


def test_a_real_pass_needs_both_phases_in_the_same_repeat() -> None:
    right, wrong = RIGHT_FROM, RIGHT_FROM - 0.01
    cells = [
        cell("both", right, "before"),
        cell("both", right, "after"),
        cell("trivial", wrong, "before"),
        cell("trivial", right, "after"),
        cell("failed", right, "before"),
        cell("failed", wrong, "after"),
        cell("half", right, "before", 0),
        cell("half", right, "after", 0),
        cell("half", right, "before", 1),
        cell("half", wrong, "after", 1),
        cell("once", right, "after"),
    ]
    real = {"both": 1.0, "trivial": 0.0, "failed": 0.0, "half": 0.5, "once": 1.0}
    after = {"both": 1.0, "trivial": 1.0, "failed": 0.0, "half": 0.5, "once": 1.0}
    assert values(real_passes(cells)) == real
    assert values(after_passes(cells)) == after


def test_update_counts_the_items_a_shift_changed_and_stability_the_others() -> None:
    moved = {"shift": ("revision",), "item_class": ("source",)}
    kept = {"shift": ("deletion",), "item_class": ("source",)}
    cells = [
        cell("x", 9, "before", slices=moved),
        cell("x", 9, "revision/w1", slices=moved),
        cell("x", 2, "revision/w2", slices=moved),
        cell("y", 9, "revision/w1", slices=kept),
        cell("y", None, "revision/w2", slices=kept),
        cell("x", 0, "none/w1", slices=moved),
        cell("x", 9, "revision/w1", world="v", slices=moved),
    ]
    assert values(update(cells)) == {"w|revision|source": 0.5, "v|revision|source": 1.0}
    assert values(stability(cells)) == {"w|revision|source": 1.0, "w|none|source": 0.0}


def test_every_family_declares_measures_whose_values_keep_to_their_scale() -> None:
    cells = [
        cell("a", 10.0, "before", slices={"item_class": ("source",), "shift": ("revision",)}),
        cell("a", 0.0, "after"),
        cell("a", 10.0, "revision/w1", slices={"item_class": ("source",), "shift": ("revision",)}),
    ]
    for one in FAMILIES.values():
        assert one.measures
        assert any(one.primary_slice in measure.slices for measure in one.measures)
        for measure in one.measures:
            for value in measure.compute(cells):
                assert value.value is None or 0 <= value.value <= measure.scale_high


def test_no_cells_give_no_values() -> None:
    assert all(m.compute([]) == [] for one in FAMILIES.values() for m in one.measures)


def test_an_unknown_family_is_refused_with_the_known_ones() -> None:
    assert family("scientific").measures[0].name == "composite"
    with pytest.raises(UnknownFamily, match="“poetry”; known: scientific, conversational"):
        family("poetry")
