"""Decisive agreement by the size of the judge's gap: stacked counts, and rates with whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.charts.layout import Figure, axis, figure


@dataclass(frozen=True, slots=True)
class AgreementBar:
    """One bucket of gaps. ``rate`` and its bounds, from 0 to 1, are None without a decisive
    pair."""

    label: str
    n_agree: int
    n_disagree: int
    n_gap_zero: int
    n_tie: int
    rate: float | None
    low: float | None
    high: float | None

    @property
    def n_decisive(self) -> int:
        return self.n_agree + self.n_disagree + self.n_gap_zero


@dataclass(frozen=True, slots=True)
class _Segment:
    """What a part of a bar counts, its colour, and the pattern that tells it without colour."""

    field: str
    name: str
    color: str
    pattern: str


_SEGMENTS = (
    _Segment("n_agree", "the judge agrees", "--hue-3", ""),
    _Segment("n_disagree", "the judge disagrees", "--hue-2", "/"),
    _Segment("n_gap_zero", "the judge has a gap of 0", "--hue-5", "x"),
    _Segment("n_tie", "the voters are tied", "--hue-0", "."),
)


def agreement_figure(bars: Sequence[AgreementBar], *, level: float) -> Figure:
    """Above, the share of decisive pairs with Wilson's whiskers and a line at the ``level`` asked
    for; below, what the pairs of each bucket are."""
    labels = [f"{bar.label} points" for bar in bars]
    counts = [_counts(bars, labels, segment) for segment in _SEGMENTS]
    drawn = figure(
        [_rates(bars, labels), *[trace for trace in counts if any(trace["y"])]],
        xaxis=axis("size of the judge's gap", type="category", anchor="y", showgrid=False),
        yaxis=axis("pairs", domain=[0.0, 0.44], rangemode="tozero"),
        yaxis2=axis(
            "decisive agreement", domain=[0.54, 1.0], range=[-0.04, 1.08], tickformat=".0%"
        ),
        barmode="stack",
        bargap=0.45,
        shapes=[_level(level)],
    )
    drawn["layout"]["legend"]["traceorder"] = "normal"
    return drawn


def _counts(
    bars: Sequence[AgreementBar], labels: Sequence[str], segment: _Segment
) -> dict[str, Any]:
    counts = [getattr(bar, segment.field) for bar in bars]
    return {
        "type": "bar",
        "name": segment.name,
        "x": list(labels),
        "y": counts,
        "text": [str(count) if count else "" for count in counts],
        "textposition": "inside",
        "textangle": 0,
        "insidetextfont": {"color": "--paper"},
        "hoverinfo": "text",
        "hovertext": [
            f"{label}: {count} pairs, {segment.name}"
            for label, count in zip(labels, counts, strict=True)
        ],
        "marker": {
            "color": segment.color,
            "pattern": {
                "shape": segment.pattern,
                "fillmode": "overlay",
                "fgcolor": "--paper",
                "size": 7,
                "solidity": 0.12,
            },
        },
    }


def _rates(bars: Sequence[AgreementBar], labels: Sequence[str]) -> dict[str, Any]:
    drawn = [
        (label, bar, bar.rate, bar.low, bar.high)
        for label, bar in zip(labels, bars, strict=True)
        if bar.rate is not None and bar.low is not None and bar.high is not None
    ]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": "decisive agreement",
        "showlegend": False,
        "yaxis": "y2",
        "x": [label for label, *_ in drawn],
        "y": [rate for _, _, rate, _, _ in drawn],
        "text": [f"  {bar.n_agree}/{bar.n_decisive}" for _, bar, *_ in drawn],
        "textposition": "middle right",
        "cliponaxis": False,
        "hoverinfo": "text",
        "hovertext": [
            f"{label}: {rate:.0%}<br>{low:.0%} to {high:.0%} (Wilson, 95 %)<br>"
            f"{bar.n_agree} of {bar.n_decisive} decisive pairs"
            for label, bar, rate, low, high in drawn
        ],
        "marker": {"symbol": "circle", "size": 9, "color": "--ink"},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [high - rate for _, _, rate, _, high in drawn],
            "arrayminus": [rate - low for _, _, rate, low, _ in drawn],
            "color": "--ink",
            "thickness": 1.4,
            "width": 6,
        },
    }


def _level(level: float) -> dict[str, Any]:
    return {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y2", "y0": level, "y1": level,
        "line": {"color": "--rule-strong", "width": 1, "dash": "dash"}, "layer": "below",
    }  # fmt: skip
