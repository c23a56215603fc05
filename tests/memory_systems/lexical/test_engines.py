"""Two BM25 libraries behind one interface: they agree where their formulas are made to."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from memory_systems.lexical.engines import (
    ENGINES,
    K1,
    B,
    Bm25sEngine,
    UnknownLexicalEngine,
    get_engine,
)
from memory_systems.lexical.tokenizer import tokenize

WORDS = [f"word{number}" for number in range(120)]
every_engine = pytest.mark.parametrize("name", sorted(ENGINES))


def corpus(n_texts: int = 300, seed: int = 5) -> list[str]:
    rng = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    return [" ".join(rng.choices(WORDS, weights, k=rng.randint(1, 90))) for _ in range(n_texts)]


def test_bm25s_agrees_with_rank_bm25_given_lucenes_idf() -> None:
    texts = corpus()
    documents = [tokenize(text) for text in texts]
    reference = BM25Okapi(documents, k1=K1, b=B)
    frequencies = Counter(term for document in documents for term in set(document))
    reference.idf = {
        term: math.log(1 + (len(texts) - df + 0.5) / (df + 0.5)) for term, df in frequencies.items()
    }
    engine = Bm25sEngine.build(texts)
    for query in ("word0 word3 word3", "word7 word99 word118", "word119"):
        expected = reference.get_scores(tokenize(query)) / (K1 + 1)
        scores = [float(score) for score in engine.scores(query)]
        assert scores == pytest.approx(expected, abs=1e-5)
        best = sorted(range(len(texts)), key=lambda i: (-round(scores[i], 6), i))
        found = [index for index, _ in engine.top(query, 10)]
        assert found == [i for i in best if scores[i] > 0][:10]


def test_a_score_is_the_one_worked_by_hand() -> None:
    texts = ["lamp lamp desk", "desk", "chair table"]
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2))
    assert get_engine("bm25s").build(texts).top("lamp", 5) == [
        (0, pytest.approx(expected, abs=1e-6))
    ]


@every_engine
def test_a_saved_engine_loads_to_the_same(name: str, tmp_path: Path) -> None:
    built = get_engine(name).build(corpus(60))
    built.save(tmp_path)
    loaded = get_engine(name).load(tmp_path)
    for query in ("word0 word1", "word50", "nothing"):
        assert loaded.top(query, 20) == built.top(query, 20)


@every_engine
def test_texts_that_share_no_term_never_come(name: str) -> None:
    engine = get_engine(name).build(["alpha beta", "gamma", "alpha delta", "epsilon"])
    assert [index for index, _ in engine.top("alpha", 10)] == [0, 2]
    assert engine.top("zeta", 10) == []
    assert engine.top("the of and", 10) == []
    assert engine.top("", 10) == []


@every_engine
@pytest.mark.parametrize("texts", [[], [""], ["the of", " "]])
def test_an_index_without_terms_finds_nothing(name: str, texts: list[str], tmp_path: Path) -> None:
    engine = get_engine(name).build(texts)
    assert engine.top("anything", 5) == []
    engine.save(tmp_path)
    assert get_engine(name).load(tmp_path).top("anything", 5) == []


@every_engine
def test_a_match_is_found_in_the_smallest_stores(name: str) -> None:
    assert [i for i, _ in get_engine(name).build(["alpha"]).top("alpha", 5)] == [0]
    assert [i for i, _ in get_engine(name).build(["alpha", "beta"]).top("beta", 5)] == [1]
    assert [i for i, _ in get_engine(name).build(["alpha", "", "alpha"]).top("alpha", 5)] == [0, 2]


@every_engine
def test_equal_scores_are_ordered_by_index(name: str) -> None:
    texts = ["twin word here", "other", "third", "twin word here", "fourth", "twin word here"]
    assert [index for index, _ in get_engine(name).build(texts).top("twin", 2)] == [0, 3]


@every_engine
def test_scores_are_finite_and_fall(name: str) -> None:
    scores = [score for _, score in get_engine(name).build(corpus(50)).top("word1 word2", 50)]
    assert np.isfinite(scores).all()
    assert scores == sorted(scores, reverse=True)


def test_an_unknown_engine_lists_the_known_ones() -> None:
    with pytest.raises(UnknownLexicalEngine, match="known: bm25s, rank-bm25"):
        get_engine("tantivy")
