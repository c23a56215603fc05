import pytest

from evaluation.scoring.assertions import (
    denies_that_it_is_told,
    read_assertions,
    says_not_told,
)


@pytest.mark.parametrize(
    "clause",
    [
        "The paper does not report the energy.",
        "It isn't mentioned.",
        "The context does not tell.",
        "Energy use is not given",
        "No energy measurements were reported",
        "I cannot find this in the context",
        "The authors never measured energy",
        "Energy was not measured.",
        "The cause remains unknown",
        "There is no information on this.",
        "This cannot be determined from the passages.",
        "The effect on energy is left to future work.",
        "Unknown.",
    ],
)
def test_a_clause_that_says_a_thing_is_not_reported_is_known_as_one(clause):
    assert says_not_told(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "It does not include attention",
        "pneumonia of unknown etiology",
        "the effect was not significant",
        "it has no effect on the value",
        "not found in bacteria",
        "The system reports 12 ms.",
    ],
)
def test_a_plain_negative_finding_is_not_taken_for_silence(clause):
    assert not says_not_told(clause)


@pytest.mark.parametrize(
    "text",
    ["I cannot answer.", "I'm sorry, I can't help with that.", "I don't know.", "N/A",
     "Sorry. The context does not tell.", "As an AI I have no access."],
)  # fmt: skip
def test_an_answer_that_only_refuses_is_a_refusal(text):
    assert read_assertions(text).is_refusal


@pytest.mark.parametrize("text", ["12 ms", "The variance is not reported, but the mean is 12 ms."])
def test_an_answer_that_asserts_something_is_no_refusal(text):
    assert not read_assertions(text).is_refusal


def test_silence_about_another_thing_does_not_deny():
    question, gold = "How much energy does Norvane use?", "The paper does not report energy."
    about_it = read_assertions("The energy is not reported.")
    about_other = read_assertions("The variance is not reported.")
    about_source = read_assertions("The paper does not say.")
    assert denies_that_it_is_told(about_it, question, gold)
    assert denies_that_it_is_told(about_source, question, gold)
    assert not denies_that_it_is_told(about_other, question, gold)
