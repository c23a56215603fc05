"""Which facts a context holds, and where."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.queries.highlighting import marked_units, units_naming, units_stating
from evaluation.records import Fact, Key, PlacedUnit, Span

TEXT = "Annealing at 450 K takes ten hours. Nothing else is reported."
UNIT = PlacedUnit(text=TEXT[10:], kind="chunk", source_id="p1", start=110)
FACT = Fact("It takes ten hours.", spans=(Span("p1", 119, 134),))
BY_KEY = Fact("At 450 K.", keys=(Key("number", "450", "K"), Key("term", "ten hours")))


def test_a_source_span_is_marked_at_its_place() -> None:
    unit = marked_units([UNIT], [FACT], {"p1": "Paper 1"})[0]
    marked = [piece.text for piece in unit.pieces if piece.facts == (1,)]
    assert marked == ["takes ten hours"]
    assert unit.title == "Paper 1"
    assert units_stating(FACT, [UNIT]) == (1,)


def test_a_span_cut_by_the_budget_is_marked_but_not_found() -> None:
    cut = PlacedUnit(text=UNIT.text[:15], kind="chunk", source_id="p1", start=110, is_cut=True)
    unit = marked_units([cut], [FACT], {})[0]
    assert any(piece.facts for piece in unit.pieces)
    assert units_stating(FACT, [cut]) == ()


def test_the_same_place_of_another_paper_states_nothing() -> None:
    other = PlacedUnit(text=UNIT.text, kind="chunk", source_id="p2", start=110)
    assert units_stating(FACT, [other]) == ()


def test_a_unit_that_is_no_span_is_searched_for_the_facts_keys() -> None:
    unit = PlacedUnit(text=TEXT, kind="claim", source_id="p1")
    assert units_naming(BY_KEY, [unit]) == (1,)
    pieces = marked_units([unit], [BY_KEY], {})[0].pieces
    assert [piece.text for piece in pieces if piece.is_term] == ["450 K", "ten hours"]


def test_all_keys_must_be_there() -> None:
    unit = PlacedUnit(text="Annealing at 450 K.", kind="claim", source_id="p1")
    assert units_naming(BY_KEY, [unit]) == ()


def test_a_longer_number_is_not_the_number() -> None:
    unit = PlacedUnit(text="It took 1,450 K and 450.5 K.", kind="claim", source_id="p1")
    assert not any(piece.facts for piece in marked_units([unit], [BY_KEY], {})[0].pieces)


@given(
    st.text(max_size=60),
    st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=6),
)
def test_marking_never_changes_the_text(text: str, ends: list[tuple[int, int]]) -> None:
    facts = [
        Fact("f", keys=(Key("term", "a"),), spans=(Span("p", min(pair), max(pair)),))
        for pair in ends
    ]
    unit = PlacedUnit(text=text, kind="chunk", source_id="p", start=0)
    pieces = marked_units([unit], facts, {})[0].pieces
    assert "".join(piece.text for piece in pieces) == text
