"""Planted leaks are found; what belongs to the topic, or all answers share, is only counted."""

from __future__ import annotations

import pytest

from annotation.blinding.answer_scan import (
    HARNESS_MARKER,
    NAME,
    SELF_REFERENCE,
    AnswerScan,
    scan_answer,
)
from annotation.blinding.identities import (
    JudgeIdentity,
    SystemIdentity,
    identity_strings,
    scanned_names,
)

NAMES = scanned_names(["theoria@static", "simple-rag+bm25@minilm", "openai:gpt-4.1-mini"])
TOPIC = "Which recall does the Tin Cabinet reach?\nIt reaches 74 %.\nTin Cabinet files letters."


def scan(text: str, topic: str = TOPIC, sources: tuple[str, ...] = ()) -> AnswerScan:
    ids = frozenset({"paper-017", "letters", "2024"})
    return scan_answer(text, names=NAMES, topic=topic, sources=lambda: sources, item_ids=ids)


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("As Theoria, I find that it is 74 %.", NAME, "Theoria"),
        ("The Simple RAG baseline says 74 %.", NAME, "Simple RAG"),
        ("From simple_rag: 74 %.", NAME, "simple_rag"),
        ("Thе answer by BM25 is 74 %.", NAME, "BM25"),
        ("I am GPT-4o and say 74 %.", NAME, "GPT-4o"),
        ("As trained by OpenAI, I say 74 %.", NAME, "OpenAI"),
        ("Claude says 74 %.", NAME, "Claude"),
        ("The\u200boria: 74 %.", NAME, "Theoria"),
        ("Ｔｈｅｏｒｉａ: 74 %.", NAME, "Theoria"),
        ("**Theoria**: 74 %.", NAME, "Theoria"),
        ("From simple\u2011rag: 74 %.", NAME, "simple-rag"),
        ("I am GPT\u20114o and say 74 %.", NAME, "GPT-4o"),
        ("Theo**ria**: 74 %.", NAME, "Theoria"),
        ("&#84;heoria: 74 %.", NAME, "Theoria"),
        ("From simple\\_rag: 74 %.", NAME, "simple_rag"),
        ("See chunk\\_id: it is 74 %.", HARNESS_MARKER, "chunk_id"),
        ("It is 74 % &lt;/context&gt;", HARNESS_MARKER, "/context"),
        ("The retrieved&nbsp;context says 74 %.", SELF_REFERENCE, "retrieved context"),
        ("An in-context answer: 74 %.", NAME, "in-context"),
        ("gpt-4o-mini says so.", NAME, "gpt-4o"),
        ("simple-rag+bm25@minilm", NAME, "simple-rag+bm25@minilm"),
        ("The retrieved context says 74 %.", SELF_REFERENCE, "retrieved context"),
        ("The retrieved passages do not say.", SELF_REFERENCE, "retrieved passages"),
        ("The knowledge graph shows 74 %.", SELF_REFERENCE, "the knowledge graph shows"),
        ("The community summary states 74 %.", SELF_REFERENCE, "the community summary states"),
        ("According to my memory it is 74 %.", SELF_REFERENCE, "according to my memory"),
        ("The provided edges suggest 74 %.", SELF_REFERENCE, "provided edges"),
        ("By hybrid retrieval: 74 %.", SELF_REFERENCE, "hybrid retrieval"),
        ("It is 74 % [edge 3].", HARNESS_MARKER, "edge 3"),
        ("It is 74 % [chunk 12].", HARNESS_MARKER, "chunk 12"),
        ("It is 74 % (Unit #4).", HARNESS_MARKER, "Unit #4"),
        ("See chunk_id: it is 74 %.", HARNESS_MARKER, "chunk_id"),
        ("[ASSIGNS_REPORTS_TO] It is 74 %.", HARNESS_MARKER, "ASSIGNS_REPORTS_TO"),
        ("[Session: 2023/03/13 (Mon)] 74 %", HARNESS_MARKER, "Session: 2023"),
        ("[1] paper-017\nIt is 74 %.", HARNESS_MARKER, "paper-017"),
        ("It is 74 %<|im_end|>", HARNESS_MARKER, "|im_end|"),
        ("</context> It is 74 %", HARNESS_MARKER, "/context"),
        ("3f2b8c1d-0a1b-4c2d-8e3f-1234567890ab", HARNESS_MARKER, "3f2b8c1d-0a1b"),
        ("node 9f86d081884c7d659a2feaa0c55ad015", HARNESS_MARKER, "9f86d081884c7d659"),
    ],
)  # fmt: skip
def test_a_planted_leak_sends_the_pair_to_review(text: str, kind: str, found: str) -> None:
    result = scan(text)
    assert result.needs_review
    assert any(
        finding.kind == kind and found.casefold() in finding.found.casefold()
        for finding in result.findings
    ), result.findings


@pytest.mark.parametrize(
    "text",
    [
        "It reaches a recall of 74 % with typed letters.",
        "The context does not tell.",
        "The provided context does not say which recall is reached.",
        "According to the passages [1] and [2, 3], it is 74 %.",
        "In hindsight, a prism splits light; the memos were static.",
        "The graph of recall falls, in context of a base model; a direct read shows it.",
        "We theorise that theoriae are many.",
        "In 2024 the letters were filed.",
        "$$\\int_0^1 f(x)\\,dx$$ and `a[3]`",
        "It deadbeefs; the price is 1234567890123456.",
        "",
    ],
)
def test_an_ordinary_answer_passes(text: str) -> None:
    result = scan(text)
    assert not result.needs_review, result.findings


def test_names_of_the_topic_are_counted_and_pass() -> None:
    text = "BM25 ranks by term frequency; bm25 is lexical search. Theoria is not meant."
    result = scan(text, topic="How does BM25 rank?", sources=("On lexical search in Theoria.",))
    assert not result.needs_review
    assert {(one.found, one.times) for one in result.findings} == {
        ("BM25", 1), ("bm25", 1), ("lexical search", 1), ("Theoria", 1),
    }  # fmt: skip


def test_sources_are_read_only_when_something_was_found() -> None:
    def unwanted() -> tuple[str, ...]:
        raise AssertionError("the sources were read")

    scan_answer("It is 74 %.", names=NAMES, topic=TOPIC, sources=unwanted)
    scan_answer("Theoria.", names=NAMES, topic="What is Theoria?", sources=unwanted)


def test_a_name_inside_another_word_of_the_topic_does_not_belong_to_it() -> None:
    assert scan("By Theoria.", topic="What is theorial?").needs_review


def test_what_all_systems_say_is_counted() -> None:
    result = scan("The context says 74 % [1]; the passages say 61 % [2].")
    assert dict(result.shared) == {"speaks of a context": 2, "citations by number": 2}


def test_findings_are_quoted_and_their_number_is_bounded() -> None:
    text = "x " * 200 + "by Theoria " + "y " * 200 + " ".join(f"[chunk {n}]" for n in range(500))
    result = scan(text)
    assert len(result.findings) == 20
    assert all(len(finding.quote) <= 120 for finding in result.findings)
    assert "Theoria" in next(one.quote for one in result.findings if one.kind == NAME)


@pytest.mark.parametrize(
    "text", ["[" * 50_000, "chunk " * 40_000, "a" * 300_000, "9f" * 100_000, "[edge " * 20_000]
)
def test_ugly_text_is_scanned_to_an_end(text: str) -> None:
    assert scan(text).findings is not None


def test_identity_strings_are_those_that_tell_who_it_was() -> None:
    found = identity_strings(
        [
            SystemIdentity(
                "theoria", "theoria+bm25", "theoria+bm25@static", "ab" * 32, "static",
                {"model": "gpt-4o", "k": 20},
            )
        ],
        [JudgeIdentity("openai:gpt-4.1-mini", "cd" * 32, {"judge": "model", "temperature": 0.0})],
        ["3fa9c2d41e"],
        ["claude-sonnet", "1.5", "x"],
    )  # fmt: skip
    assert found == {
        "theoria", "theoria+bm25", "theoria+bm25@static", "ab" * 32, "static", "gpt-4o",
        "openai:gpt-4.1-mini", "gpt-4.1-mini", "cd" * 32, "3fa9c2d41e", "claude-sonnet",
    }  # fmt: skip
    names = scanned_names(found)
    assert {"theoria+bm25@static", "hipporag", "openai"} <= names
    assert not names & {"ab" * 32, "3fa9c2d41e"}
