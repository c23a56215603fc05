from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmarks.span_search import MISSING, place_anywhere, place_at, quote_parts


def test_a_right_offset_is_found():
    placement = place_at("a cat and a cat", "cat", 12)
    assert (placement.status, placement.start, placement.end) == ("found", 12, 15)


def test_a_wrong_offset_moves_to_the_nearest_occurrence():
    text = "cat ........ cat . cat"
    placement = place_at(text, "cat", 14)
    assert (placement.status, placement.start, placement.n_occurrences) == ("relocated", 13, 3)
    assert placement.is_ambiguous


def test_of_two_equally_near_the_earlier_is_taken():
    assert place_at("ab..ab", "ab", 2).start == 0


def test_a_single_occurrence_is_not_ambiguous():
    assert not place_at("one cat", "cat", 0).is_ambiguous


def test_outer_white_space_is_not_part_of_the_span():
    text = "It is so. Next."
    placement = place_at(text, "It is so. ", 0)
    assert text[placement.start : placement.end] == "It is so."
    assert placement.status == "found"


def test_white_space_case_quotes_and_dashes_do_not_matter_in_the_second_try():
    text = "He said: “The  Cap\nis fixed – for now”."
    placement = place_anywhere(text, 'the cap is fixed - for now"')
    assert placement.status == "relocated"
    assert text[placement.start : placement.end] == "The  Cap\nis fixed – for now”"


def test_signs_of_regular_expressions_are_plain_text():
    text = "f(x) = [a+b]* \\ c^2"
    placement = place_anywhere(text, "F(X) = [A+B]* \\ C^2")
    assert text[placement.start : placement.end] == text


def test_an_absent_or_empty_quote_is_missing():
    assert place_anywhere("abc", "xyz") == MISSING
    assert place_anywhere("abc", "  ") == MISSING
    assert place_at("abc", "xyz", 0) == MISSING


def test_an_ellipsis_parts_a_quote():
    assert quote_parts("one two … three [...] four ... five") == [
        "one two",
        "three",
        "four",
        "five",
    ]


@given(
    st.text(max_size=60), st.text(min_size=1, max_size=8), st.text(max_size=60), st.integers(-5, 90)
)
def test_what_stands_in_a_text_is_always_placed_on_itself(before, quote, after, stated):
    text = before + quote + after
    placement = place_at(text, quote, stated)
    if quote.strip():
        assert text[placement.start : placement.end] == quote.strip()
    else:
        assert placement == MISSING
