"""The figure of paired differences."""

from __future__ import annotations

from typing import Any

from webapp.charts.paired import PairedBar, paired_figure

BARS = [
    PairedBar("q1", "L1", 5.0, 7.0),
    PairedBar("q2", "L2", 9.0, 3.0),
    PairedBar("q3", "L1", 4.0, 4.0),
]


def _figure(**change: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "label_a": "mem0", "label_b": "bm25", "system_a": "mem0", "system_b": "bm25",
        "mean": 1.33, "ci_low": -1.0, "ci_high": 3.0, **change,
    }  # fmt: skip
    return paired_figure(BARS, **given)


def test_bars_are_sorted_from_as_advantage_to_bs() -> None:
    bars = _figure()["data"][0]
    assert bars["y"] == [6.0, 0.0, -2.0]
    assert bars["text"][0].startswith("q2 L2")


def test_each_side_has_its_systems_colour() -> None:
    assert _figure()["data"][0]["marker"]["color"] == ["--hue-4", "--hue-4", "--hue-2"]


def test_two_variants_of_one_system_stay_apart() -> None:
    colors = _figure(system_b="mem0")["data"][0]["marker"]["color"]
    assert colors == ["--hue-4", "--hue-4", "--hue-0"]


def test_the_mean_is_a_line_and_its_interval_a_band() -> None:
    line, band = _figure()["layout"]["shapes"]
    assert (line["y0"], band["y0"], band["y1"]) == (1.33, -1.0, 3.0)


def test_without_an_interval_there_is_no_band() -> None:
    assert len(_figure(ci_low=None, ci_high=None)["layout"]["shapes"]) == 1
