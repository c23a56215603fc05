"""The scatter of two judges and the map of their disagreement."""

from __future__ import annotations

import pytest

from webapp.charts.calibration_judges import (
    HeatCell,
    ScatterPoint,
    disagreement_figure,
    scatter_figure,
)

POINTS = [ScatterPoint(5.0, 4.5, 1), ScatterPoint(8.0, 7.0, 25)]
CELLS = [
    HeatCell("10k dense", "L1", 0.5, -0.5, 12),
    HeatCell("10k dense", "L3", 1.0, -1.0, 8),
    HeatCell("30k dense", "L1", 0.0, 0.0, 12),
]


def test_a_marker_grows_with_its_cells() -> None:
    cells = scatter_figure(POINTS, first="a", second="b", slope=None, intercept=None)["data"][0]
    assert cells["marker"]["size"][0] < cells["marker"]["size"][1]
    assert cells["text"][0].endswith("1 cell")
    assert cells["text"][1].endswith("25 cells")


def test_without_a_line_only_that_of_equal_scores_is_drawn() -> None:
    drawn = scatter_figure(POINTS, first="a", second="b", slope=None, intercept=None)["data"]
    assert [trace["name"] for trace in drawn] == ["cells", "equal scores"]


@pytest.mark.parametrize(
    ("slope", "intercept", "ends"),
    [(1.0, -1.0, [1.0, 10.0]), (0.97, -0.2, [0.2 / 0.97, 10.0]), (0.0, 5.0, [0.0, 10.0]),
     (-1.0, 10.0, [0.0, 10.0]), (2.0, 0.0, [0.0, 5.0])],
)  # fmt: skip
def test_the_line_stays_inside_both_scales(
    slope: float, intercept: float, ends: list[float]
) -> None:
    line = scatter_figure(POINTS, first="a", second="b", slope=slope, intercept=intercept)["data"][
        -1
    ]
    assert line["x"] == pytest.approx(ends)
    assert all(-1e-9 <= y <= 10.0 + 1e-9 for y in line["y"])


def test_the_map_has_a_field_for_each_combination_that_exists() -> None:
    drawn = disagreement_figure(CELLS)
    assert drawn["data"][0]["text"] == ["0.50", "1.00", "0.00"]
    assert drawn["layout"]["xaxis"]["ticktext"] == ["L1", "L3"]
    assert drawn["layout"]["yaxis"]["ticktext"] == ["10k dense", "30k dense"]
    assert len(drawn["layout"]["shapes"]) == 3


def test_the_strongest_field_is_where_they_disagree_most() -> None:
    opacities = [
        float(shape["fillcolor"].partition("/")[2])
        for shape in disagreement_figure(CELLS)["layout"]["shapes"]
    ]
    assert max(opacities) == opacities[1] <= 0.6
    assert all(opacity > 0 for opacity in opacities)


def test_judges_that_agree_everywhere_have_a_pale_map() -> None:
    (shape,) = disagreement_figure([HeatCell("10k", "L1", 0.0, 0.0, 3)])["layout"]["shapes"]
    assert shape["fillcolor"] == "--hue-5/0.06"
