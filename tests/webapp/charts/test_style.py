"""A system looks the same everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.charts.style import MARKERS, N_HUES, WEIGHTS, dash_of, marker_of, style_of, weight_at


def test_no_two_assigned_systems_look_alike() -> None:
    known = [
        "simple-rag", "bm25", "theoria", "prism", "mem0", "hindsight", "cognee", "graphiti",
        "direct-read", "base-model", "in-context", "md-flat", "karpathy-wiki", "plain-rag",
        "no-store-bm25", "oracle-context", "holdmem", "a-mem", "memos", "lightrag", "hipporag2",
    ]  # fmt: skip
    looks = {(style_of(slug).hue, style_of(slug).marker) for slug in known}
    assert len(looks) == len(known)


@given(st.text(min_size=1, max_size=30))
def test_an_unknown_system_has_a_look_that_never_changes(slug: str) -> None:
    style = style_of(slug)
    assert style == style_of(slug)
    assert 0 <= style.hue <= N_HUES


@given(st.text(alphabet="abcdefgh", min_size=12, max_size=20))
def test_an_unknown_system_is_never_as_grey_as_an_anchor(slug: str) -> None:
    assert style_of(slug).hue >= 1
    assert style_of(slug).marker in MARKERS


@pytest.mark.parametrize(
    ("modality", "dash"), [("dense", "dash"), ("hybrid", "solid"), ("lexical", "dot")]
)
def test_the_modality_is_the_dash(modality: str, dash: str) -> None:
    assert dash_of(modality) == dash


def test_native_is_an_open_marker() -> None:
    assert marker_of("graphiti", is_native=True) == "pentagon-open"
    assert marker_of("graphiti") == "pentagon"


def test_the_first_variants_of_a_system_have_weights_apart() -> None:
    assert len({weight_at(place) for place in range(len(WEIGHTS))}) == len(WEIGHTS) == 3
    assert weight_at(3) == weight_at(0)
