"""Reading one leaderboard: which rows, in which order, and what the table allows to conclude."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluation.queries.board import Board, board_spec, kept_board
from evaluation.queries.board_keys import BoardKeys, board_keys
from evaluation.queries.choices import Choice, Flag, choices, choose
from evaluation.queries.leaderboard import BoardFilters, LeaderboardPage, LeaderboardRow
from evaluation.queries.measured_board import measured_rows, separated_pairs
from evaluation.queries.measures import MeasureHeading, chosen_measure, measures_of
from evaluation.queries.published_board import (
    PublishedVariant,
    published_measures,
    published_rows,
    published_variants,
)
from evaluation.queries.question_index import (
    QuestionIndex,
    check_slices,
    question_index,
    slice_choices,
)
from evaluation.queries.resolutions import (
    Resolution,
    adopted_resolution,
    calibration_note,
    difference_notes,
)
from evaluation.queries.sources import chosen_source, source_choices
from evaluation.queries.vectors import (
    BoardVector,
    at_track,
    board_vectors,
    default_track,
    track_order,
)
from evaluation.statistics.null_line import NULL_LINES

GROUPS = ("ranked", "unranked", "anchor", "published")
PROXY = Flag(
    "proxy",
    "This judge is a proxy: it matches must-have facts, numbers and names, and does not read.",
)
PUBLISHED = Flag(
    "published",
    "Published rows are numbers printed in papers: their prompts, judge and corpus differ from "
    "those used here. They are never ranked or averaged with what was measured here, and what "
    "they cost was not printed.",
)
WHOLE_SET = Flag(
    "whole-set",
    "Scores are of the chosen questions alone; characters, costs and times are of the whole "
    "question set.",
)
ACROSS_MODALITIES = Flag(
    "across-modalities",
    "The ranked rows retrieve in different ways: compare within a modality too.",
)

_SORTS: Mapping[str, tuple[Callable[[LeaderboardRow], Any], bool]] = {
    "rank": (lambda row: row.rank, False),
    "score": (lambda row: row.score, True),
    "system": (lambda row: row.label, False),
    "modality": (lambda row: row.modality, False),
    "chars": (lambda row: row.mean_achieved_chars, False),
    "scored": (lambda row: row.n_scored, True),
    "ingest_cost": (lambda row: row.ingest_cost_usd, False),
    "ingest": (lambda row: row.ingest_seconds, False),
    "query": (lambda row: row.retrieve_ms, False),
    "cost": (lambda row: row.cost_per_question_usd, False),
}


def leaderboard_page(slug: str, filters: BoardFilters) -> LeaderboardPage:
    """One table: one comparison key, one judge, one measure, one track.

    Raises NotFound for the benchmark, UnknownChoice for anything else that does not exist.
    """
    keys = board_keys(
        slug,
        protocol=filters.protocol,
        judge=filters.judge,
        synthesizer=filters.synthesizer,
    )
    published = published_variants(slug)
    source = chosen_source(filters.source, keys, published)
    with_published = published if source != "measured" else ()
    measures = _measures(keys, published if source == "published" else ())
    measure = chosen_measure(measures, filters.measure)
    vectors = board_vectors(keys, measure=measure.name) if source != "published" else ()
    tracks = track_order(
        [vector.track for vector in vectors if vector.is_applicable]
        + [one.track for one in with_published if one.measure == measure.name]
    )
    track = choose("track", filters.track, tracks, default=default_track(tracks))
    index = question_index(keys)
    slices = _slices(index, with_published, measure, filters)
    shown = _of_modality(at_track(vectors, track), filters.modality, with_published)
    resolution = adopted_resolution(keys, measure=measure.name) if vectors else None
    board = kept_board(
        board_spec(
            shown,
            track=track,
            slices=filters.slices,
            tier_name=measure.tier_name(slices),
            include_internal=filters.internal,
            scale_high=measure.scale_high,
            seed=keys.protocol.seed if keys.protocol else 0,
            least_difference=resolution.value if resolution and filters.resolution else 0.0,
        )
    )
    rows = measured_rows(
        board, shown, is_sliced=bool(filters.slices), judge_keys=keys.judge_keys
    ) + [
        row
        for row in published_rows(
            with_published,
            track=track,
            measure=measure.name,
            slice_value=filters.slices.get(measure.tier_name(slices), ""),
        )
        if not filters.modality or row.modality == filters.modality or row.anchor
    ]
    found = [row for row in rows if filters.search.casefold() in _searched(row)]
    tiers = board.tiers or tuple(sorted({tier for row in rows for tier in row.by_tier}))
    sort, descending = _sort(filters, tiers)
    separated = separated_pairs(board, resolution)
    are_below = [pair.is_below_resolution for pair in separated]
    return LeaderboardPage(
        keys=keys,
        filters=filters,
        track=track,
        measure=measure.name,
        scale_high=measure.scale_high,
        tier_name=measure.tier_name(slices),
        tiers=tiers,
        null_lines=tuple(line for line in NULL_LINES if any(line in row.delta_to for row in rows)),
        rows=_sorted(found, sort, descending),
        sort=sort,
        descending=descending,
        n_hidden_by_search=len(rows) - len(found),
        n_ranked=board.statistics.n_ranked,
        n_questions=len(index.with_slices(filters.slices)),
        separated=separated,
        sentences=board.statistics.sentences if vectors else (),
        notes=(
            *difference_notes(resolution, are_below, is_switched=filters.resolution),
            *_notes(keys, board, rows, vectors, resolution, bool(any(filters.slices.values()))),
        ),
        measures=choices([(one.name, None) for one in measures], measure.name),
        tracks=choices(_track_counts(vectors, with_published, tracks, measure.name), track),
        modalities=choices(
            _modality_counts(at_track(vectors, track), with_published, track),
            filters.modality,
            any_label="all",
        ),
        synthesizers=_synthesizers(keys, filters.synthesizer),
        sources=source_choices(source, keys, published),
        slices=slices,
        n_internal=sum(one.synthesis == "internal" for one in shown),
        resolution=resolution,
    )


def _measures(keys: BoardKeys, published: Sequence[PublishedVariant]) -> tuple[MeasureHeading, ...]:
    return published_measures(published) if published else measures_of(keys.benchmark.family)


def _slices(
    index: QuestionIndex,
    published: Sequence[PublishedVariant],
    measure: MeasureHeading,
    filters: BoardFilters,
) -> dict[str, tuple[Choice, ...]]:
    """Filters by slice, counted in questions; published slices where no question is loaded."""
    if index.slices:
        check_slices(index, filters.slices)
        return slice_choices(index, filters.slices)
    values: dict[str, dict[str, None]] = {}
    for one in published:
        if one.measure == measure.name and one.slice_name:
            values.setdefault(one.slice_name, {}).update(dict.fromkeys(one.by_slice))
    for name, value in filters.slices.items():
        choose("filter", name, list(values))
        choose(name, value, list(values[name]))
    return {
        name: choices(
            [(value, None) for value in of], filters.slices.get(name, ""), any_label="all"
        )
        for name, of in values.items()
    }


def _of_modality(
    vectors: Sequence[BoardVector], modality: str, published: Sequence[PublishedVariant]
) -> list[BoardVector]:
    """Anchors stay whatever modality is asked for."""
    known = {one.modality for one in vectors if not one.is_anchor}
    known |= {one.modality for one in published if not one.is_anchor}
    choose("modality", modality, sorted(known))
    return [one for one in vectors if not modality or one.modality == modality or one.is_anchor]


def _track_counts(
    vectors: Sequence[BoardVector],
    published: Sequence[PublishedVariant],
    tracks: Sequence[str],
    measure: str,
) -> list[tuple[str, int | None]]:
    counted = Counter(one.track for one in vectors if one.is_applicable)
    counted.update(one.track for one in published if one.measure == measure)
    return [(track, counted[track]) for track in tracks]


def _modality_counts(
    vectors: Sequence[BoardVector], published: Sequence[PublishedVariant], track: str
) -> list[tuple[str, int | None]]:
    counted = Counter(one.modality for one in vectors if not one.is_anchor)
    counted.update(one.modality for one in published if one.track == track and not one.is_anchor)
    return sorted(counted.items())


def _synthesizers(keys: BoardKeys, active: str) -> tuple[Choice, ...]:
    counted = Counter(one.synthesizer for one in keys.protocols)
    return choices(sorted(counted.items()), active, any_label="any")


def _searched(row: LeaderboardRow) -> str:
    return f"{row.label} {row.system} {row.variant}".casefold()


def _sort(filters: BoardFilters, tiers: Sequence[str]) -> tuple[str, bool]:
    """The column and whether it goes downwards. Raises UnknownChoice."""
    name = choose("sort", filters.sort, [*_SORTS, *tiers], default="rank")
    downwards = _SORTS[name][1] if name in _SORTS else True
    return name, downwards if filters.descending is None else filters.descending


def _sorted(
    rows: Sequence[LeaderboardRow], name: str, descending: bool
) -> tuple[LeaderboardRow, ...]:
    """Within its part of the table; rows without the value last, equal ones as they came."""

    def by_tier(row: LeaderboardRow) -> Any:
        return row.by_tier.get(name)

    value = _SORTS[name][0] if name in _SORTS else by_tier
    with_value = [row for row in rows if value(row) is not None]
    ordered = sorted(with_value, key=value, reverse=descending)
    ordered += [row for row in rows if value(row) is None]
    return tuple(sorted(ordered, key=lambda row: GROUPS.index(row.group)))


def _notes(
    keys: BoardKeys,
    board: Board,
    rows: Sequence[LeaderboardRow],
    vectors: Sequence[BoardVector],
    resolution: Resolution | None,
    is_sliced: bool,
) -> tuple[Flag, ...]:
    notes = []
    if vectors and is_sliced:
        notes.append(WHOLE_SET)
    if vectors:
        notes.append(calibration_note(resolution))
        if keys.judge and keys.judge.is_proxy:
            notes.append(PROXY)
        if board.statistics.null_lines.sentence:
            notes.append(Flag("no-null-line", board.statistics.null_lines.sentence))
    if len({row.modality for row in rows if row.is_ranked}) > 1:
        notes.append(ACROSS_MODALITIES)
    if any(row.source == "published" for row in rows):
        notes.append(PUBLISHED)
    return tuple(notes)
