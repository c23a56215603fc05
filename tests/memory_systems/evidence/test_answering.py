"""An answer from claims, without a model, is made of claims or is none."""

from __future__ import annotations

from memory_systems.evidence.answering import (
    MAX_ANSWER_CHARS,
    NOT_TOLD,
    answer_by_choice,
    answer_by_model,
)
from memory_systems.evidence.internal_model import InternalModel
from tests.memory_systems.evidence.test_model_passes import endpoint
from tests.memory_systems.hashing_embedder import HashingEmbedder

CLAIMS = [
    "The weather was fine.",
    "The sealed kettle boils water in 3.5 minutes.",
    "A kettle boils water at sea level in 4 minutes.",
]
QUESTION = "In how many minutes does the sealed kettle boil water?"


def test_the_claims_that_fit_the_question_come_best_first() -> None:
    answer = answer_by_choice(QUESTION, CLAIMS, HashingEmbedder())
    assert answer.splitlines()[0] == CLAIMS[1]
    assert CLAIMS[0] not in answer


def test_nothing_is_told_where_nothing_fits() -> None:
    assert answer_by_choice("Which violin strings?", CLAIMS[:1], HashingEmbedder()) == NOT_TOLD
    assert answer_by_choice(QUESTION, [], HashingEmbedder()) == NOT_TOLD
    assert answer_by_choice("", CLAIMS, HashingEmbedder()) == NOT_TOLD


def test_an_answer_keeps_its_length_and_repeats_nothing() -> None:
    long = [f"{CLAIMS[1]} {'and so on ' * 25}{number}" for number in range(9)]
    answer = answer_by_choice(QUESTION, [*long, *long], HashingEmbedder())
    assert 0 < len(answer) <= MAX_ANSWER_CHARS
    assert len(set(answer.splitlines())) == len(answer.splitlines())


def test_a_model_is_shown_the_claims_as_data() -> None:
    asked: list[str] = []

    def reply(request: dict[str, object]) -> str:
        asked.append(str(request["messages"]))
        return "In 3.5 minutes."

    with endpoint(reply) as address:
        assert answer_by_model(QUESTION, CLAIMS, InternalModel(address)) == "In 3.5 minutes."
    assert "[2] The sealed kettle" in asked[0]
    assert NOT_TOLD in asked[0]
