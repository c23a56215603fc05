"""The curves over the tie tolerance and of the resolution."""

from __future__ import annotations

from typing import Any

from webapp.charts.calibration_curves import (
    ResolutionStep,
    TolerancePoint,
    resolution_figure,
    tolerance_figure,
)

POINTS = [TolerancePoint(0.0, 0.63, 0.54, 0.72, 0.6), TolerancePoint(0.1, 0.7, 0.6, 0.8, 0.65)]
STEPS = [ResolutionStep(0.5, 0.4, 10, 4), ResolutionStep(3.0, 1.0, 5, 5)]


def resolved(**change: Any) -> dict[str, Any]:
    return resolution_figure(
        STEPS, **{"level": 0.75, "value": 3.0, "low": 1.5, "high": 4.0, **change}
    )


def test_both_curves_are_drawn_only_where_weights_differ() -> None:
    weighted = tolerance_figure(POINTS, best_tau=0.1, is_weighted=True)
    assert [trace.get("name") for trace in weighted["data"]] == [
        None, "weighted by 1 / inclusion probability", "unweighted",
    ]  # fmt: skip
    alike = tolerance_figure(POINTS, best_tau=0.1, is_weighted=False)
    assert [trace.get("name") for trace in alike["data"]] == [None, "all pairs alike"]


def test_the_band_goes_up_the_bounds_and_back() -> None:
    band = tolerance_figure(POINTS, best_tau=0.1, is_weighted=True)["data"][0]
    assert band["y"] == [0.72, 0.8, 0.6, 0.54]


def test_the_best_tolerance_is_marked_and_named() -> None:
    layout = tolerance_figure(POINTS, best_tau=0.1, is_weighted=True)["layout"]
    assert layout["shapes"][0]["x0"] == 0.1
    assert layout["annotations"][0]["text"] == "τ* = 0.1"


def test_the_resolution_has_its_level_band_and_line() -> None:
    level, band, line = resolved()["layout"]["shapes"]
    assert (level["y0"], band["x0"], band["x1"], line["x0"]) == (0.75, 1.5, 4.0, 3.0)


def test_an_open_interval_ends_with_the_plot() -> None:
    _, band, _ = resolved(high=None)["layout"]["shapes"]
    assert band["x1"] == 3.15


def test_what_is_not_reached_has_neither_line_nor_name() -> None:
    layout = resolved(value=None, low=None, high=None)["layout"]
    assert len(layout["shapes"]) == 1
    assert layout["annotations"] == []


def test_the_last_step_goes_on_to_the_end() -> None:
    curve = resolved()["data"][0]
    assert (curve["x"], curve["y"]) == ([0.5, 3.0, 3.15], [0.4, 1.0, 1.0])
