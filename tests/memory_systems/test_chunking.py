"""Chunks are exact spans of about the asked size, and together they cover the text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_systems.chunking import Boundaries, ChunkSizeNotValid, chunk_spans

PROSE = "The kettle boils at nine. Nobody hears it, for the house is empty now. " * 40


def test_a_short_text_is_one_chunk_without_its_edges_white_space() -> None:
    assert chunk_spans("  A short text.\n") == [(2, 15)]
    assert chunk_spans("x" * 1100) == [(0, 1100)]


@pytest.mark.parametrize("text", ["", " ", "\n\t \u3000" * 900])
def test_a_text_without_ink_has_no_chunk(text: str) -> None:
    assert chunk_spans(text) == []


def test_a_giant_word_is_cut_hard_at_the_exact_size() -> None:
    assert chunk_spans("x" * 2500) == [(0, 1000), (800, 1800), (1500, 2500)]


def test_windows_worked_by_hand_end_at_the_nearest_sentence() -> None:
    text = "a" * 18 + ". " + "b" * 18 + ". " + "c" * 18 + "."
    assert chunk_spans(text, chunk_chars=20, overlap_chars=0) == [(0, 19), (20, 39), (40, 59)]


def test_a_paragraph_end_is_preferred_to_a_nearer_sentence_end() -> None:
    boundaries = Boundaries("One. Two.\n\nThree. Four.")
    assert boundaries.nearest(6, 5) == 11
    assert boundaries.nearest(6, 2) == 5
    assert boundaries.nearest(3, 1) == 3


def test_the_mean_is_close_to_the_asked_size_on_prose() -> None:
    spans = chunk_spans(PROSE * 20)
    mean = sum(end - start for start, end in spans) / len(spans)
    assert 990 <= mean <= 1010


def test_chunks_of_prose_end_at_sentence_ends_and_overlap_by_about_a_fifth() -> None:
    spans = chunk_spans(PROSE)
    assert all(PROSE[start:end].endswith(".") for start, end in spans)
    overlaps = [before[1] - after[0] for before, after in itertools.pairwise(spans[:-1])]
    assert all(140 <= overlap <= 260 for overlap in overlaps)


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=600),
    st.integers(20, 90),
    st.data(),
)
def test_chunks_cover_every_character_with_ink_in_order(
    text: str, chunk_chars: int, data: st.DataObject
) -> None:
    overlap_chars = data.draw(st.integers(0, chunk_chars // 2))
    spans = chunk_spans(text, chunk_chars=chunk_chars, overlap_chars=overlap_chars)
    covered = set[int]()
    for start, end in spans:
        assert 0 <= start < end <= len(text)
        assert end - start <= chunk_chars + chunk_chars // 10
        assert text[start:end] == text[start:end].strip()
        covered.update(range(start, end))
    assert all(place in covered for place, char in enumerate(text) if not char.isspace())
    assert spans == sorted(set(spans))


@pytest.mark.parametrize(("size", "overlap"), [(19, 0), (100, 51), (100, -1), (0, 0)])
def test_sizes_that_cannot_advance_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ChunkSizeNotValid, match="chunk_chars must be at least 20"):
        chunk_spans("text", chunk_chars=size, overlap_chars=overlap)
