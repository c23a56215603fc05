from __future__ import annotations

import numpy as np
import pytest

from annotation.pair_sampling.candidates import (
    ABSENT,
    UNKNOWN_GAP,
    UNSCORED,
    bucket_names,
    candidate_pairs,
)
from annotation.pair_sampling.scores import hundredths


def test_every_two_answered_systems_of_a_question_are_a_candidate() -> None:
    table = np.array([[500, 300, ABSENT], [500, ABSENT, ABSENT], [0, 199, 400]])
    found = candidate_pairs(table, [0, 200, 400])
    assert list(zip(found.question, found.left, found.right, strict=True)) == [
        (0, 0, 1), (2, 0, 1), (2, 0, 2), (2, 1, 2),
    ]  # fmt: skip
    assert [found.bucket_names[bucket] for bucket in found.bucket] == ["2–4", "0–2", "4+", "2–4"]
    assert list(found.system_pair) == [0, 0, 1, 2]


def test_a_lower_edge_belongs_to_its_bucket_and_an_unscored_answer_has_no_gap() -> None:
    gaps = [0, 199, 200, 399, 400, 1000, UNSCORED]
    found = candidate_pairs(np.array([[0, gap] for gap in gaps]), [0, 200, 400])
    assert [found.bucket_names[bucket] for bucket in found.bucket] == [
        "0–2", "0–2", "2–4", "2–4", "4+", "4+", UNKNOWN_GAP,
    ]  # fmt: skip
    assert candidate_pairs(np.array([[UNSCORED, UNSCORED]]), [0]).bucket == 1


def test_pairs_of_equal_texts_are_no_candidates_and_are_counted() -> None:
    table = np.array([[500, 500, 300], [500, ABSENT, 500], [500, ABSENT, ABSENT]])
    texts = np.array([[0, 0, 1], [2, -1, 3], [4, -1, -1]])
    found = candidate_pairs(table, [0, 200, 400], texts)
    assert list(zip(found.question, found.left, found.right, strict=True)) == [
        (0, 0, 2), (0, 1, 2), (1, 0, 2),
    ]  # fmt: skip
    assert found.n_identical == 1
    assert candidate_pairs(table, [0, 200, 400]).n_identical == 0


def test_nothing_answered_gives_no_candidate() -> None:
    assert len(candidate_pairs(np.full((3, 4), ABSENT), [0, 200])) == 0
    assert len(candidate_pairs(np.zeros((0, 0), dtype=np.int64), [0])) == 0


def test_buckets_are_named_by_their_edges() -> None:
    assert bucket_names([0, 150, 400]) == ("0–1.5", "1.5–4", "4+")
    assert bucket_names([0]) == ("0+",)


@pytest.mark.parametrize(
    ("composite", "wanted"),
    [(0.0, 0), (10.0, 1000), (6.1, 610), (6.125, 613), (2.675, 268), (1 / 3, 33), (None, None)],
)
def test_scores_become_hundredths_of_their_decimal_text(
    composite: float | None, wanted: int | None
) -> None:
    assert hundredths(composite) == wanted
