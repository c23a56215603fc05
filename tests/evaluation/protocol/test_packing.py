from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.protocol.packing import CUT_MARK, pack, render
from evaluation.records import PlacedUnit
from memory_systems.base import Budget, Retrieval, Unit

TEXT = "One is here. Two is there. Three is far away. Four."


def span(start: int, end: int, *, source: str = "a", text: str = TEXT) -> Unit:
    return Unit(text[start:end], "chunk", 1.0, source, start, end)


def packed(units: list[Unit], *, chars: int | None = None, k: int | None = None) -> str:
    return pack(Retrieval(tuple(units)), Budget(chars=chars, k=k)).text


def test_units_stand_in_rank_order_under_numbered_headers() -> None:
    text = packed([span(13, 26), span(0, 12, source="b")], chars=1000)
    assert text == "[1] a\nTwo is there.\n\n[2] b\nOne is here."


def test_overlapping_spans_become_one_at_the_better_rank() -> None:
    text = packed([span(13, 45), span(0, 5, source="b"), span(0, 26)], chars=1000)
    assert text == f"[1] a\n{TEXT[:45]}\n\n[2] b\nOne i"


def test_a_span_that_bridges_two_placed_ones_joins_all_three() -> None:
    text = packed([span(0, 12), span(27, 45), span(10, 30)], chars=1000)
    assert text == f"[1] a\n{TEXT[:45]}"


def test_touching_spans_stay_apart() -> None:
    assert packed([span(0, 12), span(12, 26)], chars=1000).count("[") == 2


def test_the_unit_that_does_not_fit_is_cut_at_its_last_sentence_end_and_marked() -> None:
    budget = len("[1] a\n") + 30 + len(CUT_MARK)
    assert packed([span(0, 51)], chars=budget) == f"[1] a\n{TEXT[:26]}{CUT_MARK}"


def test_a_unit_without_a_sentence_end_is_cut_hard() -> None:
    unit = Unit("x" * 100, "chunk", 1.0, "a")
    assert packed([unit], chars=30) == "[1] a\n" + "x" * 20 + CUT_MARK


def test_a_number_with_a_decimal_point_is_not_a_sentence_end() -> None:
    unit = Unit("It is 3.14159265358979 of them all", "chunk", 1.0, "a")
    assert packed([unit], chars=6 + 8 + len(CUT_MARK)) == "[1] a\nIt is 3." + CUT_MARK


def test_packing_stops_at_the_unit_that_does_not_fit() -> None:
    text = packed([span(0, 51), Unit("y", "chunk", 0.5, "b")], chars=40)
    assert "b" not in text.replace("[1] a", "")


def test_nothing_fits_a_budget_smaller_than_a_header() -> None:
    assert packed([span(0, 51)], chars=8) == ""


def test_native_keeps_everything_and_k_keeps_the_first_k() -> None:
    units = [Unit(f"u{i}", "fact", 1.0, "a") for i in range(5)]
    assert packed(units).count("u") == 5
    assert packed(units, k=2) == "[1] a\nu0\n\n[2] a\nu1"


def test_targeted_mode_reports_what_came() -> None:
    units = (Unit("x" * 90, "fact", 1.0, "a"),)
    assert len(pack(Retrieval(units), Budget(chars=10, mode="targeted")).text) == 96


def test_a_budget_in_tokens_counts_with_the_given_tokenizer() -> None:
    units = tuple(Unit("one two three four", "fact", 1.0, "a") for _ in range(9))
    context = pack(Retrieval(units), Budget(tokens=20), count_tokens=lambda text: len(text.split()))
    assert 14 <= len(context.text.split()) <= 20


def test_a_budget_in_tokens_without_a_tokenizer_is_refused() -> None:
    with pytest.raises(ValueError, match="tokenizer"):
        pack(Retrieval(()), Budget(tokens=20))


def test_two_limits_in_one_budget_are_refused() -> None:
    with pytest.raises(ValueError, match="at most one limit"):
        Budget(chars=5, k=1)


unicode_text = st.text(
    st.characters(codec="utf-8") | st.sampled_from("\u202e\u0301👩‍🚀. \n"), min_size=1, max_size=400
)


@st.composite
def retrievals(draw: st.DrawFn) -> Retrieval:
    sources = {f"s{i}": draw(unicode_text) for i in range(draw(st.integers(1, 3)))}
    units = []
    for _ in range(draw(st.integers(0, 12))):
        source = draw(st.sampled_from(sorted(sources)))
        start = draw(st.integers(0, len(sources[source]) - 1))
        end = draw(st.integers(start + 1, len(sources[source])))
        is_span = draw(st.booleans())
        offsets = (start, end) if is_span else (-1, -1)
        units.append(Unit(sources[source][start:end], "chunk", 0.0, source, *offsets))
    return Retrieval(tuple(units))


@given(retrievals(), st.integers(1, 900))
def test_a_capped_budget_is_never_exceeded_with_any_units_and_any_unicode(
    retrieval: Retrieval, chars: int
) -> None:
    context = pack(retrieval, Budget(chars=chars))
    assert len(context.text) <= chars
    assert context.text == render(context.units)
    assert context.achieved_chars == len(context.text)


@given(retrievals())
def test_no_two_placed_spans_of_a_source_overlap(retrieval: Retrieval) -> None:
    units = [unit for unit in pack(retrieval, Budget()).units if unit.start >= 0]
    for i, a in enumerate(units):
        assert a.end - a.start == len(a.text)
        for b in units[i + 1 :]:
            assert a.source_id != b.source_id or a.end <= b.start or b.end <= a.start


@given(retrievals(), st.integers(1, 900), st.integers(1, 900))
def test_a_larger_budget_never_gives_a_shorter_context_by_more_than_a_cut(
    retrieval: Retrieval, one: int, other: int
) -> None:
    small, large = sorted((one, other))
    smaller = pack(retrieval, Budget(chars=small)).units
    larger = pack(retrieval, Budget(chars=large)).units
    assert len(larger) >= len(smaller) or _covered(smaller, larger)


def _covered(smaller: tuple[PlacedUnit, ...], larger: tuple[PlacedUnit, ...]) -> bool:
    return all(
        any(a.source_id == b.source_id and b.start <= a.start and a.end <= b.end for b in larger)
        for a in smaller
        if a.start >= 0
    )
