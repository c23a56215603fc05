from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmarks.scholia.dice import Dice


def test_equal_names_give_equal_choices_and_the_sequence_never_changes() -> None:
    dice = Dice("prose", 1, "paper")
    assert [dice.between(0, 99) for _ in range(6)] == [48, 35, 97, 44, 57, 18]


def test_the_parts_of_a_name_are_kept_apart() -> None:
    assert Dice("a", 11).between(0, 10**9) != Dice("a1", 1).between(0, 10**9)


@given(st.integers(0, 10**6), st.lists(st.integers(), max_size=30), st.integers(0, 40))
def test_a_sample_is_made_of_different_options(seed: int, options: list[int], n: int) -> None:
    chosen = Dice(seed).sample(list(enumerate(options)), n)
    assert len(chosen) == len(set(chosen)) == min(n, len(options))


@given(st.integers(0, 10**6), st.lists(st.integers(), max_size=30))
def test_shuffling_keeps_every_option(seed: int, options: list[int]) -> None:
    assert sorted(Dice(seed).shuffled(options)) == sorted(options)


def test_chance_is_about_what_it_says() -> None:
    dice = Dice("chance")
    assert 250 < sum(dice.chance(30) for _ in range(1000)) < 350
