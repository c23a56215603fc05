"""Reading all contrasts of a board, and the router's headroom over its ranked variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from evaluation.models import PublishedContrast
from evaluation.queries.board import (
    Board,
    BoardSpec,
    board_spec,
    kept_board,
    sliced,
    unit_scores,
)
from evaluation.queries.board_keys import board_keys
from evaluation.queries.choices import choices, choose
from evaluation.queries.contrasts import ContrastRow, ContrastsPage, RouterHeadroom
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import PUBLISHED
from evaluation.queries.measures import chosen_measure, measures_of
from evaluation.queries.published_board import plain_system
from evaluation.queries.question_index import check_slices, question_index, slice_choices
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
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.router import router_headroom
from evaluation.statistics.score_table import score_table


def contrasts_page(slug: str, filters: BoardFilters) -> ContrastsPage:
    """The contrasts of the leaderboard with the same filters.

    Raises NotFound for the benchmark, UnknownChoice for anything else that does not exist.
    """
    keys = board_keys(slug, protocol=filters.protocol, judge=filters.judge)
    printed = list(
        PublishedContrast.objects.filter(benchmark__slug=slug).order_by("position", "pk")
    )
    source = chosen_source(filters.source, keys, printed)
    printed = printed if source != "measured" else []
    measure = chosen_measure(measures_of(keys.benchmark.family), filters.measure)
    vectors = board_vectors(keys, measure=measure.name) if source != "published" else ()
    tracks = track_order(
        [one.track for one in vectors if one.is_applicable] + [one.track for one in printed]
    )
    track = choose("track", filters.track, tracks, default=default_track(tracks))
    index = question_index(keys)
    check_slices(index, filters.slices)
    here = at_track(vectors, track)
    modalities = Counter(one.modality for one in here if not one.is_anchor)
    choose("modality", filters.modality, sorted(modalities))
    shown = [
        one
        for one in here
        if not filters.modality or one.modality == filters.modality or one.is_anchor
    ]
    resolution = adopted_resolution(keys, measure=measure.name) if vectors else None
    spec = board_spec(
        shown,
        track=track,
        slices=filters.slices,
        tier_name=measure.tier_name(index.slice_names),
        include_internal=filters.internal,
        scale_high=measure.scale_high,
        seed=keys.protocol.seed if keys.protocol else 0,
        least_difference=resolution.value if resolution and filters.resolution else 0.0,
    )
    board = kept_board(spec)
    measured = _measured(board, shown, resolution)
    are_below = [row.is_below_resolution for row in measured if row.is_separated]
    rows = measured + [_published(one) for one in printed if one.track == track]
    return ContrastsPage(
        keys=keys,
        track=track,
        scale_high=measure.scale_high,
        rows=tuple(rows),
        n_separated=sum(row.is_separated for row in rows),
        router=kept_router(spec) if vectors else None,
        sentences=board.statistics.sentences if vectors else (),
        notes=(
            *difference_notes(resolution, are_below, is_switched=filters.resolution),
            *(calibration_note(resolution),) * bool(vectors),
            *(PUBLISHED,) * bool(printed),
        ),
        tracks=choices([(name, None) for name in tracks], track),
        modalities=choices(sorted(modalities.items()), filters.modality, any_label="all"),
        slices=slice_choices(index, filters.slices),
        sources=source_choices(source, keys, printed),
    )


def _measured(
    board: Board, vectors: Sequence[BoardVector], resolution: Resolution | None
) -> list[ContrastRow]:
    """In table order: the first row against all below it, then the second …"""
    by_label = {vector.label: vector for vector in vectors}
    labels = [row.variant for row in board.statistics.rows]
    return [
        ContrastRow(
            a=labels[one.a],
            a_system=by_label[labels[one.a]].system,
            b=labels[one.b],
            b_system=by_label[labels[one.b]].system,
            delta=one.delta,
            ci_low=one.low,
            ci_high=one.high,
            family_low=one.simultaneous_low,
            family_high=one.simultaneous_high,
            n=one.n,
            is_separated=one.is_separated,
            crosses_modality=by_label[labels[one.a]].modality != by_label[labels[one.b]].modality,
            is_below_resolution=resolution is not None and abs(one.delta) < resolution.value,
        )
        for one in board.statistics.contrasts
    ]


def _published(one: PublishedContrast) -> ContrastRow:
    """A paper's interval stands alone: it was not adjusted for its table."""
    return ContrastRow(
        a=one.a,
        a_system=plain_system(one.a),
        b=one.b,
        b_system=plain_system(one.b),
        delta=one.delta,
        ci_low=one.ci_low,
        ci_high=one.ci_high,
        family_low=None,
        family_high=None,
        n=one.n,
        is_separated=one.ci_low > 0 or one.ci_high < 0,
        crosses_modality=False,
        source="published",
    )


@lru_cache(maxsize=256)
def kept_router(spec: BoardSpec) -> RouterHeadroom:
    """Oracle and tier router over the ranked variants of the board."""
    ranked = [member for member in spec.members if member.is_ranked]
    scores = unit_scores(member.ids for member in ranked)
    own = [sliced(scores[member.ids], spec.slices) for member in ranked]
    units = sorted({unit for one in own for unit in one.scores})
    slices = {unit: of for one in own for unit, of in one.slices.items()}
    tiers = [" ".join(slices[unit].get(spec.tier_name, ())) or "none" for unit in units]
    try:
        found = router_headroom(
            score_table([one.scores for one in own], units),
            tiers,
            rng=np.random.default_rng(spec.seed),
        )
    except StatisticUndefined as refusal:
        return RouterHeadroom(0, "", None, None, None, None, None, None, None, str(refusal))
    return RouterHeadroom(
        n=found.n,
        best_single=", ".join(ranked[row].label for row in found.best_systems),
        best_single_score=found.best_single.estimate,
        oracle_score=found.oracle.estimate,
        oracle_gain=found.oracle_gain.estimate,
        router_score=found.tier_router.estimate,
        router_gain=found.tier_gain.estimate,
        router_gain_low=found.tier_gain.low,
        router_gain_high=found.tier_gain.high,
        refusal="",
    )
