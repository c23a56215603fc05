from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.benchmarks.key_occurrence import key_occurs
from evaluation.benchmarks.revision import revision_of
from evaluation.benchmarks.scholia.generator import (
    GENERATOR_VERSION,
    SIZES,
    UnknownCorpus,
    generate,
)
from evaluation.benchmarks.scholia.paper_writing import MAX_CHARS, MIN_CHARS
from evaluation.records import Ask, Benchmark, Ingest
from evaluation.scoring.rubric import RubricJudge
from memory_systems.base import SourceItem

# Whoever changes these hashes raises GENERATOR_VERSION: results of other bytes are not compared.
PINNED_VERSION = 1
PINNED = {
    "scholia-prose": "6be26bdee4bc604bb4cc28eb0e7c0af0269adf752aa58e33cbbc8f24100c6423",
    "scholia-terms": "7065732851cd30de928294a8f06a476a13fec79ecb3e24db621e6b0f8c2db04f",
}
CORPORA = tuple(PINNED)
SOURCES = {1: ("L1", "L2"), 2: ("L2",), 3: ("L3",), 4: ("L3",)}


@pytest.fixture(scope="module", params=CORPORA)
def small(request: pytest.FixtureRequest) -> Benchmark:
    return generate(request.param, size="small")


@pytest.fixture(scope="module", params=CORPORA)
def standard(request: pytest.FixtureRequest) -> Benchmark:
    return generate(request.param, size="standard")


def items_of(benchmark: Benchmark) -> dict[str, SourceItem]:
    steps = benchmark.scenarios[0].steps
    return {step.item.id: step.item for step in steps if isinstance(step, Ingest)}


@pytest.mark.parametrize("name", CORPORA)
def test_the_bytes_are_those_of_the_pinned_version(name: str) -> None:
    assert GENERATOR_VERSION == PINNED_VERSION
    assert revision_of(generate(name, size="small")) == PINNED[name]  # type: ignore[arg-type]


def test_another_process_with_other_hashing_makes_the_same_bytes() -> None:
    code = (
        "from evaluation.benchmarks.revision import revision_of;"
        "from evaluation.benchmarks.scholia.generator import generate;"
        "print(revision_of(generate('scholia-prose', size='small')))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "4321", "PYTHONPATH": ":".join(sys.path), "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.strip() == PINNED["scholia-prose"]


@pytest.mark.parametrize("name", CORPORA)
def test_another_seed_changes_documents_questions_and_answers(name: str) -> None:
    one, other = (generate(name, size="small", seed=seed) for seed in (1, 2))  # type: ignore[arg-type]
    texts, other_texts = items_of(one), items_of(other)
    assert texts.keys() == other_texts.keys()
    assert all(texts[item_id].text != other_texts[item_id].text for item_id in texts)
    answers = [{q.expectations["main"].gold_answer for q in b.questions} for b in (one, other)]
    assert not answers[0] & answers[1]
    assert [q.id for q in one.questions] == [q.id for q in other.questions]


def test_sizes_and_tiers_are_those_of_the_specification(standard: Benchmark) -> None:
    shape = SIZES[standard.card.slug, "standard"]
    counted = [question for question in standard.questions if not question.holdout]
    tiers = Counter(question.slices["tier"][0] for question in counted)
    assert (tiers["L1"], tiers["L2"], tiers["L3"]) == shape.tiers
    assert (len(items_of(standard)), len(counted)) in {(80, 66), (240, 98)}
    assert sum(question.holdout for question in standard.questions) == 10


def test_the_small_size_has_12_papers_and_24_questions(small: Benchmark) -> None:
    assert len(items_of(small)) == 12
    assert sum(not question.holdout for question in small.questions) == 24


def test_papers_are_as_long_as_papers_and_have_their_parts(standard: Benchmark) -> None:
    for item in items_of(standard).values():
        assert MIN_CHARS <= len(item.text) <= MAX_CHARS
        headings = [line for line in item.text.splitlines() if line.startswith("## ")]
        assert len(headings) == 10
        assert headings[0] == "## Abstract"
        assert headings[-1] == "## References"
        assert item.text.count("\n| --- |") >= 2
        assert item.text.count("$$\n") >= 2
        assert item.text.startswith(f"# {item.title}\n")


def test_every_span_is_a_whole_sentence_or_row_with_all_keys_of_its_fact(
    standard: Benchmark,
) -> None:
    items = items_of(standard)
    for question in standard.questions:
        for fact in question.expectations["main"].facts:
            assert fact.spans
            for span in fact.spans:
                piece = items[span.item_id].text[span.start : span.end]
                assert span.item_id in question.source_ids
                assert piece[0] == "|" or piece[0] == "`" or not piece[0].islower()
                assert piece[-1] in ".|"
                assert "\n" not in piece
                assert all(key_occurs(key, piece) for key in fact.keys)


def test_every_type_of_question_is_asked(standard: Benchmark) -> None:
    types = {name for question in standard.questions for name in question.slices["type"]}
    assert types == {
        "factual",
        "mechanistic",
        "quantitative",
        "enumeration",
        "conditional",
        "cross-document",
        "negative",
        "synthesis",
    }


def test_tiers_agree_with_the_number_of_sources(standard: Benchmark) -> None:
    for question in standard.questions:
        assert question.slices["tier"][0] in SOURCES[len(set(question.source_ids))]


def test_negative_questions_expect_abstention_and_others_have_facts(standard: Benchmark) -> None:
    for question in standard.questions:
        expectation = question.expectations["main"]
        assert expectation.abstain == ("negative" in question.slices["type"])
        assert expectation.abstain or expectation.facts


def test_no_question_no_title_and_no_id_occurs_twice(standard: Benchmark) -> None:
    questions = standard.questions
    assert len({question.text for question in questions}) == len(questions)
    assert len({question.id for question in questions}) == len(questions)
    titles = [item.title for item in items_of(standard).values()]
    assert len(set(titles)) == len(titles)


def test_background_is_hardly_ever_written_twice(standard: Benchmark) -> None:
    for item in items_of(standard).values():
        sentences = [
            sentence
            for line in item.text.splitlines()
            if line and line[0] not in "#|$[T"
            for sentence in line.split(". ")
            if len(sentence) > 40
        ]
        assert len(set(sentences)) > 0.97 * len(sentences)


def test_every_question_is_asked_after_every_document(small: Benchmark) -> None:
    steps = small.scenarios[0].steps
    asked = [step.question_id for step in steps if isinstance(step, Ask)]
    assert asked == [question.id for question in small.questions]
    assert all(isinstance(step, Ingest) for step in steps[: len(steps) - len(asked)])


def test_the_gold_answer_and_the_quoted_spans_have_full_marks(standard: Benchmark) -> None:
    judge = RubricJudge()
    items = items_of(standard)
    for question in standard.questions:
        expectation = question.expectations["main"]
        gold = expectation.gold_answer
        assert judge.judge(question.text, expectation, gold, gold).composite == 10
        if not expectation.abstain:
            quoted = " ".join(
                items[fact.spans[0].item_id].text[fact.spans[0].start : fact.spans[0].end]
                for fact in expectation.facts
            )
            assert judge.judge(question.text, expectation, quoted, quoted).composite == 10


def test_the_card_says_that_the_text_is_made_up(small: Benchmark) -> None:
    assert small.card.is_generated
    assert small.card.licence == "MIT (generated by MemJury)"
    assert small.card.family == "scientific"
    assert "seed 1" in small.card.source


def test_an_unknown_corpus_or_size_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownCorpus, match=r"scholia-terms \(standard\)"):
        generate("scholia-verse")  # type: ignore[arg-type]
    with pytest.raises(UnknownCorpus, match="of size 'huge'"):
        generate("scholia-prose", size="huge")  # type: ignore[arg-type]


@settings(max_examples=8)
@given(st.sampled_from(CORPORA), st.integers(0, 2**63))
def test_any_seed_gives_a_sound_corpus(name: str, seed: int) -> None:
    benchmark = generate(name, size="small", seed=seed)  # type: ignore[arg-type]
    assert all(MIN_CHARS <= len(item.text) <= MAX_CHARS for item in items_of(benchmark).values())
    assert len({question.text for question in benchmark.questions}) == 28
    assert benchmark.report.n_spans_found >= benchmark.report.n_facts
