"""Reading what two or more judges say of the same answers."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from evaluation.models import Judgment, Question, Run
from evaluation.queries.board_keys import MEAN_OF_JUDGES, BoardKeys, JudgeChoice, board_keys
from evaluation.queries.choices import choose
from evaluation.queries.judges import GRID, SHOWN_DISTINCT, JudgePair, JudgesPage, PointCount
from evaluation.queries.kept import Kept
from evaluation.queries.measures import MeasureHeading, measures_of
from evaluation.queries.vectors import BoardVector, board_vectors, track_order
from evaluation.statistics.calibration.disagreement import disagreement_table
from evaluation.statistics.calibration.judge_cells import JudgeCells
from evaluation.statistics.calibration.judges import compare_judges
from evaluation.statistics.calibration.pairs import Integers
from evaluation.statistics.refusals import StatisticUndefined

BATCH = 20_000
NO_TIER = "no tier"
Read = tuple[int, str, int, float | None, float | None]


@dataclass(frozen=True, slots=True)
class _PairKey:
    """What fixes a pair's numbers: the vectors of both judges with their times of change."""

    judges: tuple[str, str]
    vectors: tuple[tuple[int, ...], ...]
    updated_at: tuple[dt.datetime, ...]
    seed: int


kept_pairs: Kept[_PairKey, JudgePair] = Kept(64)


def judges_page(slug: str, *, protocol: str = "", first: str = "", second: str = "") -> JudgesPage:
    """Every two judges of one comparison key, from the best run of each variant and track.

    ``first`` and ``second`` choose the pair that is looked at closely, the first two by default.
    Only figures over many cells come out, and points without a name. Raises NotFound for the
    benchmark, UnknownChoice for anything else that does not exist.
    """
    keys = board_keys(slug, protocol=protocol)
    judges = _named_apart([judge for judge in keys.judges if judge.key != MEAN_OF_JUDGES])
    names = tuple(judge.name for judge in judges)
    chosen_first = choose("first", first, names, default=names[0] if names else "")
    others = [name for name in names if name != chosen_first]
    chosen_second = choose("second", second, others, default=others[0] if others else "")
    measure = measures_of(keys.benchmark.family)[0]
    pairs = tuple(_pair(keys, measure, one, other) for one, other in _ordered(judges, chosen_first))
    return JudgesPage(
        keys=keys,
        names=names,
        pairs=pairs,
        shown=next((pair for pair in pairs if pair.second == chosen_second), None)
        if chosen_second
        else None,
        runs=_runs(keys),
        tier_name=measure.slices[0] if measure.slices else "",
    )


def _named_apart(judges: Sequence[JudgeChoice]) -> tuple[JudgeChoice, ...]:
    """Judges that share a name, such as one under two prompts, get their keys behind it."""
    n_named = Counter(judge.name for judge in judges)
    return tuple(
        replace(judge, name=f"{judge.name}#{judge.key[:6]}") if n_named[judge.name] > 1 else judge
        for judge in judges
    )


def _ordered(
    judges: Sequence[JudgeChoice], first: str
) -> Iterable[tuple[JudgeChoice, JudgeChoice]]:
    """Every two, the chosen first judge's pairs before the others'."""
    leading = sorted(judges, key=lambda judge: judge.name != first)
    return combinations(leading, 2)


def _pair(
    keys: BoardKeys, measure: MeasureHeading, first: JudgeChoice, second: JudgeChoice
) -> JudgePair:
    both = replace(keys, judges=(first, second), judge=replace(first, key=MEAN_OF_JUDGES))
    vectors = board_vectors(both, measure=measure.name)
    key = _PairKey(
        (first.key, second.key),
        tuple(vector.ids for vector in vectors),
        tuple(vector.updated_at for vector in vectors),
        keys.protocol.seed if keys.protocol else 0,
    )
    held = kept_pairs.get(key)
    if held is not None:
        return held
    cells = _cells(keys, measure, vectors, (first.key, second.key))
    try:
        comparison = compare_judges(cells, rng=np.random.default_rng([key.seed, 8]))
    except StatisticUndefined as refusal:
        pair = JudgePair(first.name, second.name, None, (), (), False, str(refusal))
    else:
        points, is_binned = _points(cells)
        pair = JudgePair(
            first.name, second.name, comparison, disagreement_table(cells), points, is_binned
        )
    return kept_pairs.put(key, pair)


def _cells(
    keys: BoardKeys,
    measure: MeasureHeading,
    vectors: Sequence[BoardVector],
    judge_keys: tuple[str, str],
) -> JudgeCells:
    """One row a cell that either judge has graded, in two queries."""
    placed = {(vector.run_variant_id, vector.track): vector for vector in vectors}
    rows = [row for row in _read(vectors, judge_keys) if (row[0], row[1]) in placed]
    of = [placed[row[0], row[1]] for row in rows]
    tiers = _tiers(keys, measure)
    labels = sorted({vector.label for vector in of})
    tracks = track_order(vector.track for vector in of)
    modalities = sorted({vector.modality for vector in of})
    tier_of = [tiers.get(row[2], NO_TIER) for row in rows]
    tier_names = sorted(set(tier_of))
    first, second = (
        np.array([np.nan if row[at] is None else row[at] for row in rows], dtype=np.float64)
        for at in (3, 4)
    )
    return JudgeCells(
        systems=tuple(labels),
        tracks=tuple(tracks),
        modalities=tuple(modalities),
        tiers=tuple(tier_names),
        system=_codes([vector.label for vector in of], labels),
        track=_codes([vector.track for vector in of], tracks),
        modality=_codes([vector.modality for vector in of], modalities),
        tier=_codes(tier_of, tier_names),
        question=np.array([row[2] for row in rows], dtype=np.int64),
        first=first,
        second=second,
    )


def _read(vectors: Sequence[BoardVector], judge_keys: tuple[str, str]) -> list[Read]:
    """(run variant, track, question, first's score, second's score) of each graded cell."""
    graded = (
        Judgment.objects.filter(
            answer__cell__run_variant__in={vector.run_variant_id for vector in vectors},
            judge__key__in=judge_keys,
        )
        .order_by("pk")
        .values_list(
            "answer__cell", "answer__cell__run_variant", "answer__cell__track",
            "answer__cell__question", "judge__key", "composite",
        )
    )  # fmt: skip
    cells: dict[int, Read] = {}
    for cell, run_variant, track, question, judge, score in graded.iterator(chunk_size=BATCH):
        _, _, _, first, second = cells.get(cell, (0, "", 0, None, None))
        if judge == judge_keys[0]:
            first = score
        else:
            second = score
        cells[cell] = (run_variant, track, int(question), first, second)
    return [cells[cell] for cell in sorted(cells)]


def _tiers(keys: BoardKeys, measure: MeasureHeading) -> Mapping[int, str]:
    name = measure.slices[0] if measure.slices else ""
    rows = Question.objects.filter(benchmark=keys.benchmark_id).order_by("position", "pk")
    return {
        question: " ".join(slices.get(name, ())) or NO_TIER
        for question, slices in rows.values_list("pk", "slices")
    }


def _codes(values: Sequence[str], names: Sequence[str]) -> Integers:
    places = {name: place for place, name in enumerate(names)}
    return np.array([places[value] for value in values], dtype=np.int64)


def _points(cells: JudgeCells) -> tuple[tuple[PointCount, ...], bool]:
    """Shared cells by their two scores, in hundredths, or on a grid where they are many."""
    shared = cells.is_shared
    x, y = (np.round(scores[shared], 2) for scores in (cells.first, cells.second))
    counted = Counter(zip(x.tolist(), y.tolist(), strict=True))
    is_binned = len(counted) > SHOWN_DISTINCT
    if is_binned:
        grid = (np.round(scores * GRID) / GRID for scores in (x, y))
        counted = Counter(zip(*(one.tolist() for one in grid), strict=True))
    return tuple(PointCount(*place, n) for place, n in sorted(counted.items())), is_binned


def _runs(keys: BoardKeys) -> tuple[str, ...]:
    if keys.protocol is None:
        return ()
    complete = Run.objects.filter(
        protocol__key=keys.protocol.key, finished_at__isnull=False, cancelled_at=None
    )
    return tuple(complete.newest_first().values_list("public_id", flat=True)[:5])
