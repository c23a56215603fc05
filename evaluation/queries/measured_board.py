"""Measured rows of a leaderboard, from one board's statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluation.models import Cell, Judgment
from evaluation.queries.board import Board, SliceMean
from evaluation.queries.choices import Flag
from evaluation.queries.leaderboard import LeaderboardRow, NullLineDelta, SeparatedPair
from evaluation.queries.resolutions import Resolution
from evaluation.queries.vectors import BoardVector
from evaluation.statistics.board import BoardRow
from evaluation.statistics.simultaneous import Contrast

NOT_COMPLETE = Flag("not-complete", "its run has not finished: more cells are to come")


def measured_rows(
    board: Board,
    vectors: Sequence[BoardVector],
    *,
    is_sliced: bool,
    judge_keys: Sequence[str],
) -> list[LeaderboardRow]:
    """Ranked rows first, by mean downwards; then the others by name."""
    by_label = {vector.label: vector for vector in vectors}
    states = _missing_states(board, vectors, judge_keys) if is_sliced else {}
    rows = [
        _row(board, statistic, by_label, states.get(statistic.variant))
        for statistic in board.statistics.rows
    ]
    return rows + [_not_applicable(vector) for vector in vectors if not vector.is_applicable]


def separated_pairs(board: Board, resolution: Resolution | None) -> tuple[SeparatedPair, ...]:
    labels = [row.variant for row in board.statistics.rows]
    pairs = [
        _pair(contrast, labels) for contrast in board.statistics.contrasts if contrast.is_separated
    ]
    if resolution is not None:
        pairs = [replace(pair, is_below_resolution=pair.delta < resolution.value) for pair in pairs]
    return tuple(sorted(pairs, key=lambda pair: (-pair.delta, pair.better, pair.worse)))


def _pair(contrast: Contrast, labels: Sequence[str]) -> SeparatedPair:
    if contrast.delta > 0:
        return SeparatedPair(
            labels[contrast.a],
            labels[contrast.b],
            contrast.delta,
            contrast.simultaneous_low,
            contrast.simultaneous_high,
        )
    return SeparatedPair(
        labels[contrast.b],
        labels[contrast.a],
        -contrast.delta,
        -contrast.simultaneous_high,
        -contrast.simultaneous_low,
    )


def _row(
    board: Board,
    statistic: BoardRow,
    by_label: Mapping[str, BoardVector],
    missing: Counter[str] | None,
) -> LeaderboardRow:
    vector = by_label[statistic.variant]
    bounds = statistic.bounds
    tiers: Mapping[str, SliceMean] = board.by_tier[vector.label]
    has_missing = bounds.n_scored < bounds.n_total
    if missing is None:
        n_scored, n_total = vector.n_scored, vector.n_cells - vector.n_not_applicable
        missing = Counter(
            unscored=vector.n_unscored, errored=vector.n_errored, pending=vector.n_pending
        )
    else:
        n_scored, n_total = bounds.n_scored, bounds.n_total
    return _plain_row(
        vector,
        rank=statistic.rank.best if statistic.rank else None,
        rank_band=statistic.rank.band if statistic.rank else "",
        score=statistic.mean,
        ci_low=statistic.interval.low if statistic.interval else None,
        ci_high=statistic.interval.high if statistic.interval else None,
        by_tier={tier: mean.mean for tier, mean in tiers.items()},
        n_by_tier={tier: mean.n for tier, mean in tiers.items()},
        n_scored=n_scored,
        n_unscored=missing["unscored"],
        n_errored=missing["errored"],
        n_pending=missing["pending"],
        n_total=n_total,
        score_if_missing_lowest=bounds.low if has_missing else None,
        score_if_missing_highest=bounds.high if has_missing else None,
        deltas=_deltas(board, vector, by_label),
        unranked_reason="" if vector.is_anchor else statistic.unranked_because,
    )


def _not_applicable(vector: BoardVector) -> LeaderboardRow:
    return _plain_row(
        vector,
        n_total=vector.n_cells,
        unranked_reason="not applicable here: it has no context that a budget could limit",
    )


def _plain_row(
    vector: BoardVector,
    *,
    rank: int | None = None,
    rank_band: str = "",
    score: float | None = None,
    ci_low: float | None = None,
    ci_high: float | None = None,
    by_tier: Mapping[str, float | None] | None = None,
    n_by_tier: Mapping[str, int] | None = None,
    n_scored: int = 0,
    n_unscored: int = 0,
    n_errored: int = 0,
    n_pending: int = 0,
    n_total: int,
    score_if_missing_lowest: float | None = None,
    score_if_missing_highest: float | None = None,
    deltas: tuple[NullLineDelta, ...] = (),
    unranked_reason: str,
) -> LeaderboardRow:
    n_answered = vector.n_scored + vector.n_unscored
    costs = (vector.ingest_cost_usd, vector.answer_cost_usd, vector.judge_cost_usd)
    return LeaderboardRow(
        rank=rank,
        rank_band=rank_band,
        anchor=vector.is_anchor,
        system=vector.system,
        slug=vector.slug,
        variant=vector.label,
        label=vector.label,
        variant_key=vector.variant_key,
        modality=vector.modality,
        synthesis=vector.synthesis,
        embedder=vector.embedder,
        track=vector.track,
        score=score,
        ci_low=ci_low,
        ci_high=ci_high,
        by_tier=by_tier or {},
        n_by_tier=n_by_tier or {},
        mean_achieved_chars=vector.mean_achieved_chars,
        mean_requested_chars=vector.mean_requested_chars,
        n_scored=n_scored,
        n_unscored=n_unscored,
        n_errored=n_errored,
        n_pending=n_pending,
        n_total=n_total,
        score_if_missing_lowest=score_if_missing_lowest,
        score_if_missing_highest=score_if_missing_highest,
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        cost_per_question_usd=(
            vector.answer_cost_usd / n_answered
            if vector.answer_cost_usd is not None and n_answered
            else None
        ),
        ingest_cost_usd=vector.ingest_cost_usd,
        ingest_seconds=vector.ingest_seconds,
        retrieve_ms=vector.retrieve_ms,
        deltas=deltas,
        flags=vector.flags if vector.is_complete else (*vector.flags, NOT_COMPLETE),
        unranked_reason=unranked_reason,
        source="measured",
        run=vector.run,
        place="",
    )


def _deltas(
    board: Board, vector: BoardVector, by_label: Mapping[str, BoardVector]
) -> tuple[NullLineDelta, ...]:
    """One a null line: against the row with this row's own embedder where there is such a row."""
    found: dict[str, NullLineDelta] = {}
    for one in board.statistics.null_lines.deltas:
        if one.variant != vector.label or one.delta is None:
            continue
        line = by_label[one.null_line]
        if line.slug not in found or line.embedder == vector.embedder:
            found[line.slug] = NullLineDelta(
                line=line.slug,
                null_line=one.null_line,
                delta=one.delta.estimate,
                ci_low=one.delta.low,
                ci_high=one.delta.high,
                n=one.delta.n,
            )
    return tuple(found.values())


def _missing_states(
    board: Board, vectors: Sequence[BoardVector], judge_keys: Sequence[str]
) -> dict[str, Counter[str]]:
    """Why the units of a slice have no score: label → how many are unscored, errored, pending.
    Units that are not questions count as unscored."""
    wanted = {vector.label: vector for vector in vectors if board.missing.get(vector.label)}
    states = {vector.label: Counter[str]() for vector in vectors if vector.is_applicable}
    if not wanted:
        return states
    of_run_variant = {(one.run_variant_id, one.track): label for label, one in wanted.items()}
    cells = list(
        Cell.objects.filter(
            run_variant__in={one.run_variant_id for one in wanted.values()},
            question__question_id__in={unit for label in wanted for unit in board.missing[label]},
        ).values_list("pk", "run_variant", "track", "question__question_id", "errored_at")
    )
    judged = set(
        Judgment.objects.filter(
            answer__cell__in=[cell[0] for cell in cells], judge__key__in=judge_keys
        ).values_list("answer__cell", flat=True)
    )
    found: dict[str, dict[str, str]] = {label: {} for label in wanted}
    for pk, run_variant, track, question_id, errored_at in cells:
        label = of_run_variant.get((run_variant, track), "")
        if label and question_id in board.missing[label] and pk not in judged:
            found[label][question_id] = "errored" if errored_at else "pending"
    for label in wanted:
        states[label] = Counter(found[label].get(unit, "unscored") for unit in board.missing[label])
    return states
