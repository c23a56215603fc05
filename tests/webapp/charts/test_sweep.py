"""The figure of the budget sweep."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import pytest

from webapp.charts.sweep import SweepCurve, SweepMark, sweep_figure


def _mark(track: str, chars: float, score: float, *, width: float | None = 0.5) -> SweepMark:
    if width is None:
        return SweepMark(track, chars, score, None, None, 24)
    return SweepMark(track, chars, score, score - width, score + width, 24)


def _curve(**change: Any) -> SweepCurve:
    given: dict[str, Any] = {
        "system": "mem0", "label": "mem0+bm25", "modality": "hybrid", "is_reference": False,
        "budgets": (_mark("10k", 10_000, 6.0), _mark("30k", 30_000, 7.0)),
        "native": _mark("native", 7_000, 5.5), **change,
    }  # fmt: skip
    return SweepCurve(**given)


def test_a_line_joins_the_budgets_and_leaves_native_apart() -> None:
    band, line, native = sweep_figure([_curve()], scale_high=10)["data"]
    assert line["x"] == [10_000, 30_000]
    assert line["line"]["dash"] == "solid"
    assert native["x"] == [7_000]
    assert native["marker"]["symbol"] == "triangle-up-open"
    assert native["legendgroup"] == band["legendgroup"] == line["legendgroup"]


def test_the_band_runs_along_the_intervals_and_back() -> None:
    band = sweep_figure([_curve()], scale_high=10)["data"][0]
    assert band["x"] == [10_000, 30_000, 30_000, 10_000]
    assert band["y"] == [6.5, 7.5, 6.5, 5.5]


def test_variants_of_one_system_and_modality_differ_in_width_and_size() -> None:
    curves = [
        _curve(label=label, modality=modality, system="simple-rag")
        for label, modality in (
            ("simple-rag@static", "dense"),
            ("simple-rag@minilm", "dense"),
            ("simple-rag+bm25@minilm", "hybrid"),
        )
    ]
    looks: dict[str, tuple[Any, Any]] = {}
    for trace in sweep_figure(curves, scale_high=10)["data"]:
        if "marker" in trace:
            width = trace["line"]["width"] if "line" in trace else None
            looks[trace["name"]] = (width, trace["marker"]["size"])
    assert looks["simple-rag@minilm"] == looks["simple-rag+bm25@minilm"]
    assert looks["simple-rag@static"][0] < looks["simple-rag@minilm"][0]
    assert looks["simple-rag@static"][1] < looks["simple-rag@minilm"][1]
    assert looks["simple-rag@static, native"][1] < looks["simple-rag@minilm, native"][1]


def test_without_intervals_there_is_no_band() -> None:
    bare = (_mark("10k", 10_000, 6.0, width=None), _mark("30k", 30_000, 7.0, width=None))
    data = sweep_figure([_curve(budgets=bare, native=None)], scale_high=10)["data"]
    assert [trace["mode"] for trace in data] == ["lines+markers"]
    assert "no interval" in data[0]["text"][0]


def test_an_anchor_is_a_level_line_with_its_name() -> None:
    anchor = _curve(
        system="base-model", label="base-model", is_reference=True, budgets=(),
        native=_mark("native", 0, 1.0),
    )  # fmt: skip
    figure = sweep_figure([anchor, _curve()], scale_high=10)
    shape = figure["layout"]["shapes"][0]
    assert (shape["y0"], shape["y1"], shape["x0"], shape["x1"]) == (1.0, 1.0, 0, 1)
    assert figure["layout"]["annotations"][0]["text"] == "base-model 1.00"


def test_names_of_nearly_equal_references_do_not_overlap() -> None:
    anchors = [
        _curve(label=label, is_reference=True, budgets=(), native=_mark("native", 0, score))
        for label, score in (("a", 5.0), ("b", 5.01), ("c", 5.02))
    ]
    heights = sorted(
        one["y"] for one in sweep_figure(anchors, scale_high=10)["layout"]["annotations"]
    )
    assert all(later - earlier > 0.4 for earlier, later in pairwise(heights))


def test_the_axis_is_logarithmic_and_holds_every_point() -> None:
    far = _mark("native", 2_552_000, 8.0)
    axis = sweep_figure([_curve(native=far)], scale_high=10)["layout"]["xaxis"]
    assert axis["type"] == "log"
    assert 10 ** axis["range"][0] < 10_000 < 2_552_000 < 10 ** axis["range"][1]
    assert "1M" in axis["ticktext"]


@pytest.mark.parametrize("budgets", [(10_000, 30_000), (10_000, 30_000, 50_000), (1_000, 3_000)])
def test_budgets_have_their_ticks_inside_the_axis(budgets: tuple[int, ...]) -> None:
    marks = tuple(_mark(f"{chars}", chars * 0.98, 6.0) for chars in budgets)
    axis = sweep_figure([_curve(budgets=marks, native=None)], scale_high=10)["layout"]["xaxis"]
    assert set(budgets) <= set(axis["tickvals"])
    low, high = axis["range"]
    assert all(low < math.log10(tick) < high for tick in axis["tickvals"])
    assert len(axis["tickvals"]) <= 7


def test_the_score_axis_holds_every_interval_and_stays_on_the_scale() -> None:
    low, high = sweep_figure([_curve()], scale_high=10)["layout"]["yaxis"]["range"]
    assert low <= 5.0
    assert 7.5 <= high <= 10.5


def test_no_curve_gives_an_empty_figure() -> None:
    figure = sweep_figure([], scale_high=10)
    assert figure["data"] == []
    assert all(math.isfinite(end) for end in figure["layout"]["xaxis"]["range"])


def test_a_reference_without_a_score_is_refused() -> None:
    with pytest.raises(ValueError, match="has no score"):
        sweep_figure([_curve(is_reference=True, budgets=(), native=None)], scale_high=10)


def test_a_figure_is_plain_json_with_colours_as_tokens() -> None:
    text = json.dumps(sweep_figure([_curve()], scale_high=10), allow_nan=False)
    assert '"--hue-4"' in text
    assert '"--hue-4/0.12"' in text
    assert "#" not in text
