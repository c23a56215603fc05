"""Windows are even, adjoining and within the limit."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory_systems.embedders.windows import even_windows, mean_of_windows, unit_length


def test_windows_worked_by_hand() -> None:
    assert even_windows(0, 5) == []
    assert even_windows(5, 5) == [(0, 5)]
    assert even_windows(6, 5) == [(0, 3), (3, 6)]
    assert even_windows(11, 5) == [(0, 3), (3, 7), (7, 11)]


@given(st.integers(0, 5_000), st.integers(1, 300))
def test_windows_are_the_fewest_and_differ_by_one_at_most(length: int, limit: int) -> None:
    windows = even_windows(length, limit)
    assert [place for start, end in windows for place in range(start, end)] == list(range(length))
    sizes = {end - start for start, end in windows}
    assert max(sizes, default=0) <= limit
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    assert len(windows) == -(-length // limit)


def test_a_mean_has_length_one_and_zeros_stay_zeros() -> None:
    vectors = np.array([[1, 0], [0, 1]], np.float32)
    assert np.allclose(mean_of_windows(vectors), [0.5**0.5, 0.5**0.5])
    assert unit_length(np.zeros(3, np.float32)).tolist() == [0.0, 0.0, 0.0]
