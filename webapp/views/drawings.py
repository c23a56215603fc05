"""Rows of pages as the inputs of charts, and the tables that stand beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation.queries.compare import ComparePage
from evaluation.queries.sweep import SweepLine, SweepPage, SweepPoint
from evaluation.queries.vectors import track_order
from evaluation.statistics.missing import is_rankable
from webapp.charts.layout import Figure
from webapp.charts.paired import PairedBar, paired_figure
from webapp.charts.sweep import SweepCurve, SweepMark, sweep_figure

LEAST_SCALE = 0.5


def sweep_chart(page: SweepPage) -> Figure:
    mixed = len({line.source for line in page.lines}) > 1
    curves = [curve for line in page.lines if (curve := _curve(line, mixed)) is not None]
    return sweep_figure(curves, scale_high=page.scale_high)


def undrawn_points(page: SweepPage) -> list[tuple[SweepLine, SweepPoint]]:
    """Measured points with too few of their questions scored: their mean is that of other
    questions than their neighbours', so no line may join them."""
    return [
        (line, point) for line in page.lines for point in line.points if not _is_drawn(line, point)
    ]


def sweep_table(
    page: SweepPage,
) -> tuple[list[str], list[tuple[SweepLine, list[SweepPoint | None]]]]:
    """Tracks in order, and each line with its point (or None) at each of them."""
    tracks = track_order(point.track for line in page.lines for point in line.points)
    table = []
    for line in page.lines:
        by_track = {point.track: point for point in line.points}
        table.append((line, [by_track.get(track) for track in tracks]))
    return tracks, table


def compare_chart(page: ComparePage) -> Figure | None:
    if page.a is None or page.b is None or page.overall is None or page.overall.delta is None:
        return None
    return paired_figure(
        [
            PairedBar(row.question_id, " ".join(row.tiers), row.score_a, row.score_b)
            for row in page.differences
        ],
        label_a=page.a.label,
        label_b=page.b.label,
        system_a=page.a.system,
        system_b=page.b.system,
        mean=page.overall.delta,
        ci_low=page.overall.ci_low,
        ci_high=page.overall.ci_high,
    )


def difference_scale(
    intervals: Iterable[tuple[float | None, float | None]],
) -> tuple[float, float]:
    """A scale around 0 that holds every interval, so that whiskers of one table compare."""
    ends = [abs(end) for interval in intervals for end in interval if end is not None]
    reach = max([LEAST_SCALE, *ends])
    return -reach, reach


def _curve(line: SweepLine, mixed: bool) -> SweepCurve | None:
    """None where no point has characters to be drawn at. In a ``mixed`` figure published lines
    say that they are."""
    points = [point for point in line.points if _is_drawn(line, point)]
    native = next((point for point in points if point.is_native), None)
    budgets = [point for point in points if not point.is_native]
    drawn = [point for point in budgets if point.mean_achieved_chars]
    if line.is_reference:
        reference = native or (budgets[0] if budgets else None)
        return _made(line, mixed, [], reference) if reference else None
    if native is not None and not native.mean_achieved_chars:
        native = None
    return _made(line, mixed, drawn, native) if drawn or native else None


def _is_drawn(line: SweepLine, point: SweepPoint) -> bool:
    return line.source == "published" or is_rankable(point.n_scored, point.n_total)


def _made(
    line: SweepLine, mixed: bool, budgets: Sequence[SweepPoint], native: SweepPoint | None
) -> SweepCurve:
    return SweepCurve(
        system=line.system,
        label=f"{line.label}, published" if mixed and line.source == "published" else line.label,
        modality=line.modality,
        is_reference=line.is_reference,
        budgets=tuple(_mark(point) for point in budgets),
        native=_mark(native) if native else None,
    )


def _mark(point: SweepPoint) -> SweepMark:
    return SweepMark(
        track=point.track,
        chars=point.mean_achieved_chars or 0.0,
        score=point.score,
        ci_low=point.ci_low,
        ci_high=point.ci_high,
        n=point.n_scored,
    )
