"""The small drawings inside tables."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.charts.style import style_of
from webapp.templatetags.marks import bar, swatch, whisker


def _numbers(svg: str, name: str) -> list[float]:
    return [float(found) for found in re.findall(rf'{name}="([^"]+)"', svg)]


@pytest.mark.parametrize("system", ["simple-rag", "base-model", "in-context", "direct-read", "x y"])
@pytest.mark.parametrize("modality", ["", "dense", "hybrid", "lexical", "none", "other"])
def test_a_swatch_is_well_formed_and_has_its_systems_hue(system: str, modality: str) -> None:
    svg = swatch(system, modality)
    ElementTree.fromstring(svg)
    assert f"hue-{style_of(system).hue}" in svg
    assert 'aria-hidden="true"' in svg
    assert ("<line" in svg) == bool(modality)


def test_a_whisker_lies_where_its_numbers_say() -> None:
    svg = whisker(5.0, 2.5, 7.5, 0, 10)
    ElementTree.fromstring(svg)
    assert _numbers(svg, "cx") == [60.0]
    assert 'd="M32.0 4v8M32.0 8.0H88.0M88.0 4v8"' in svg


def test_a_missing_estimate_draws_nothing() -> None:
    assert whisker(None, None, None, 0, 10) == ""


def test_a_missing_interval_draws_the_point_alone() -> None:
    svg = whisker(5.0, None, None, 0, 10)
    assert "interval" not in svg
    assert "<circle" in svg


def test_a_scale_around_0_shows_where_0_is() -> None:
    assert 'class="zero"' in whisker(0.3, -0.2, 0.8, -1, 1)
    assert 'class="zero"' not in whisker(5.0, 4.0, 6.0, 0, 10)


@given(st.floats(-100, 100), st.floats(-100, 100), st.floats(-100, 100))
def test_nothing_is_drawn_outside_the_box(estimate: float, low: float, high: float) -> None:
    svg = whisker(estimate, low, high, -1, 1)
    assert all(0 <= place <= 120 for place in _numbers(svg, "cx"))


@pytest.mark.parametrize(("part", "total", "width"), [(0, 0, 0.0), (1, 4, 25.0), (9, 4, 100.0)])
def test_a_bar_is_as_long_as_its_share(part: float, total: float, width: float) -> None:
    assert f'class="part" width="{width}"' in bar(part, total)
