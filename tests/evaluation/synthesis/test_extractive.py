import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.synthesis.abstention import NOT_TOLD
from evaluation.synthesis.extractive import (
    MAX_ANSWER_CHARS,
    MAX_EMBEDDED,
    MAX_PASSAGES,
    ExtractiveSynthesizer,
)
from tests.evaluation.synthesis.hashed_words import HashedWords

CONTEXT = (
    "[1] paper-01\nThe Ostro encoder needs 14.2 ms for one pass. Its memory stays below 2 GB. "
    "Gardens need water in summer.\n\n"
    "[2] paper-02\nThe Keldan encoder needs 9.9 ms for one pass. Birds sing early in spring."
)
QUESTION = "How long does the Keldan encoder need for one pass?"


@pytest.fixture
def synthesizer() -> ExtractiveSynthesizer:
    return ExtractiveSynthesizer(HashedWords())


def test_the_sentence_that_answers_comes_first(synthesizer):
    answer = synthesizer.synthesize(QUESTION, CONTEXT)
    assert answer.text.splitlines()[0] == "The Keldan encoder needs 9.9 ms for one pass."
    assert not answer.abstained
    assert answer.usage.model_calls == 0


def test_every_line_of_the_answer_stands_in_the_context(synthesizer):
    for line in synthesizer.synthesize(QUESTION, CONTEXT).text.splitlines():
        assert line in CONTEXT


@pytest.mark.parametrize("context", ["", "   \n", "[1] paper-01\n", "# Results\n---"])
def test_an_empty_context_is_said_not_to_tell(synthesizer, context):
    answer = synthesizer.synthesize(QUESTION, context)
    assert (answer.text, answer.abstained) == (NOT_TOLD, True)


def test_a_context_about_something_else_is_said_not_to_tell(synthesizer):
    answer = synthesizer.synthesize(QUESTION, "Birds sing early. Gardens want water in summer.")
    assert answer.abstained


def test_a_question_without_a_word_of_its_own_is_not_answered(synthesizer):
    assert synthesizer.synthesize("What is it?", CONTEXT).abstained


def test_a_repeated_sentence_is_quoted_once(synthesizer):
    twice = CONTEXT + "\n\n[3] paper-03\nThe Keldan encoder needs 9.9 ms for one pass!"
    text = synthesizer.synthesize(QUESTION, twice).text
    assert text.count("The Keldan encoder needs 9.9 ms") == 1


def test_an_answer_is_bounded_in_passages_and_characters(synthesizer):
    context = "\n".join(
        f"The Keldan encoder number {n} needs one pass of {n} ms {'and more ' * 30}."
        for n in range(80)
    )
    text = synthesizer.synthesize(QUESTION, context).text
    assert 0 < len(text) <= MAX_ANSWER_CHARS
    assert len(text.splitlines()) <= MAX_PASSAGES


def test_few_passages_are_embedded_however_long_the_context():
    embedder = HashedWords()
    context = "\n".join(f"The encoder {n} of Keldan runs in {n} ms." for n in range(2000))
    ExtractiveSynthesizer(embedder).synthesize(QUESTION, context)
    assert len(embedder.seen) == MAX_EMBEDDED + 1


def test_a_context_of_millions_of_characters_is_read_in_seconds(synthesizer):
    line = "In setting {n} the Keldan encoder was compared with others and needed {n} ms overall.\n"
    context = "".join(line.format(n=n) for n in range(31_000))
    assert len(context) > 2_600_000
    started = time.perf_counter()
    synthesizer.synthesize(QUESTION, context)
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    "piece", [" ", ". ", "a.", "|a", "\n", "| a |\n", "Keldan ", "e.g. A", "("]
)
def test_a_context_of_one_thing_over_and_over_is_read_in_seconds(synthesizer, piece):
    started = time.perf_counter()
    synthesizer.synthesize(QUESTION, f"Keldan {piece * (400_000 // len(piece))} ms.")
    assert time.perf_counter() - started < 10


@given(st.text(max_size=60), st.text(alphabet="Kab. |\n#[1]…", max_size=400))
def test_any_text_is_answered_and_the_same_way_twice(question, context):
    first = ExtractiveSynthesizer(HashedWords()).synthesize(question, context)
    again = ExtractiveSynthesizer(HashedWords()).synthesize(question, context, repeat=1)
    assert first == again
    assert first.text


def test_the_key_names_the_embedder_and_the_version(synthesizer):
    assert synthesizer.key_parts == {
        "synthesizer": "extractive",
        "version": 1,
        "embedder": "hashed-words",
    }


def test_the_frozen_rules_give_the_frozen_answer(synthesizer):
    """Raise VERSION in extractive.py when this must change."""
    assert synthesizer.synthesize("Which encoder needs less time a pass?", CONTEXT).text == (
        "The Keldan encoder needs 9.9 ms for one pass.\n"
        "The Ostro encoder needs 14.2 ms for one pass."
    )
