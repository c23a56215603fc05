"""Two judges on the same cells: a scatter of their scores, and a map of where they disagree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.charts.layout import Figure, axis, figure

HEAT = "--hue-5"
SMALLEST_SCALE = 0.01


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """``n`` cells that the first judge scored ``x`` and the second ``y``, 0 to 10."""

    x: float
    y: float
    n: int


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Mean |second − first| in points, and the signed mean, over ``n`` cells of a row and a
    column."""

    row: str
    column: str
    mean_absolute: float
    mean_signed: float
    n: int


def scatter_figure(
    points: Sequence[ScatterPoint],
    *,
    first: str,
    second: str,
    slope: float | None,
    intercept: float | None,
) -> Figure:
    """The area of a marker grows with its cells. Dotted: equal scores; solid: least squares."""
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "cells",
            "x": [point.x for point in points],
            "y": [point.y for point in points],
            "text": [
                f"{first} {point.x:g}<br>{second} {point.y:g}<br>"
                f"{point.n} cell{'' if point.n == 1 else 's'}"
                for point in points
            ],
            "hoverinfo": "text",
            "marker": {
                "symbol": "circle",
                "size": [_size(point.n) for point in points],
                "color": "--hue-1/0.55",
                "line": {"width": 0.5, "color": "--paper"},
            },
        },
        _line("equal scores", 1.0, 0.0, "--muted", "dot"),
    ]
    if slope is not None and intercept is not None:
        traces.append(_line("least squares", slope, intercept, "--hue-2", "solid"))
    return figure(
        traces,
        xaxis=axis(first, range=[-0.3, 10.3]),
        yaxis=axis(second, range=[-0.3, 10.3]),
    )


def disagreement_figure(cells: Sequence[HeatCell]) -> Figure:
    """Rows and columns in the order in which they first appear; an empty field has no shared
    cell. Fields are drawn as shapes: a heat map of Plotly sets inline styles, which the policy of
    pages refuses."""
    rows = list(dict.fromkeys(cell.row for cell in cells))
    columns = list(dict.fromkeys(cell.column for cell in cells))
    most = max(max(cell.mean_absolute for cell in cells), SMALLEST_SCALE)
    placed = [(columns.index(cell.column), rows.index(cell.row), cell) for cell in cells]
    return figure(
        [
            {
                "type": "scatter",
                "mode": "text",
                "x": [x for x, _, _ in placed],
                "y": [y for _, y, _ in placed],
                "text": [f"{cell.mean_absolute:.2f}" for _, _, cell in placed],
                "hovertext": [
                    f"{cell.row}, {cell.column}<br>mean |difference| {cell.mean_absolute:.2f}"
                    f"<br>mean difference {cell.mean_signed:+.2f}<br>n {cell.n}"
                    for _, _, cell in placed
                ],
                "hoverinfo": "text",
                "showlegend": False,
            }
        ],
        xaxis=axis(
            "", tickvals=list(range(len(columns))), ticktext=columns, showgrid=False,
            zeroline=False, side="top", range=[-0.5, len(columns) - 0.5],
        ),
        yaxis=axis(
            "", tickvals=list(range(len(rows))), ticktext=rows, showgrid=False, zeroline=False,
            range=[len(rows) - 0.5, -0.5],
        ),
        shapes=[
            {
                "type": "rect", "x0": x - 0.48, "x1": x + 0.48, "y0": y - 0.47, "y1": y + 0.47,
                "fillcolor": f"{HEAT}/{_opacity(cell.mean_absolute / most)}",
                "line": {"width": 0}, "layer": "below",
            }
            for x, y, cell in placed
        ],
    )  # fmt: skip


def _opacity(share: float) -> float:
    """Weak enough that the figure on it stays readable."""
    return round(0.06 + 0.5 * share, 3)


def _size(n: int) -> float:
    return 5.0 + 3.0 * math.sqrt(min(n, 100) - 1)


def _line(name: str, slope: float, intercept: float, color: str, dash: str) -> dict[str, Any]:
    """Only where it lies inside the scale of both judges."""
    ends = sorted(_inside(slope, intercept))
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": ends,
        "y": [slope * x + intercept for x in ends],
        "hoverinfo": "skip",
        "line": {"color": color, "width": 1.6, "dash": dash},
    }


def _inside(slope: float, intercept: float) -> tuple[float, float]:
    if slope == 0.0:
        return 0.0, 10.0
    crossings = sorted(((0.0 - intercept) / slope, (10.0 - intercept) / slope))
    return max(0.0, crossings[0]), min(10.0, crossings[1])
