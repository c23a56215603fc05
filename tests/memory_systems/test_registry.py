"""The registry gives what it knows and refuses the rest in sentences that help."""

from __future__ import annotations

import subprocess
import sys
import types
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from memory_systems import registry
from memory_systems.base import Modality, SystemConfig, SystemInfo, SystemRefused
from memory_systems.chunk_memory import EmbedderRequired
from memory_systems.chunking import ChunkSizeNotValid
from memory_systems.lexical.engines import UnknownLexicalEngine
from memory_systems.registry import (
    ModalityNotSupported,
    ParameterOutOfRange,
    SystemNotInstalled,
    UnknownParameter,
    UnknownSystem,
    checked_parameters,
    open_system,
    parse_variant_slug,
    system_info,
    system_slugs,
    variant_slug,
)

LEXICAL = SystemConfig("lexical")


def test_the_systems_of_the_house_are_registered() -> None:
    assert {
        "simple-rag",
        "bm25",
        "base-model",
        "direct-read",
        "in-context",
        "oracle-context",
    } <= set(system_slugs())


def test_an_unknown_system_lists_the_known_ones() -> None:
    with pytest.raises(UnknownSystem, match=r"'simple_rag'; known: .*simple-rag.*bm25"):
        system_info("simple_rag")
    with pytest.raises(UnknownSystem, match="known:"):
        open_system("", LEXICAL, Path("never made"))


@pytest.mark.parametrize(
    ("slug", "parsed"),
    [
        ("simple-rag", ("simple-rag", "dense")),
        ("simple-rag+bm25", ("simple-rag", "hybrid")),
        ("bm25", ("bm25", "lexical")),
        ("base-model", ("base-model", "none")),
    ],
)
def test_a_variants_slug_is_read_and_written(slug: str, parsed: tuple[str, Modality]) -> None:
    assert parse_variant_slug(slug) == parsed
    assert variant_slug(*parsed) == slug


@pytest.mark.parametrize("slug", ["bm25+bm25", "base-model+bm25"])
def test_a_hybrid_of_a_system_without_one_is_refused(slug: str) -> None:
    with pytest.raises(ModalityNotSupported, match="has no hybrid modality; supported:"):
        parse_variant_slug(slug)


@pytest.mark.parametrize("slug", ["", "+bm25", "simple-rag+dense", "simple-rag+bm25+bm25"])
def test_a_slug_of_no_system_is_refused(slug: str) -> None:
    with pytest.raises(UnknownSystem):
        parse_variant_slug(slug)


def test_a_modality_that_the_system_lacks_lists_those_it_has(tmp_path: Path) -> None:
    with pytest.raises(ModalityNotSupported, match="no lexical modality; supported: dense, hybrid"):
        open_system("simple-rag", LEXICAL, tmp_path)
    with pytest.raises(ModalityNotSupported, match="supported: lexical"):
        variant_slug("bm25", "dense")


def test_an_unknown_parameter_lists_the_known_ones(tmp_path: Path) -> None:
    config = SystemConfig("lexical", parameters={"chunk_size": 500})
    with pytest.raises(UnknownParameter, match="known: chunk_chars, lexical_engine, overlap_chars"):
        open_system("bm25", config, tmp_path)
    with pytest.raises(UnknownParameter, match="known: none"):
        checked_parameters("base-model", {"k": 3})


@pytest.mark.parametrize("value", ["500", 500.0, True])
def test_a_parameter_of_another_type_is_refused(value: str | float | bool) -> None:
    with pytest.raises(UnknownParameter, match=r"'chunk_chars' .* takes a int such as 1000; got"):
        checked_parameters("bm25", {"chunk_chars": value})


@pytest.mark.parametrize(
    ("slug", "parameters", "told"),
    [
        ("simple-rag", {"chunk_chars": -1}, r"'chunk_chars' .* no negative or infinite .* got -1"),
        ("simple-rag", {"overlap_chars": -1}, "no negative"),
        ("graphiti", {"previous_episodes": -3}, "no negative"),
        ("simple-rag", {"chunk_chars": 0}, "must be at least 1, such as 1000; got 0"),
        ("oracle-context", {"window_chars": 0}, "must be at least 1"),
        ("cognee", {"chunk_tokens": 0}, "must be at least 1, such as 8191; got 0"),
        ("cognee", {"parallel_calls": 0}, "must be at least 1, such as 1; got 0"),
        ("graphiti", {"parallel_calls": 0}, "must be at least 1"),
        ("hindsight", {"parallel_calls": 0}, "must be at least 1"),
        ("hindsight", {"max_output_tokens": 1}, "must be at least 100, such as 64000; got 1"),
    ],
)
def test_a_number_that_cannot_be_meant_is_refused(
    slug: str, parameters: dict[str, int], told: str
) -> None:
    with pytest.raises(ParameterOutOfRange, match=told):
        checked_parameters(slug, parameters)


@pytest.mark.parametrize(
    ("slug", "parameters", "error"),
    [
        ("simple-rag", {"overlap_chars": 501}, ChunkSizeNotValid),
        ("mem0", {"chunk_chars": 19}, ChunkSizeNotValid),
        ("prism", {"chunk_chars": 1}, ChunkSizeNotValid),
        ("graphiti", {"episode_chars": 1}, ChunkSizeNotValid),
        ("theoria", {"lexical_engine": "lucene"}, UnknownLexicalEngine),
        ("mem0", {"lexical_engine": "lucene"}, UnknownLexicalEngine),
    ],
)
def test_what_only_the_opened_system_would_refuse_is_refused_before(
    slug: str, parameters: dict[str, int | str], error: type[SystemRefused]
) -> None:
    with pytest.raises(error):
        checked_parameters(slug, parameters)


@pytest.mark.parametrize("value", [float("inf"), float("nan"), -0.5])
def test_a_share_must_be_a_finite_number(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    info = system_info("bm25")
    shares = replace(info, retrieval_parameters={"share": 0.5})
    monkeypatch.setattr(registry, "system_info", lambda slug: shares)
    with pytest.raises(ParameterOutOfRange, match="no negative or infinite"):
        checked_parameters("bm25", {"share": value})
    assert checked_parameters("bm25", {"share": 0.0})["share"] == 0.0


@pytest.mark.parametrize("parameter", ["episode_chars", "previous_episodes"])
def test_nothing_may_be_asked_for_where_it_is_the_default(parameter: str) -> None:
    assert checked_parameters("graphiti", {parameter: 0})[parameter] == 0


def test_chunks_may_do_without_an_overlap() -> None:
    assert checked_parameters("bm25", {"overlap_chars": 0})["overlap_chars"] == 0


def test_parameters_left_out_take_their_defaults() -> None:
    assert checked_parameters("bm25", {"chunk_chars": 500}) == {
        "chunk_chars": 500,
        "overlap_chars": 200,
        "lexical_engine": "bm25s",
    }


@pytest.mark.parametrize(
    ("parameters", "error", "told"),
    [
        ({"lexical_engine": "lucene"}, UnknownLexicalEngine, "known: bm25s, rank-bm25"),
        ({"chunk_chars": 10}, ChunkSizeNotValid, "at least 20"),
        ({"overlap_chars": 501}, ChunkSizeNotValid, "half of it"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_on_opening(
    parameters: dict[str, int | str], error: type[SystemRefused], told: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=told):
        open_system("bm25", SystemConfig("lexical", parameters=parameters), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_dense_system_without_an_embedder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderRequired, match="'simple-rag' needs an embedder"):
        open_system("simple-rag", SystemConfig("dense"), tmp_path)


def test_a_missing_package_breaks_its_own_system_only(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {**registry.SYSTEMS, "broken": "memory_systems.adapters.no_such_package.x:System"}
    monkeypatch.setattr(registry, "SYSTEMS", lines)
    with pytest.raises(SystemNotInstalled, match="is not installed; install"):
        system_info("broken")
    assert system_info("bm25").slug == "bm25"


def test_a_package_missed_on_opening_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class NeedsMore:
        INFO = SystemInfo(
            slug="needs-more",
            title="",
            description="",
            modalities=("lexical",),
            granularity="",
            knob="",
        )

        def __init__(self, config: SystemConfig, folder: Path) -> None:
            import_module("absent_package")

    module = types.ModuleType("system_for_a_test")
    module.NeedsMore = NeedsMore  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "system_for_a_test", module)
    monkeypatch.setattr(registry, "SYSTEMS", {"needs-more": "system_for_a_test:NeedsMore"})
    with pytest.raises(SystemNotInstalled, match="module 'absent_package', which is not installed"):
        open_system("needs-more", LEXICAL, tmp_path)


def test_reading_every_registration_loads_no_heavy_package() -> None:
    script = (
        "import sys; from memory_systems.registry import *; "
        "[system_info(slug) for slug in system_slugs()]; "
        "print({'onnxruntime', 'bm25s', 'rank_bm25', 'openai', 'tokenizers', 'wordllama'}"
        " & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert ran.stdout.strip() == "set()"
