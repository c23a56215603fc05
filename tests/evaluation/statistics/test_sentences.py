from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics.sentences import separation_sentences

LABELS = ["A", "B", "C", "D", "E", "F"]


@pytest.mark.parametrize(
    ("n_rows", "separated", "sentences"),
    [
        (0, [], ["No variant is ranked, so there is nothing to separate."]),
        (1, [], ["Only A is ranked, so there is nothing to separate."]),
        (2, [], ["A and B cannot be separated at 95 %."]),
        (2, [(0, 1)], ["A is separated from B at 95 %."]),
        (4, [], ["None of the four variants can be separated at 95 %."]),
        (
            3,
            [(0, 1), (0, 2), (1, 2)],
            ["All three variants are separated from one another at 95 %."],
        ),
        (3, [(0, 2)], ["The first two (A and B) cannot be separated at 95 %.",
                       "A scores higher than C."]),
        (
            5,
            [(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4)],
            [
                "The first three (A, B and C) cannot be separated at 95 %.",
                "A, B and C score higher than D and E.",
            ],
        ),
        (
            4,
            [(0, 1), (0, 2), (0, 3)],
            [
                "A is separated from every other row at 95 %.",
                "None of the other three can be separated at 95 %.",
            ],
        ),
        (
            4,
            [(0, 1), (0, 2), (0, 3), (1, 3)],
            ["A is separated from every other row at 95 %.", "B scores higher than D."],
        ),
        (
            3,
            [(0, 1)],
            ["The first two (A and B) are separated at 95 %.", "A scores higher than B."],
        ),
        (
            6,
            [(0, i) for i in (2, 3, 4, 5)] + [(1, i) for i in (3, 5)],
            [
                "The first two (A and B) cannot be separated at 95 %.",
                "A scores higher than every row from C down.",
                "B scores higher than D and F.",
            ],
        ),
    ],
)  # fmt: skip
def test_the_sentences_name_what_can_be_separated(n_rows, separated, sentences):
    assert list(separation_sentences(LABELS[:n_rows], separated)) == sentences


def test_a_row_that_beats_scattered_rows_and_the_end_names_both():
    labels = list("ABCDEFGH")
    separated = [(0, i) for i in (2, 4, 5, 6, 7)]
    assert separation_sentences(labels, separated)[1] == (
        "A scores higher than C and every row from E down."
    )


def test_long_ties_at_the_top_are_counted_and_not_listed():
    labels = [f"s{i}" for i in range(13)]
    assert separation_sentences(labels, [(0, 12)])[0] == (
        "The first 12 cannot be separated at 95 %."
    )


def test_level_and_noun_are_the_callers():
    assert separation_sentences(["x", "y", "z"], [], level=0.9, noun="raters") == (
        "None of the three raters can be separated at 90 %.",
    )


def test_a_lower_row_may_beat_a_higher_one():
    # With missing scores a contrast on common units can point against the order of means.
    assert separation_sentences(["A", "B", "C"], [(1, 0)]) == (
        "The first two (A and B) are separated at 95 %.",
        "B scores higher than A.",
    )


@given(st.integers(2, 9), st.data())
def test_every_winner_is_named_and_every_sentence_ends(n_rows, data):
    labels = [f"row-{i}" for i in range(n_rows)]
    pairs = list(combinations(range(n_rows), 2))
    separated = data.draw(st.sets(st.sampled_from(pairs)))
    sentences = separation_sentences(labels, separated)
    assert all(sentence.endswith(".") for sentence in sentences)
    text = " ".join(sentences)
    if 0 < len(separated) < len(pairs):
        assert all(labels[winner] in text for winner, _ in separated)
    assert separation_sentences(labels, list(separated)[::-1]) == sentences


@pytest.mark.parametrize("separated", [[(0, 0)], [(0, 3)], [(-1, 0)], [(0, 1), (1, 0)]])
def test_impossible_pairs_are_mistakes(separated):
    with pytest.raises(ValueError, match=r"not a pair|beat the other"):
        separation_sentences(["A", "B", "C"], separated)
