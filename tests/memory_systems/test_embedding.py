"""Embedders are opened by name, and a text is embedded once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memory_systems.base import CountsCalls
from memory_systems.embedders.endpoints import EmbedderAddressNotValid, EmbedderKeyMissing
from memory_systems.embedding import (
    CachedEmbedder,
    UnknownEmbedder,
    get_embedder,
)
from memory_systems.vector_cache import VectorCache, text_key
from tests.memory_systems.hashing_embedder import HashingEmbedder

TEXTS = ["the lamp", "a desk", "the lamp", "", "a chair"]


def test_a_cached_embedder_gives_what_the_embedder_gives(tmp_path: Path) -> None:
    plain, cached = HashingEmbedder(), CachedEmbedder(HashingEmbedder(), tmp_path)
    for _ in range(2):
        assert np.array_equal(cached.encode(TEXTS), plain.encode(TEXTS))
    assert cached.encode([]).shape == (0, 0)
    assert (cached.name, cached.dim, cached.max_tokens) == ("hashing", 64, 150)
    assert cached.count_tokens(TEXTS) == plain.count_tokens(TEXTS)
    cached.close()


def test_a_text_is_embedded_once_whoever_asks(tmp_path: Path) -> None:
    first, second = HashingEmbedder(), HashingEmbedder()
    cached = CachedEmbedder(first, tmp_path)
    cached.encode(TEXTS)
    cached.close()
    again = CachedEmbedder(second, tmp_path)
    again.encode([*TEXTS, "new"])
    assert (first.texts_encoded, second.texts_encoded) == (4, 1)
    again.close()


def test_another_identity_does_not_get_the_vectors(tmp_path: Path) -> None:
    other = HashingEmbedder(name="other")
    for embedder in (HashingEmbedder(), other):
        cached = CachedEmbedder(embedder, tmp_path)
        cached.encode(TEXTS)
        cached.close()
    assert other.texts_encoded == 4


def test_a_stored_vector_of_the_wrong_size_is_made_again(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    cached = CachedEmbedder(embedder, tmp_path)
    cached.encode(["a desk"])
    broken = VectorCache(tmp_path, embedder.identity)
    broken.store({text_key("the lamp"): np.zeros(3, np.float32)})
    broken.close()
    assert np.array_equal(cached.encode(["the lamp"]), embedder.encode(["the lamp"]))
    cached.close()


def test_an_embedder_that_pays_nothing_counts_no_calls(tmp_path: Path) -> None:
    cached = CachedEmbedder(HashingEmbedder(), tmp_path)
    assert isinstance(cached, CountsCalls)
    assert (cached.n_calls, cached.n_tokens) == (0, 0)
    cached.close()


@pytest.mark.parametrize("name", ["", "mini-lm", "openai", "openai:", "cohere:embed"])
def test_an_unknown_name_lists_the_known_ones(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownEmbedder, match="known: minilm, static, openai:MODEL"):
        get_embedder(name, tmp_path)


@pytest.mark.parametrize(
    ("name", "environ", "variable"),
    [
        ("openai:any", {}, "OPENAI_API_KEY"),
        ("openai:any", {"OPENAI_BASE_URL": "https://models.example/v1"}, "OPENAI_API_KEY"),
        (
            "my-lab:any",
            {"MEMJURY_ENDPOINT_MY_LAB_BASE_URL": "https://lab.example/v1"},
            "MEMJURY_ENDPOINT_MY_LAB_API_KEY",
        ),
    ],
)
def test_a_missing_key_names_its_variable(
    name: str, environ: dict[str, str], variable: str, tmp_path: Path
) -> None:
    with pytest.raises(EmbedderKeyMissing, match=f"needs a key: set {variable}$"):
        get_embedder(name, tmp_path, environ=environ)


@pytest.mark.parametrize("address", ["models.example", "ftp://x/v1", "http://", "http://[x"])
def test_an_address_that_is_none_names_its_variable(address: str, tmp_path: Path) -> None:
    with pytest.raises(EmbedderAddressNotValid, match=r"^OPENAI_BASE_URL is not an http"):
        get_embedder("openai:any", tmp_path, environ={"OPENAI_BASE_URL": address})


@pytest.mark.parametrize(
    ("name", "environ", "dim"),
    [
        ("minilm", {}, 384),
        ("static", {}, 256),
        ("openai:text-embedding-3-small", {"OPENAI_API_KEY": "key"}, 1536),
    ],
)
def test_a_known_name_opens_without_reading_a_model_or_calling(
    name: str, environ: dict[str, str], dim: int, tmp_path: Path
) -> None:
    embedder = get_embedder(name, tmp_path, environ=environ)
    assert (embedder.name, embedder.dim) == (name, dim)
    embedder.close()
