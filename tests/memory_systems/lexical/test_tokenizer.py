"""The tokenizer meets rare names however they are written, and takes any Unicode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_systems.lexical.tokenizer import tokenize


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        ("the and of this was does its", []),
        ("Retrieval scores", ["retrieval", "score"]),
        ("Flash-Attention-2", ["flashattention2", "flash", "attention", "2"]),
        ("GraphRAG", ["graphrag", "graph", "rag"]),
        ("LoRA", ["lora"]),
        ("GPUs and TPUs", ["gpu", "tpu"]),
        ("qwen2:7b", ["qwen27b", "qwen2", "7b"]),
        ("learning_rate", ["learningrate", "learning", "rate"]),
        ("1,024 tokens at 0.85", ["1024", "token", "0.85"]),
        ("1,000ms", ["1000", "ms"]),
        ("10–20 of v2.1", ["10", "20", "v2.1"]),
        ("Mem0's and don't", ["mem0"]),
        ("state–of–the–art", ["stateoftheart", "state", "art"]),
        ("end.Next", ["endnext", "end", "next"]),
        ("studies bias class ties", ["study", "bia", "class", "tie"]),
        ("ﬁne ＡＢＣ 𝛼", ["fine", "abc", "α"]),
        ("Straße", ["strass"]),
        ("記憶系 x", ["記憶", "憶系", "x"]),
    ],
)
def test_terms_are_those_documented(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("FlashAttention", "flash attention"),
        ("Flash-Attention", "FlashAttention"),
        ("multi-head", "multihead"),
        ("kernel zx_81-b", "ZX_81-B"),
        ("4,096", "4096"),
        ("the transformer's", "Transformers"),
        ("cases", "case"),
        ("viruses", "virus"),
        ("caches", "cache"),
        ("classes", "class"),
        ("uses", "use"),
        ("hypotheses", "hypothesis"),
        ("trees", "tree"),
    ],
)
def test_two_ways_of_writing_a_name_share_a_term(written: str, asked: str) -> None:
    assert set(tokenize(written)) & set(tokenize(asked))


@given(st.text(max_size=200))
def test_any_unicode_gives_terms_without_space_or_upper_case(text: str) -> None:
    for term in tokenize(text):
        assert term
        assert not any(char.isspace() for char in term)
        assert term.casefold() == term or not term.isascii()


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_a_text_repeated_repeats_its_terms(text: str) -> None:
    assert tokenize(f"{text} \n {text}") == tokenize(text) * 2
