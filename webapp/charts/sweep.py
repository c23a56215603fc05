"""The budget sweep: score against mean achieved characters on a logarithmic axis."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.charts.layout import Figure, axis, figure
from webapp.charts.style import Weight, dash_of, marker_of, style_of, weight_at

MANY_CURVES = 12
MARGIN = 0.12
"""Of the axis at either end, in powers of ten."""
MOST_TICKS = 7
TICKS = ((1, 2, 3, 5), (1, 3), (1,))


@dataclass(frozen=True, slots=True)
class SweepMark:
    """A point to draw; ``chars`` above 0."""

    track: str
    chars: float
    score: float
    ci_low: float | None
    ci_high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class SweepCurve:
    """A variant: its budgets joined by a line, its native point open and apart. Variants of one
    system and modality differ in weight.

    ``is_reference`` draws a level line at the score of its one mark, whatever its characters."""

    system: str
    label: str
    modality: str
    is_reference: bool
    budgets: tuple[SweepMark, ...]
    native: SweepMark | None


def sweep_figure(curves: Sequence[SweepCurve], *, scale_high: float) -> Figure:
    """Interval bands behind the lines; references across the whole width, named at the right."""
    opacity = 0.12 if len(curves) <= MANY_CURVES else 0.04
    bands = [_band(curve, opacity) for curve in curves if not curve.is_reference]
    weights = _weights(curves)
    lines = [
        _line(curve, weights[curve]) for curve in curves if not curve.is_reference and curve.budgets
    ]
    natives = [
        _native(curve, weights[curve])
        for curve in curves
        if not curve.is_reference and curve.native
    ]
    references = [curve for curve in curves if curve.is_reference]
    chars = [
        mark.chars
        for curve in curves
        if not curve.is_reference
        for mark in (*curve.budgets, *([curve.native] if curve.native else []))
    ]
    return figure(
        [trace for trace in bands if trace] + lines + natives,
        xaxis=axis("mean achieved characters, log scale", type="log", range=_range(chars),
                   **_ticks(chars)),
        yaxis=axis(
            f"mean score, scale 0 to {scale_high:g}", range=_score_range(curves, scale_high)
        ),
        shapes=[_level(curve) for curve in references],
        annotations=_names(references, scale_high),
    )  # fmt: skip


def _weights(curves: Sequence[SweepCurve]) -> dict[SweepCurve, Weight]:
    """By label among the curves of the same system and modality, which share all other looks."""
    counted: Counter[tuple[str, str]] = Counter()
    weights = {}
    for curve in sorted(curves, key=lambda curve: curve.label):
        look = curve.system, curve.modality
        weights[curve] = weight_at(counted[look])
        counted[look] += 1
    return weights


def _hover(curve: SweepCurve, mark: SweepMark) -> str:
    interval = (
        f"<br>{mark.ci_low:.2f} to {mark.ci_high:.2f} (95 %)"
        if mark.ci_low is not None and mark.ci_high is not None
        else "<br>no interval"
    )
    return (
        f"{curve.label} at {mark.track}<br>{mark.score:.2f}{interval}"
        f"<br>{mark.chars:,.0f} characters, n {mark.n}"
    )


def _line(curve: SweepCurve, weight: Weight) -> dict[str, Any]:
    style = style_of(curve.system)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": curve.label,
        "legendgroup": curve.label,
        "x": [mark.chars for mark in curve.budgets],
        "y": [mark.score for mark in curve.budgets],
        "text": [_hover(curve, mark) for mark in curve.budgets],
        "hoverinfo": "text",
        "line": {"color": style.color, "width": weight.line, "dash": dash_of(curve.modality)},
        "marker": {"symbol": style.marker, "size": weight.marker, "color": style.color},
    }


def _band(curve: SweepCurve, opacity: float) -> dict[str, Any] | None:
    marks = [mark for mark in curve.budgets if mark.ci_low is not None and mark.ci_high is not None]
    if len(marks) < 2:
        return None
    color = style_of(curve.system).color
    return {
        "type": "scatter",
        "mode": "lines",
        "legendgroup": curve.label,
        "showlegend": False,
        "hoverinfo": "skip",
        "x": [mark.chars for mark in marks] + [mark.chars for mark in reversed(marks)],
        "y": [mark.ci_high for mark in marks] + [mark.ci_low for mark in reversed(marks)],
        "fill": "toself",
        "fillcolor": f"{color}/{opacity}",
        "line": {"color": f"{color}/0", "width": 0},
    }


def _native(curve: SweepCurve, weight: Weight) -> dict[str, Any]:
    mark = curve.native
    if mark is None:
        raise ValueError(f"{curve.label} has no native point")
    color = style_of(curve.system).color
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "name": f"{curve.label}, native",
        "legendgroup": curve.label,
        "showlegend": not curve.budgets,
        "x": [mark.chars],
        "y": [mark.score],
        "text": [_hover(curve, mark)],
        "hoverinfo": "text",
        "marker": {
            "symbol": marker_of(curve.system, is_native=True),
            "size": weight.marker,
            "color": color,
            "line": {"width": weight.line, "color": color},
        },
    }
    if mark.ci_low is not None and mark.ci_high is not None:
        trace["error_y"] = {
            "type": "data",
            "symmetric": False,
            "array": [mark.ci_high - mark.score],
            "arrayminus": [mark.score - mark.ci_low],
            "color": color,
            "thickness": 1.2,
            "width": 4,
        }
    return trace


def _mark_of(curve: SweepCurve) -> SweepMark:
    mark = curve.native or (curve.budgets[0] if curve.budgets else None)
    if mark is None:
        raise ValueError(f"the reference {curve.label} has no score")
    return mark


def _level(curve: SweepCurve) -> dict[str, Any]:
    score = _mark_of(curve).score
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": score,
        "y1": score,
        "line": {"color": style_of(curve.system).color, "width": 1.2, "dash": "dot"},
        "layer": "below",
    }


def _names(references: Sequence[SweepCurve], scale_high: float) -> list[dict[str, Any]]:
    """One name a line, moved apart where scores nearly coincide."""
    names = []
    lowest = -math.inf
    for curve in sorted(references, key=lambda curve: _mark_of(curve).score):
        score = _mark_of(curve).score
        at = max(score, lowest + scale_high * 0.045)
        lowest = at
        names.append(
            {
                "xref": "paper",
                "x": 1,
                "xanchor": "right",
                "y": at,
                "yanchor": "bottom",
                "text": f"{curve.label} {score:.2f}",
                "showarrow": False,
                "font": {"size": 11, "color": style_of(curve.system).color},
            }
        )
    return names


def _score_range(curves: Sequence[SweepCurve], scale_high: float) -> list[float]:
    """From the whole step below everything drawn to the one above it, in tenths of the scale."""
    marks = [
        mark
        for curve in curves
        for mark in (*curve.budgets, *([curve.native] if curve.native else []))
    ]
    lows = [mark.score if mark.ci_low is None else mark.ci_low for mark in marks]
    highs = [mark.score if mark.ci_high is None else mark.ci_high for mark in marks]
    step = scale_high / 10
    low = math.floor(min(lows, default=0.0) / step) * step
    high = math.ceil(max(highs, default=scale_high) / step) * step
    return [max(0.0, low) - 0.1 * step, min(scale_high, high) + 0.2 * step]


def _range(chars: Sequence[float]) -> list[float]:
    low, high = (min(chars), max(chars)) if chars else (1_000.0, 100_000.0)
    return [math.log10(low) - MARGIN, math.log10(high) + MARGIN]


def _ticks(chars: Sequence[float]) -> dict[str, Any]:
    """Ticks at 1, 2, 3 and 5 times powers of ten, so that budgets have theirs; fewer where the
    axis is long."""
    low, high = _range(chars)
    powers = range(math.floor(low), math.ceil(high) + 1)
    for factors in TICKS:
        places = [factor * 10**power for power in powers for factor in factors]
        shown = [place for place in places if low <= math.log10(place) <= high]
        if len(shown) <= MOST_TICKS:
            break
    return {"tickvals": shown, "ticktext": [_short(place) for place in shown]}


def _short(chars: float) -> str:
    if chars >= 1_000_000:
        return f"{chars / 1_000_000:g}M"
    return f"{chars / 1_000:g}k" if chars >= 1_000 else f"{chars:g}"
