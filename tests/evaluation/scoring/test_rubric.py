import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.records import Expectation, Fact, Judgment, Key
from evaluation.scoring.rubric import RubricJudge
from evaluation.synthesis.abstention import NOT_KNOWN, NOT_TOLD

QUESTION = "How fast is the encoder, and on what?"
LATENCY = Fact("A pass takes 12.5 ms.", (Key("number", "12.5", "ms"),))
BATCH = Fact("The batch holds 1,200 tokens.", (Key("number", "1200", "tokens", tolerance=0.01),))
DEVICE = Fact("It ran on a Norvane-7.", (Key("term", "Norvane-7", aliases=("N7 board",)),))
GOLD = "12.5 ms a pass with 1,200 tokens on a Norvane-7."
CONTEXT = (
    "On the Norvane-7 (N7 board) a pass takes 12.5 ms with batches of 1,200 tokens. Ostro: 14 ms."
)


def judge(
    answer: str, expectation: Expectation | None = None, question: str = QUESTION
) -> Judgment:
    expectation = expectation or Expectation(GOLD, (LATENCY, BATCH, DEVICE))
    return RubricJudge().judge(question, expectation, answer, CONTEXT)


def scores(answer: str, expectation: Expectation | None = None) -> dict[str, float]:
    return {name: round(value, 3) for name, value in judge(answer, expectation).scores.items()}


def test_an_answer_with_every_fact_has_full_marks():
    assert judge("12.5 ms with 1200 tokens on a Norvane-7.").composite == 10.0


@pytest.mark.parametrize(
    "answer",
    [
        "0.0125 s, 1.2k tokens, N7 board",
        "12.5 milliseconds; 1 200 tokens; norvane 7".replace("1 200", "1\u202f200"),
        "12.50 msec for 1,195 input tokens (Norvane7)",
    ],
)
def test_units_separators_tolerance_and_aliases_meet_a_key_exactly(answer):
    found = scores(answer)
    assert found["completeness"] == found["specificity"] == found["accuracy"] == 10.0


def test_completeness_is_the_share_of_facts_found():
    assert scores("A pass takes 12.5 ms on the Norvane-7.")["completeness"] == 6.667


def test_a_value_without_its_unit_is_found_but_not_exact():
    found = scores("12.5, on a Norvane-7")
    assert found["completeness"] == 6.667
    assert found["specificity"] == 3.333


def test_a_rounded_value_is_found_but_not_exact():
    found = scores(
        "about 13 ms", Expectation("12.6 ms", (Fact("t", (Key("number", "12.6", "ms"),)),))
    )
    assert found["completeness"] == 10.0
    assert found["specificity"] == 0.0


def test_a_value_outside_the_tolerance_is_not_found():
    assert scores("1,213 tokens")["completeness"] == 0.0
    assert scores("1,212 tokens")["completeness"] == 3.333


def test_a_wrong_value_in_place_of_the_right_one_contradicts():
    result = judge("It takes 14 ms with 1200 tokens on a Norvane-7.")
    assert round(result.scores["accuracy"], 3) == 6.667  # 2 right, 1 contradicted
    assert "14 for 12.5 ms" in result.reason


def test_a_wrong_value_beside_the_right_one_does_not_contradict():
    assert scores("12.5 ms; Ostro needs 14 ms.")["accuracy"] == 10.0


def test_a_value_in_another_unit_does_not_contradict():
    assert scores("It takes 14 W on a Norvane-7.")["accuracy"] == 10.0


def test_a_penalty_lowers_accuracy_only_when_the_claim_is_made():
    expectation = Expectation(GOLD, (LATENCY,), penalties=("It uses a cache for attention.",))
    assert scores("12.5 ms. It uses a cache for attention.", expectation)["accuracy"] == 5.0
    assert scores("12.5 ms. It uses no cache for attention.", expectation)["accuracy"] == 10.0
    assert scores("12.5 ms. It uses attention.", expectation)["accuracy"] == 10.0


def test_a_stale_value_is_a_penalty_unless_it_is_part_of_the_right_one():
    fact = Fact("She lives in New Havel.", (Key("term", "New Havel"),))
    expectation = Expectation("New Havel", (fact,), stale_values=("Havel",))
    assert scores("New Havel", expectation)["accuracy"] == 10.0
    assert scores("New Havel, before that Havel", expectation)["accuracy"] == 5.0


def test_numbers_and_names_from_nowhere_lower_hallucination_avoidance():
    found = scores("12.5 ms on a Norvane-7 by Keldan, 99 W")
    assert found["hallucination_avoidance"] == 5.0  # 12.5 and Norvane-7, not Keldan and 99


def test_what_the_question_names_is_not_asserted():
    result = RubricJudge().judge(
        "Is Keldan 77 fast?", Expectation(GOLD, (LATENCY,)), "Keldan 77 is fast.", CONTEXT
    )
    assert "hallucination_avoidance" not in result.scores


def test_without_keys_specificity_is_unscored_and_words_decide():
    expectation = Expectation("Heat escapes through the lower vents.")
    found = scores("Through the lower vents, heat escapes.", expectation)
    assert found["completeness"] == 10.0
    assert "specificity" not in found
    assert scores("Through the roof.", expectation)["completeness"] == 0.0


def test_words_of_the_question_earn_nothing():
    expectation = Expectation("The pump fails because of cavitation.")
    result = judge("The pump fails.", expectation, "Why does the pump fail?")
    assert result.scores["completeness"] == 0.0


@pytest.mark.parametrize(
    "answer", ["", "  \n ", NOT_TOLD, NOT_KNOWN, "I cannot answer this.", "I don't know."]
)
def test_an_empty_answer_or_a_refusal_of_an_answerable_question_scores_zero(answer):
    assert judge(answer).composite == 0.0


NEGATIVE = Expectation("The paper does not report energy use.", abstain=True)


@pytest.mark.parametrize(
    "answer",
    [NOT_TOLD, "The paper does not report energy use.", "Energy use isn't mentioned anywhere."],
)
def test_a_negative_question_has_full_marks_for_saying_it_is_not_reported(answer):
    assert judge(answer, NEGATIVE, "How much energy does it use?").composite == 10.0


@pytest.mark.parametrize(
    "answer", ["", "It uses 5 W.", "I'm sorry, I can't help.", "The colour is not reported."]
)
def test_a_negative_question_has_no_marks_for_anything_else(answer):
    result = judge(answer, NEGATIVE, "How much energy does it use?")
    assert result.scores["completeness"] == result.scores["accuracy"] == 0.0


def test_a_value_named_only_to_say_it_is_not_reported_is_not_asserted():
    assert scores("The paper does not mention 12.5 ms.")["completeness"] == 0.0


def test_a_fact_that_something_is_not_reported_is_stated_by_saying_so():
    expectation = Expectation("", (LATENCY, Fact("The energy use is not reported.")))
    assert scores("12.5 ms. Energy use is not reported.", expectation)["completeness"] == 10.0
    assert scores("12.5 ms. Energy use is low.", expectation)["completeness"] == 5.0
    alone = Expectation("", (Fact("The energy use is not reported."),))
    assert scores("The energy use is not reported.", alone)["completeness"] == 10.0


def test_a_fact_that_is_silent_in_part_may_be_stated_anywhere():
    fact = Fact(
        "35 cases, of which 14 in Havel; the province of three is not reported.",
        (Key("number", "35"), Key("number", "14"), Key("term", "Havel")),
    )
    answer = "35 cases, 14 of them in Havel, though the province of three was not reported"
    assert scores(answer, Expectation("", (fact,)))["completeness"] == 10.0


def test_a_question_without_gold_is_unscored():
    result = judge("anything", Expectation(""))
    assert result.composite is None
    assert "neither facts nor a gold answer" in result.unscored_reason


def test_a_number_key_that_is_no_number_is_refused():
    broken = Expectation("x", (Fact("x", (Key("number", "many", "ms"),)),))
    with pytest.raises(ValueError, match="not a number"):
        judge("12 ms", broken)


_FACTS = (LATENCY, BATCH, DEVICE)
_PIECES = st.lists(
    st.sampled_from(
        ["12.5 ms", "14 ms", "1,200 tokens", "Norvane-7", "not reported", "It is fast.", "Keldan",
         "99 W", "I cannot answer.", "however", "-", "3.2", "\n", "%", "GPT-4"]
    ),
    max_size=12,
)  # fmt: skip


@given(_PIECES, st.lists(st.sampled_from(_FACTS), min_size=1, unique=True), st.booleans())
def test_every_score_lies_between_zero_and_ten(pieces, facts, abstain):
    result = judge(" ".join(pieces), Expectation(GOLD, tuple(facts), abstain=abstain))
    assert result.composite is not None
    for value in (result.composite, *result.scores.values()):
        assert math.isfinite(value)
        assert 0.0 <= value <= 10.0
    assert result.composite == pytest.approx(sum(result.scores.values()) / len(result.scores))


@given(_PIECES, st.sampled_from(_FACTS))
def test_adding_a_right_fact_never_lowers_completeness(pieces, fact):
    before = judge(" ".join(pieces)).scores["completeness"]
    after = judge(f"{' '.join(pieces)}\n{fact.text}").scores["completeness"]
    assert after >= before


@given(st.text(max_size=200))
def test_any_answer_can_be_judged_and_the_same_way_twice(answer):
    assert judge(answer) == judge(answer)


@pytest.mark.parametrize(
    "piece",
    [" ", "\r", "\n", "a.", "1", "1,", "$1", ".5", "not ", "no ", "paper not ", "GPT-4 ", "|", "*",
     "{,}", "\\text{", "a b. ", "²", "½", "A'", "ten to ", "12 ms; "],
)  # fmt: skip
def test_a_very_long_answer_is_judged_in_seconds(piece):
    started = time.perf_counter()
    judge(f"12.5 ms {piece * (200_000 // len(piece))} 14 ms")
    assert time.perf_counter() - started < 10


def test_the_judge_key_changes_with_the_version_alone():
    assert RubricJudge().key_parts == {"judge": "rubric", "version": 1}
    assert RubricJudge().is_proxy


def test_the_frozen_rules_give_the_frozen_scores():
    """Raise VERSION in rubric.py when one of these must change."""
    answers = {
        "12.5 ms": (3.333, 10.0, 3.333, 10.0),
        "14 ms on the Norvane-7, 1,200 tokens, 42 W": (6.667, 6.667, 6.667, 7.5),
        "Around 13 ms. The variance is not reported.": (3.333, 10.0, 0.0, 10.0),
        "The N7 board runs it quickly.": (3.333, 10.0, 3.333, 10.0),
    }
    for answer, expected in answers.items():
        found = scores(answer)
        names = ("completeness", "accuracy", "specificity", "hallucination_avoidance")
        assert tuple(found.get(name) for name in names) == expected, answer
