import pytest

from evaluation.records import Expectation, Fact, Key
from evaluation.scoring.exact_judges import SubstringJudge, TypedJudge

TOWN = Fact("town", (Key("term", "New Havel", aliases=("Nova Havel",)),))
TIME = Fact("time", (Key("number", "1500", "ms"),))


def scores(judge, answer, expectation):
    result = judge.judge("q?", expectation, answer, "")
    return result.composite, result.scores.get("share_found")


def test_every_value_must_stand_in_the_answer_word_for_word():
    both = Expectation("", (TOWN, Fact("", (Key("term", "red"),))))
    judge = SubstringJudge()
    assert scores(judge, "a RED house in nova-havel", both) == (10.0, 10.0)
    assert scores(judge, "a house in New Havel", both) == (0.0, 5.0)
    assert scores(judge, "reddish, Havel", both) == (0.0, 0.0)


def test_without_facts_the_gold_answer_must_stand_there():
    assert scores(SubstringJudge(), "It was blue, 1,200 of them.", Expectation("1200"))[0] == 10.0
    assert scores(SubstringJudge(), "It was green.", Expectation("blue"))[0] == 0.0


def test_only_the_typed_judge_converts_units():
    expectation = Expectation("", (TIME,))
    assert scores(TypedJudge(), "1.5 seconds", expectation)[0] == 10.0
    assert scores(SubstringJudge(), "1.5 seconds", expectation)[0] == 0.0
    assert scores(TypedJudge(), "1500", expectation)[0] == 0.0


def test_the_typed_judge_looks_for_words_where_a_fact_has_no_keys():
    expectation = Expectation("", (TIME, Fact("blue")))
    assert scores(TypedJudge(), "1.5 s and blue", expectation) == (10.0, 10.0)


@pytest.mark.parametrize("judge", [SubstringJudge(), TypedJudge()])
def test_an_outdated_value_has_no_marks(judge):
    expectation = Expectation("", (TOWN,), stale_values=("Ostrava", "Havel"))
    assert scores(judge, "New Havel", expectation)[0] == 10.0
    assert scores(judge, "First Ostrava, then New Havel", expectation)[0] == 0.0


@pytest.mark.parametrize("judge", [SubstringJudge(), TypedJudge()])
def test_where_nothing_is_known_the_answer_must_say_so(judge):
    unknown = Expectation("Not known.", abstain=True)
    assert scores(judge, "That is not known.", unknown)[0] == 10.0
    assert scores(judge, "New Havel", unknown)[0] == 0.0
    assert scores(judge, "", unknown)[0] == 0.0


def test_a_question_without_gold_is_unscored():
    assert SubstringJudge().judge("q?", Expectation(" "), "x", "").composite is None
