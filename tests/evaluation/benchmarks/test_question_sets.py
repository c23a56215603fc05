from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmarks.question_sets import UnknownQuestionSet, name_of_ids, select_questions
from evaluation.records import Benchmark, Card, Expectation, Question

CARD = Card("cabinet", "Cabinet", "scientific", "", "", "")


def benchmark_of(*tiers: str, holdout: int = 0) -> Benchmark:
    questions = [
        Question(f"q{n}", f"question {n}", {"main": Expectation("a")}, {"tier": (tier,)})
        for n, tier in enumerate(tiers)
    ]
    questions += [
        Question(f"h{n}", f"holdout {n}", {"main": Expectation("a")}, holdout=True)
        for n in range(holdout)
    ]
    return Benchmark(CARD, (), tuple(questions))


NINE = benchmark_of("L1", "L2", "L2", "L3", "L2", "L1", "L2", "L3", "L2", holdout=2)


def ids_of(spec: str, benchmark: Benchmark = NINE, seed: int = 0) -> list[str]:
    return [question.id for question in select_questions(benchmark, spec, seed=seed)[0]]


def test_all_is_never_the_holdout_and_the_holdout_is_asked_for_by_name() -> None:
    assert ids_of("all") == [f"q{n}" for n in range(9)]
    assert ids_of("holdout") == ["h0", "h1"]
    assert ids_of("first:3") == ["q0", "q1", "q2"]
    assert ids_of("first:500") == ids_of("all")


def test_the_name_of_a_set_says_what_it_is() -> None:
    for spec in ("all", "holdout", "first:3", "stratified:4"):
        assert select_questions(NINE, spec, seed=0)[1] == spec


def test_strata_have_their_share_by_largest_remainder() -> None:
    # 9 questions (2 L1, 5 L2, 2 L3); of 4: exact shares 0.89, 2.22, 0.89.
    chosen, _ = select_questions(NINE, "stratified:4", seed=3)
    assert Counter(question.slices["tier"][0] for question in chosen) == {"L1": 1, "L2": 2, "L3": 1}
    assert ids_of("stratified:9") == ids_of("stratified:40") == ids_of("all")


def test_a_stratified_set_depends_on_the_seed_alone() -> None:
    assert ids_of("stratified:4", seed=1) == ids_of("stratified:4", seed=1)
    assert len({tuple(ids_of("stratified:4", seed=seed)) for seed in range(12)}) > 3


@given(
    st.lists(st.sampled_from(["L1", "L2", "L3"]), min_size=1, max_size=60),
    st.integers(1, 70),
    st.integers(0, 99),
)
def test_shares_are_within_one_question_of_exact(tiers: list[str], n: int, seed: int) -> None:
    benchmark = benchmark_of(*tiers, holdout=1)
    chosen = ids_of(f"stratified:{n}", benchmark, seed)
    assert len(chosen) == min(n, len(tiers))
    position = {question.id: at for at, question in enumerate(benchmark.questions)}
    assert [position[one] for one in chosen] == sorted(position[one] for one in chosen)
    taken = Counter(tiers[position[one]] for one in chosen)
    for tier, size in Counter(tiers).items():
        assert abs(taken[tier] - size * len(chosen) / len(tiers)) < 1


def test_ids_come_in_the_benchmarks_order_holdout_ones_too() -> None:
    chosen, name = select_questions(NINE, "file:mine.txt", seed=0, ids=["h1", "q4", "q2"])
    assert [question.id for question in chosen] == ["q2", "q4", "h1"]
    assert name == name_of_ids(["q2", "h1", "q4", "q2"])
    assert name.startswith("ids:")
    assert len(name) == 12


@pytest.mark.parametrize(
    ("spec", "ids", "words"),
    [
        ("some", (), "unknown question set “some”: use all, holdout, first:N"),
        ("first:0", (), "N from 1 up"),
        ("stratified:x", (), "unknown question set"),
        ("stratified:", (), "unknown question set"),
        ("ids", ("q1", "z1", "z2"), "2 of the question ids are not of cabinet: z1, z2"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(
    spec: str, ids: tuple[str, ...], words: str
) -> None:
    with pytest.raises(UnknownQuestionSet, match=words):
        select_questions(NINE, spec, seed=0, ids=ids)


def test_an_empty_set_is_refused() -> None:
    with pytest.raises(UnknownQuestionSet, match="“holdout” of cabinet is empty"):
        select_questions(benchmark_of("L1"), "holdout", seed=0)
    with pytest.raises(UnknownQuestionSet, match="is empty"):
        select_questions(benchmark_of(holdout=2), "all", seed=0)
