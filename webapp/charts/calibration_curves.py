"""Two curves of a calibration: overall agreement over the tie tolerance, and the judge's
resolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.charts.layout import Figure, axis, figure

WEIGHTED, PLAIN = "--hue-1", "--hue-2"


@dataclass(frozen=True, slots=True)
class TolerancePoint:
    """At tolerance ``tau`` (points): the weighted agreement with its bounds, and the unweighted;
    all from 0 to 1."""

    tau: float
    weighted: float
    low: float
    high: float
    unweighted: float


@dataclass(frozen=True, slots=True)
class ResolutionStep:
    """From ``gap`` (points) up to the next step the fitted agreement is ``fitted`` (0–1); the
    pairs at the gap itself are ``n``, of which ``n_agree`` agree."""

    gap: float
    fitted: float
    n: int
    n_agree: int


def tolerance_figure(
    points: Sequence[TolerancePoint], *, best_tau: float, is_weighted: bool
) -> Figure:
    """The band is Wilson's interval of the weighted curve; the upright line is τ*. Where all pairs
    weigh alike (not ``is_weighted``) there is one curve."""
    taus = [point.tau for point in points]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "showlegend": False,
            "hoverinfo": "skip",
            "x": taus + taus[::-1],
            "y": [point.high for point in points] + [point.low for point in reversed(points)],
            "fill": "toself",
            "fillcolor": f"{WEIGHTED}/0.15",
            "line": {"color": f"{WEIGHTED}/0", "width": 0},
        },
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": "weighted by 1 / inclusion probability" if is_weighted else "all pairs alike",
            "x": taus,
            "y": [point.weighted for point in points],
            "text": [
                f"τ = {point.tau:g}: {point.weighted:.1%}<br>{point.low:.1%} to {point.high:.1%}"
                for point in points
            ],
            "hoverinfo": "text",
            "line": {"color": WEIGHTED, "width": 2},
            "marker": {"symbol": "circle", "size": 5, "color": WEIGHTED},
        },
    ]
    if is_weighted:
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": "unweighted",
                "x": taus,
                "y": [point.unweighted for point in points],
                "text": [
                    f"τ = {point.tau:g}: {point.unweighted:.1%}, unweighted" for point in points
                ],
                "hoverinfo": "text",
                "line": {"color": PLAIN, "width": 1.6, "dash": "dot"},
            }
        )
    return figure(
        traces,
        xaxis=axis("tie tolerance τ, points", rangemode="tozero"),
        yaxis=axis("overall agreement", tickformat=".0%", range=[0, 1.02]),
        shapes=[_upright(best_tau, "--ink", "dash")],
        annotations=[_name(best_tau, f"τ* = {best_tau:g}")],
        showlegend=is_weighted,
    )


def resolution_figure(
    steps: Sequence[ResolutionStep],
    *,
    level: float,
    value: float | None,
    low: float | None,
    high: float | None,
) -> Figure:
    """The monotone curve as steps, the level to reach, and where it is reached; the band is the
    interval of that place, open to the right where ``high`` is None beside a ``low``."""
    last = max(step.gap for step in steps)
    end = last + 0.05 * max(last, 1.0)
    shapes: list[dict[str, Any]] = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": level, "y1": level,
         "line": {"color": "--rule-strong", "width": 1.2, "dash": "dash"}, "layer": "below"}
    ]  # fmt: skip
    if low is not None:
        shapes.append(
            {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "x0": low,
             "x1": end if high is None else high, "fillcolor": f"{PLAIN}/0.14",
             "line": {"width": 0}, "layer": "below"}
        )  # fmt: skip
    names = []
    if value is not None:
        shapes.append(_upright(value, PLAIN, "solid"))
        names.append(_name(value, f"{value:g} points"))
    return figure(
        [
            {
                "type": "scatter",
                "mode": "lines",
                "name": "monotone curve",
                "x": [*(step.gap for step in steps), end],
                "y": [*(step.fitted for step in steps), steps[-1].fitted],
                "hoverinfo": "skip",
                "line": {"color": WEIGHTED, "width": 2.2, "shape": "hv"},
            },
            {
                "type": "scatter",
                "mode": "markers",
                "name": "pairs at that gap",
                "x": [step.gap for step in steps],
                "y": [step.n_agree / step.n for step in steps],
                "text": [
                    f"gap {step.gap:g}: {step.n_agree} of {step.n} agree<br>curve {step.fitted:.0%}"
                    for step in steps
                ],
                "hoverinfo": "text",
                "marker": {
                    "symbol": "circle-open",
                    "size": [5 + 3 * min(step.n, 40) ** 0.5 for step in steps],
                    "color": "--muted",
                },
            },
        ],
        xaxis=axis("size of the judge's gap, points", rangemode="tozero"),
        yaxis=axis("decisive agreement", tickformat=".0%", range=[-0.05, 1.08]),
        shapes=shapes,
        annotations=names,
    )


def _upright(x: float, color: str, dash: str) -> dict[str, Any]:
    return {
        "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x,
        "line": {"color": color, "width": 1.4, "dash": dash},
    }  # fmt: skip


def _name(x: float, text: str) -> dict[str, Any]:
    return {
        "x": x, "yref": "paper", "y": 1, "xanchor": "left", "yanchor": "top", "xshift": 4,
        "text": text, "showarrow": False, "font": {"size": 12, "color": "--ink"},
    }  # fmt: skip
