"""What was measured of a system: its newest row on each benchmark, track and judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaluation.models import Run, ScoreVector
from evaluation.queries.board import BoardMember, BoardSpec, kept_boards
from evaluation.queries.board_keys import HOLDOUT
from evaluation.queries.choices import Flag
from evaluation.queries.measured_board import NOT_COMPLETE
from evaluation.queries.measures import MeasureHeading, measures_of
from evaluation.queries.systems import MeasuredVariant
from evaluation.queries.vectors import track_order
from evaluation.statistics.board import BoardRow

SHOWN_MEASUREMENTS = 80
READ_VECTORS = 500


def measured_variants(slug: str) -> tuple[MeasuredVariant, ...]:
    """One row a benchmark, variant, track and judge: from its newest finished run, else from its
    newest. Scores and intervals are those of the benchmark's board; holdout questions are left
    out. At most 80 rows, out of the system's 500 newest."""
    found: dict[tuple[str, ...], ScoreVector] = {}
    for vector in _newest_vectors(slug):
        variant, run = vector.run_variant.variant, vector.run_variant.run
        if vector.measure != _main_measure(vector).name:
            continue
        place = (run.benchmark.title, run.origin, variant.label, vector.track, vector.judge.name)
        held = found.get(place)
        if held is None or (_is_complete(vector) and not _is_complete(held)):
            found[place] = vector
    order = {track: n for n, track in enumerate(track_order(place[3] for place in found))}
    places = sorted(found, key=lambda place: (*place[:3], order[place[3]], place[4]))
    shown = [found[place] for place in places[:SHOWN_MEASUREMENTS]]
    statistics = _statistics(shown)
    return tuple(_measurement(vector, statistics[vector.pk]) for vector in shown)


def _newest_vectors(slug: str) -> Iterable[ScoreVector]:
    return (
        ScoreVector.objects.filter(run_variant__variant__system=slug)
        .exclude(run_variant__run__protocol__question_set=HOLDOUT)
        .select_related(
            "run_variant__variant", "run_variant__run__benchmark", "run_variant__run__protocol",
            "judge",
        )
        .defer("values")
        .order_by("-run_variant__run__created_at", "-run_variant__run__pk", "pk")[:READ_VECTORS]
    )  # fmt: skip


def _main_measure(vector: ScoreVector) -> MeasureHeading:
    return measures_of(vector.run_variant.run.benchmark.family)[0]


def _is_complete(vector: ScoreVector) -> bool:
    run = vector.run_variant.run
    return run.finished_at is not None and run.cancelled_at is None


def _statistics(vectors: Sequence[ScoreVector]) -> Mapping[int, BoardRow]:
    """Mean and interval of each vector by its key, the rows of a protocol from the same draws."""
    of_protocol: dict[int, list[ScoreVector]] = {}
    for vector in vectors:
        of_protocol.setdefault(vector.run_variant.run.protocol_id, []).append(vector)
    boards = kept_boards([_spec(own) for own in of_protocol.values()])
    return {int(row.variant): row for board in boards for row in board.statistics.rows}


def _spec(vectors: Sequence[ScoreVector]) -> BoardSpec:
    """Nothing is ranked: rows of several tracks and judges are read one by one."""
    first = vectors[0]
    members = tuple(
        BoardMember(
            ids=(vector.pk,),
            updated_at=vector.updated_at,
            label=str(vector.pk),
            slug="",
            is_ranked=False,
            is_internal=False,
        )
        for vector in vectors
    )
    return BoardSpec(
        members=members,
        slices=(),
        tier_name="",
        include_internal=False,
        scale_high=_main_measure(first).scale_high,
        seed=first.run_variant.run.protocol.parts.get("seed", 0),
    )


def _measurement(vector: ScoreVector, statistic: BoardRow) -> MeasuredVariant:
    variant, run = vector.run_variant.variant, vector.run_variant.run
    measure, interval = _main_measure(vector), statistic.interval
    flags = [Flag(code, sentence) for code, sentence in vector.flags]
    return MeasuredVariant(
        benchmark=run.benchmark.slug,
        benchmark_title=run.benchmark.title,
        label=variant.label,
        modality=variant.modality,
        run=run.public_id,
        is_imported=run.origin == Run.IMPORTED,
        protocol=run.protocol.key[:12],
        question_set=run.protocol.question_set,
        track=vector.track,
        measure=measure.name,
        scale_high=measure.scale_high,
        score=statistic.mean,
        ci_low=interval.low if interval else None,
        ci_high=interval.high if interval else None,
        n_scored=vector.n_scored,
        n_total=vector.n_cells - vector.n_not_applicable,
        mean_achieved_chars=vector.mean_achieved_chars,
        judge=vector.judge.name,
        ingest_cost_usd=vector.ingest_cost_usd,
        ingest_seconds=vector.ingest_seconds,
        retrieve_ms=vector.retrieve_ms_median,
        flags=tuple(flags if _is_complete(vector) else [*flags, NOT_COMPLETE]),
    )
