"""Paired differences of two variants, one bar a question, sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.charts.layout import Figure, axis, figure
from webapp.charts.style import GREY, style_of


@dataclass(frozen=True, slots=True)
class PairedBar:
    question_id: str
    slice_value: str
    score_a: float
    score_b: float


def paired_figure(
    bars: Sequence[PairedBar],
    *,
    label_a: str,
    label_b: str,
    system_a: str,
    system_b: str,
    mean: float,
    ci_low: float | None,
    ci_high: float | None,
) -> Figure:
    """Bars above 0 are questions that A answered better, below 0 those of B; the line is the mean
    difference, the band its 95 % interval. Two variants of one system get the system's colour and
    grey, so that the sides stay apart."""
    color_a = style_of(system_a).color
    color_b = style_of(system_b).color
    if color_b == color_a:
        color_b = f"--hue-{GREY}"
    ordered = sorted(bars, key=lambda bar: (bar.score_b - bar.score_a, bar.question_id))
    deltas = [bar.score_a - bar.score_b for bar in ordered]
    shapes = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": mean, "y1": mean,
         "line": {"color": "--ink", "width": 1.5, "dash": "dash"}}
    ]  # fmt: skip
    if ci_low is not None and ci_high is not None:
        shapes.append(
            {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": ci_low, "y1": ci_high,
             "fillcolor": "--ink/0.1", "line": {"width": 0}, "layer": "below"}
        )  # fmt: skip
    return figure(
        [
            {
                "type": "bar",
                "x": [str(place) for place in range(1, len(ordered) + 1)],
                "y": deltas,
                "marker": {"color": [color_a if delta >= 0 else color_b for delta in deltas]},
                "text": [
                    f"{bar.question_id} {bar.slice_value}<br>{label_a} {bar.score_a:.2f}, "
                    f"{label_b} {bar.score_b:.2f}"
                    for bar in ordered
                ],
                "textposition": "none",
                "hoverinfo": "text",
            }
        ],
        xaxis=axis(
            "questions, sorted", showticklabels=False, showgrid=False, ticks="", type="category"
        ),
        yaxis=axis("A − B", zeroline=True),
        shapes=shapes,
        showlegend=False,
        bargap=0.15,
    )
