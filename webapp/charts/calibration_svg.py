"""The three figures of a calibration report: agreement by gap, over the tolerance, and the curve
that the resolution is read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.charts.svg import AGREE, ALIKE, DISAGREE, INK, QUIET, TIED, Axis, Drawing, rate_axis

Row = Mapping[str, Any]
LEFT, RIGHT, TOP, BOTTOM = 64.0, 620.0, 24.0, 250.0
WIDTH, HEIGHT = 640, 320


def buckets_svg(buckets: Sequence[Row]) -> str:
    """Pairs a bucket of |gap|, stacked by agree, disagree, scored alike and tie, with the rate of
    agreement among decisive pairs and its interval written above."""
    drawing = Drawing(WIDTH, HEIGHT, "Pairs by the judge's score gap and what the voters said")
    most = max((bucket["n_pairs"] for bucket in buckets), default=0) or 1
    axis = Axis(0, most, BOTTOM, TOP + 34)
    step = (RIGHT - LEFT) / max(len(buckets), 1)
    drawing.line(LEFT, BOTTOM, RIGHT, BOTTOM, QUIET)
    for place, bucket in enumerate(buckets):
        x, width = LEFT + step * (place + 0.2), step * 0.6
        below = 0.0
        for name, color in (
            ("n_agree", AGREE),
            ("n_disagree", DISAGREE),
            ("n_gap_zero", ALIKE),
            ("n_tie", TIED),
        ):
            n = bucket[name]
            if n:
                drawing.bar(
                    x, axis.at(below + n), width, axis.at(below) - axis.at(below + n), color
                )
            below += n
        middle = x + width / 2
        rate = bucket["rate"]
        words = f"{rate['rate']:.0%} [{rate['low']:.0%}, {rate['high']:.0%}]" if rate else "no rate"
        drawing.text(middle, axis.at(below) - 20, words)
        drawing.text(
            middle, axis.at(below) - 6, f"{bucket['n_agree']}/{bucket['n_decisive']}", color=QUIET
        )
        drawing.text(middle, BOTTOM + 18, f"gap {bucket['label']}")
        drawing.text(middle, BOTTOM + 34, f"n = {bucket['n_pairs']}", color=QUIET, size=11)
    _legend(
        drawing,
        (
            ("judge agrees", AGREE),
            ("judge disagrees", DISAGREE),
            ("judge scores alike", ALIKE),
            ("voters tie", TIED),
        ),
    )
    return drawing.svg()


def tolerance_svg(points: Sequence[Row], best: Row) -> str:
    """Overall agreement over the tie tolerance with its interval; the best one is marked."""
    drawing = Drawing(WIDTH, HEIGHT, "Overall agreement over the tie tolerance")
    taus = [point["tau_hundredths"] / 100 for point in points]
    across = Axis(taus[0], taus[-1], LEFT, RIGHT)
    rates = Axis(0.0, 1.0, BOTTOM, TOP)
    rate_axis(drawing, LEFT, RIGHT, rates)
    shown = [point["weighted"] for point in points]
    xs = [across.at(tau) for tau in taus]
    drawing.band(
        [(x, rates.at(one["low"])) for x, one in zip(xs, shown, strict=True)],
        [(x, rates.at(one["high"])) for x, one in zip(xs, shown, strict=True)],
        AGREE,
    )
    drawing.path([(x, rates.at(one["rate"])) for x, one in zip(xs, shown, strict=True)], AGREE)
    tau, rate = best["tau_hundredths"] / 100, best["weighted"]["rate"]
    drawing.dot(across.at(tau), rates.at(rate), INK)
    beside, anchor = (-8, "end") if across.at(tau) > (LEFT + RIGHT) / 2 else (8, "start")
    words = f"τ* = {tau:g}: {rate:.0%}"
    drawing.text(across.at(tau) + beside, rates.at(rate) - 10, words, anchor=anchor)
    for tau in range(int(taus[-1]) + 1):
        drawing.text(across.at(tau), BOTTOM + 18, f"{tau}", color=QUIET)
    drawing.text((LEFT + RIGHT) / 2, BOTTOM + 38, "tie tolerance τ, points")
    return drawing.svg()


def resolution_svg(found: Row) -> str:
    """The monotone curve of decisive agreement on |gap|, and where it reaches the level."""
    drawing = Drawing(WIDTH, HEIGHT, "Decisive agreement over the judge's score gap")
    curve = found["curve"]
    gaps = [point["gap_hundredths"] / 100 for point in curve]
    across = Axis(0.0, max(gaps[-1], 1.0), LEFT, RIGHT)
    rates = Axis(0.0, 1.0, BOTTOM, TOP)
    rate_axis(drawing, LEFT, RIGHT, rates)
    steps: list[tuple[float, float]] = []
    for gap, point in zip(gaps, curve, strict=True):
        if steps:
            steps.append((across.at(gap), steps[-1][1]))
        steps.append((across.at(gap), rates.at(point["fitted"])))
    level = rates.at(found["agreement"])
    drawing.line(LEFT, level, RIGHT, level, QUIET, 1.0, "5 4")
    drawing.path(steps, AGREE)
    if found["gap_hundredths"] is not None:
        x = across.at(found["gap_hundredths"] / 100)
        drawing.line(x, BOTTOM, x, level, INK, 1.5)
        drawing.dot(x, level, INK)
        words = f"resolution {found['gap_hundredths'] / 100:g}"
        drawing.text(min(x + 8, RIGHT - 90), level - 8, words, anchor="start")
    for gap in range(int(across.high) + 1):
        drawing.text(across.at(gap), BOTTOM + 18, f"{gap}", color=QUIET)
    drawing.text((LEFT + RIGHT) / 2, BOTTOM + 38, "score gap of the judge, points")
    return drawing.svg()


def _legend(drawing: Drawing, names: Sequence[tuple[str, str]]) -> None:
    x = LEFT
    for name, color in names:
        drawing.bar(x, HEIGHT - 18, 11, 11, color)
        drawing.text(x + 16, HEIGHT - 8, name, anchor="start", color=QUIET)
        x += 140
