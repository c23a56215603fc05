"""Reading a budget sweep: a board a track, the lines through them, who leads and who crosses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from evaluation.protocol.tracks import NATIVE
from evaluation.queries.board import Board, BoardSpec, board_spec, kept_boards, sliced, unit_scores
from evaluation.queries.board_keys import board_keys
from evaluation.queries.choices import Flag, choices, choose
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import PROXY, PUBLISHED, WHOLE_SET
from evaluation.queries.measures import MeasureHeading, chosen_measure, measures_of
from evaluation.queries.published_board import (
    PublishedVariant,
    published_measures,
    published_variants,
)
from evaluation.queries.published_lines import (
    published_lines,
    published_tiers,
    requested_chars,
)
from evaluation.queries.question_index import check_slices, question_index
from evaluation.queries.resolutions import adopted_resolution, calibration_note
from evaluation.queries.sources import chosen_source, source_choices
from evaluation.queries.sweep import Crossover, Leader, SweepLine, SweepPage, SweepPoint
from evaluation.queries.vectors import BoardVector, at_track, board_vectors, track_order
from evaluation.statistics import crossover as crossing
from evaluation.statistics import sweep as sweeping
from evaluation.statistics.missing import is_rankable
from evaluation.statistics.refusals import StatisticUndefined

Variant = TypeVar("Variant", BoardVector, PublishedVariant)


def sweep_page(slug: str, filters: BoardFilters) -> SweepPage:
    """Every variant at every track of one comparison key and judge, for one tier or all.

    Raises NotFound for the benchmark, UnknownChoice for anything else that does not exist.
    """
    keys = board_keys(slug, protocol=filters.protocol, judge=filters.judge)
    published = published_variants(slug)
    source = chosen_source(filters.source, keys, published)
    shown_published = published if source != "measured" else ()
    measures = (
        published_measures(published)
        if source == "published" and published
        else measures_of(keys.benchmark.family)
    )
    measure = chosen_measure(measures, filters.measure)
    index = question_index(keys)
    tier_name = measure.tier_name(index.slice_names or measure.slices)
    asked = {name: value for name, value in filters.slices.items() if value}
    if index.slices:
        check_slices(index, asked)
        tiers = index.counts(tier_name)
    else:
        tiers = published_tiers(shown_published, measure.name)
    value = choose(tier_name or "filter", asked.get(tier_name, ""), [tier for tier, _ in tiers])
    measured = board_vectors(keys, measure=measure.name) if source != "published" else ()
    modalities = _modalities(measured, shown_published)
    choose("modality", filters.modality, list(modalities))
    vectors = _of_modality(measured, filters.modality)
    shown_published = _of_modality(shown_published, filters.modality)
    seed = keys.protocol.seed if keys.protocol else 0
    specs = _specs(vectors, asked, measure, tier_name, seed)
    boards = dict(zip(specs, kept_boards(list(specs.values())), strict=True))
    lines = _measured_lines(vectors, boards) + published_lines(shown_published, measure.name, value)
    leaders, crossovers, sentences = kept_standings(
        tuple((track, spec) for track, spec in specs.items() if track != NATIVE),
        value,
        _drawn(vectors),
    )
    search = filters.search.casefold()
    shown = [line for line in lines if search in f"{line.label} {line.variant}".casefold()]
    return SweepPage(
        keys=keys,
        measure=measure.name,
        scale_high=measure.scale_high,
        slice_name=tier_name,
        slice_value=value,
        lines=tuple(shown),
        leaders=leaders,
        crossovers=crossovers,
        sentences=sentences,
        notes=_notes(
            calibration_note(adopted_resolution(keys, measure=measure.name)) if vectors else None,
            bool(keys.judge and keys.judge.is_proxy),
            lines,
            is_sliced=any(filters.slices.values()),
        ),
        n_hidden_by_search=len(lines) - len(shown),
        search=filters.search,
        tiers=choices(tiers, value, any_label="all") if len(tiers) > 1 else (),
        modalities=choices(sorted(modalities.items()), filters.modality, any_label="all"),
        sources=source_choices(source, keys, published),
    )


def _modalities(
    vectors: Sequence[BoardVector], published: Sequence[PublishedVariant]
) -> Counter[str]:
    """How many variants retrieve in each way."""
    variants = {(one.modality, one.label) for one in vectors if not one.is_anchor}
    variants |= {(one.modality, one.label) for one in published if not one.is_anchor}
    return Counter(modality for modality, _ in variants)


def _of_modality(found: Sequence[Variant], modality: str) -> tuple[Variant, ...]:
    """Anchors stay whatever modality is asked for."""
    return tuple(one for one in found if not modality or one.modality == modality or one.is_anchor)


def _specs(
    vectors: Sequence[BoardVector],
    slices: Mapping[str, str],
    measure: MeasureHeading,
    tier_name: str,
    seed: int,
) -> dict[str, BoardSpec]:
    """The same specs as the leaderboard's, so that both pages keep the same boards."""
    return {
        track: board_spec(
            at_track(vectors, track),
            track=track,
            slices=slices,
            tier_name=tier_name,
            include_internal=False,
            scale_high=measure.scale_high,
            seed=seed,
        )
        for track in track_order(vector.track for vector in vectors if vector.is_applicable)
    }


def _measured_lines(vectors: Sequence[BoardVector], boards: Mapping[str, Board]) -> list[SweepLine]:
    by_variant: dict[str, list[BoardVector]] = {}
    for vector in vectors:
        by_variant.setdefault(vector.label, []).append(vector)
    lines = []
    for label, own in sorted(by_variant.items(), key=lambda item: (item[1][0].is_anchor, item[0])):
        first = own[0]
        points = [
            point
            for track in boards
            for vector in own
            if vector.track == track and (point := _point(vector, boards[track])) is not None
        ]
        if points:
            lines.append(
                SweepLine(
                    system=first.system,
                    variant=label,
                    label=label,
                    modality=first.modality,
                    is_anchor=first.is_anchor,
                    is_reference=first.is_anchor and all(point.is_native for point in points),
                    source="measured",
                    points=tuple(points),
                    flags=tuple(dict.fromkeys(flag for vector in own for flag in vector.flags)),
                )
            )
    return lines


def _point(vector: BoardVector, board: Board) -> SweepPoint | None:
    row = next((row for row in board.statistics.rows if row.variant == vector.label), None)
    if row is None or row.mean is None:
        return None
    return SweepPoint(
        track=vector.track,
        requested_chars=requested_chars(vector.track),
        mean_achieved_chars=vector.mean_achieved_chars,
        score=row.mean,
        ci_low=row.interval.low if row.interval else None,
        ci_high=row.interval.high if row.interval else None,
        n_scored=row.bounds.n_scored,
        n_total=row.bounds.n_total,
    )


def _drawn(vectors: Sequence[BoardVector]) -> tuple[tuple[tuple[int, ...], float], ...]:
    return tuple(
        sorted(
            (vector.ids, vector.mean_achieved_chars)
            for vector in vectors
            if vector.mean_achieved_chars
        )
    )


@lru_cache(maxsize=256)
def kept_standings(
    specs: tuple[tuple[str, BoardSpec], ...],
    slice_value: str,
    achieved: tuple[tuple[tuple[int, ...], float], ...],
) -> tuple[tuple[Leader, ...], tuple[Crossover, ...], tuple[str, ...]]:
    """Leaders, crossovers and what to conclude, over the ranked variants of each budget."""
    chars = dict(achieved)
    scores = unit_scores(member.ids for _, spec in specs for member in spec.members)
    points: dict[str, list[sweeping.SweepPoint]] = {}
    units: dict[str, None] = {}
    for track, spec in specs:
        for member in spec.members:
            own = sliced(scores[member.ids], spec.slices).scores
            n_scored = sum(score is not None for score in own.values())
            is_full = bool(own) and is_rankable(n_scored, len(own))
            if member.is_ranked and not member.is_internal and is_full and member.ids in chars:
                units.update(dict.fromkeys(own))
                points.setdefault(member.label, []).append(
                    sweeping.SweepPoint(track, chars[member.ids], own)
                )
    if not points:
        return (), (), ()
    lines = [sweeping.SweepLine(label, tuple(own)) for label, own in sorted(points.items())]
    seed = specs[0][1].seed
    try:
        leads = sweeping.leads(lines, units=list(units), seed=seed)
    except StatisticUndefined as refusal:
        return (), (), (str(refusal),)
    crossed = (
        crossing.crossovers(lines, units=list(units), seed=seed).pairs if len(lines) > 1 else ()
    )
    return (
        tuple(
            Leader(
                lead.track, slice_value, lead.leaders, lead.level_with, lead.behind, lead.n,
                lead.sentence,
            )
            for lead in leads
        ),
        tuple(
            Crossover(
                one.overtaker, one.overtaken, one.chars, one.low, one.high, one.n, one.sentence
            )
            for one in crossed
            if one.chars is not None
        ),
        tuple(lead.sentence for lead in leads),
    )  # fmt: skip


def _notes(
    calibration: Flag | None, is_proxy: bool, lines: Sequence[SweepLine], *, is_sliced: bool
) -> tuple[Flag, ...]:
    notes = []
    if calibration and is_sliced:
        notes.append(WHOLE_SET)
    if calibration:
        notes.append(calibration)
    if calibration and is_proxy:
        notes.append(PROXY)
    if any(line.source == "published" for line in lines):
        notes.append(PUBLISHED)
    return tuple(notes)
