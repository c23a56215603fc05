"""Published scores as the lines of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.protocol.tracks import UnknownTrack, parse_track
from evaluation.queries.choices import Flag
from evaluation.queries.published_board import PublishedVariant
from evaluation.queries.sweep import SweepLine, SweepPoint
from evaluation.queries.vectors import track_order


def requested_chars(track: str) -> int | None:
    """None for native and for names that cannot be read."""
    try:
        return parse_track(track).requested_chars
    except UnknownTrack:
        return None


def published_tiers(
    published: Sequence[PublishedVariant], measure: str
) -> list[tuple[str, int | None]]:
    values = {value for one in published if one.measure == measure for value in one.by_slice}
    return [(value, None) for value in sorted(values)]


def published_lines(
    published: Sequence[PublishedVariant], measure: str, slice_value: str
) -> list[SweepLine]:
    """A line a system and table; an anchor is a level line at its native score."""
    groups: dict[tuple[str, ...], list[PublishedVariant]] = {}
    for one in published:
        if one.measure == measure:
            place = (one.slug, one.label, one.modality, one.place, one.judge)
            groups.setdefault(place, []).append(one)
    lines = []
    for own in groups.values():
        by_track = {one.track: one for one in own}
        points = [_point(by_track[track], slice_value) for track in track_order(by_track)]
        kept = [point for point in points if point is not None]
        first = own[0]
        if kept:
            reference = first.is_anchor and any(point.is_native for point in kept)
            lines.append(
                SweepLine(
                    system=first.system,
                    variant=first.slug,
                    label=first.label,
                    modality=first.modality,
                    is_anchor=first.is_anchor,
                    is_reference=reference,
                    source="published",
                    points=tuple(kept),
                    flags=(Flag("note", first.note),) if first.note else (),
                )
            )
    return sorted(lines, key=lambda line: (line.is_anchor, line.label, line.modality))


def _point(one: PublishedVariant, slice_value: str) -> SweepPoint | None:
    score = one.by_slice.get(slice_value) if slice_value else one.score
    if score is None:
        return None
    n = (one.n_by_slice.get(slice_value) if slice_value else one.n_questions) or 0
    return SweepPoint(
        track=one.track,
        requested_chars=requested_chars(one.track),
        mean_achieved_chars=one.mean_chars,
        score=score,
        ci_low=None,
        ci_high=None,
        n_scored=n,
        n_total=n,
    )
