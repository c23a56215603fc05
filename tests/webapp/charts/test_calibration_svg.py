from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from webapp.charts.calibration_svg import buckets_svg, resolution_svg, tolerance_svg
from webapp.charts.svg import Axis, Drawing

SVG = "{http://www.w3.org/2000/svg}"


def bucket(**changed: Any) -> dict[str, Any]:
    made = {
        "label": "0–2", "n_pairs": 10, "n_decisive": 8, "n_agree": 6, "n_disagree": 1,
        "n_gap_zero": 1, "n_tie": 2,
        "rate": {"rate": 0.75, "low": 0.41, "high": 0.93},
    }  # fmt: skip
    return {**made, **changed}


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def words(svg: str) -> list[str]:
    return [one.text or "" for one in drawn(svg).iter(f"{SVG}text")]


def heights(svg: str) -> list[float]:
    return [float(one.attrib["height"]) for one in drawn(svg).iter(f"{SVG}rect")]


def test_an_axis_maps_its_ends_onto_pixels_and_a_single_value_onto_the_middle() -> None:
    assert [Axis(0, 4, 250, 50).at(value) for value in (0, 1, 4)] == [250, 200, 50]
    assert Axis(3, 3, 0, 100).at(3) == 50


def test_text_is_data_and_never_markup() -> None:
    drawing = Drawing(10, 10, "a <b> & c")
    drawing.text(1, 1, "<script>")
    assert words(drawing.svg()) == ["<script>"]
    assert drawn(drawing.svg()).attrib["aria-label"] == "a <b> & c"


def test_bars_are_as_high_as_their_counts() -> None:
    agree, disagree, alike, tie, *_ = heights(buckets_svg([bucket()]))
    assert (agree / alike, disagree / alike, tie / alike) == pytest.approx(
        (6.0, 1.0, 2.0), rel=0.02
    )


def test_a_bucket_says_its_rate_its_interval_and_its_counts() -> None:
    said = words(buckets_svg([bucket()]))
    assert {"75% [41%, 93%]", "6/8", "gap 0–2", "n = 10"} <= set(said)


def test_a_bucket_without_a_decisive_pair_says_that_it_has_no_rate() -> None:
    empty = bucket(
        n_pairs=0, n_decisive=0, n_agree=0, n_disagree=0, n_gap_zero=0, n_tie=0, rate=None
    )
    assert "no rate" in words(buckets_svg([empty]))


def test_the_best_tolerance_is_marked_on_the_curve() -> None:
    rates = {0: 0.5, 100: 0.8, 200: 0.7}
    points = [
        {"tau_hundredths": tau, "weighted": {"rate": rate, "low": rate - 0.1, "high": rate + 0.1}}
        for tau, rate in rates.items()
    ]
    svg = tolerance_svg(points, points[1])
    assert "τ* = 1: 80%" in words(svg)
    assert len(list(drawn(svg).iter(f"{SVG}circle"))) == 1


def test_a_resolution_that_is_not_reached_has_a_curve_and_no_mark() -> None:
    curve = [{"gap_hundredths": 50, "fitted": 0.4}, {"gap_hundredths": 300, "fitted": 0.6}]
    found = {"curve": curve, "agreement": 0.75, "gap_hundredths": None}
    assert not list(drawn(resolution_svg(found)).iter(f"{SVG}circle"))
    reached = resolution_svg({**found, "agreement": 0.6, "gap_hundredths": 300})
    assert "resolution 3" in words(reached)
