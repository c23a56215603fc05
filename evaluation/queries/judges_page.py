"""Reading what two or more judges say of the same answers."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from django.db.models import Case, IntegerField, Value, When

from evaluation.models import Answer, Judgment, Question, Run
from evaluation.queries.board_keys import MEAN_OF_JUDGES, BoardKeys, JudgeChoice, board_keys
from evaluation.queries.choices import choose
from evaluation.queries.judges import GRID, SHOWN_DISTINCT, JudgePair, JudgesPage, PointCount
from evaluation.queries.kept import Kept
from evaluation.queries.measures import MeasureHeading, measures_of
from evaluation.queries.vectors import BoardVector, board_vectors, track_order
from evaluation.statistics.calibration.disagreement import disagreement_table
from evaluation.statistics.calibration.judge_cells import JudgeCells
from evaluation.statistics.calibration.judges import compare_judges
from evaluation.statistics.calibration.pairs import Integers, Reals
from evaluation.statistics.refusals import StatisticUndefined

BATCH = 20_000
NO_TIER = "no tier"
ELSEWHERE = -1
_ANSWER = [
    ("answer", np.int64),
    ("run_variant", np.int64),
    ("track", np.int64),
    ("question", np.int64),
]
_SCORE = [("answer", np.int64), ("composite", np.float64)]


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
    """One row a cell that either judge has scored, in four queries."""
    tracks = track_order(vector.track for vector in vectors)
    labels = sorted({vector.label for vector in vectors})
    modalities = sorted({vector.modality for vector in vectors})
    rows, first, second = _read(vectors, tracks, judge_keys)
    tier_of, tiers = _tiers(keys, measure)
    return JudgeCells(
        systems=tuple(labels),
        tracks=tuple(tracks),
        modalities=tuple(modalities),
        tiers=tiers,
        system=_codes(vectors, labels, "label", rows["run_variant"]),
        track=rows["track"],
        modality=_codes(vectors, modalities, "modality", rows["run_variant"]),
        tier=tier_of(rows["question"]),
        question=rows["question"],
        first=first,
        second=second,
    )


def _read(
    vectors: Sequence[BoardVector], tracks: Sequence[str], judge_keys: tuple[str, str]
) -> Any:
    """Rows of _ROW. Answers and scores are read from indexes alone, one after the other, and put
    together here: joined in the database a million scores are looked up one by one."""
    at_track = [When(cell__track=name, then=Value(place)) for place, name in enumerate(tracks)]
    answers = _columns(
        Answer.objects.filter(cell__run_variant__in={one.run_variant_id for one in vectors})
        .order_by()
        .values_list(
            "pk",
            "cell__run_variant",
            Case(*at_track, default=Value(ELSEWHERE), output_field=IntegerField()),
            "cell__question",
        ),
        _ANSWER,
    )
    n_ids = max((vector.run_variant_id for vector in vectors), default=0) + 1
    is_placed = np.zeros((n_ids, len(tracks) + 1), dtype=np.bool_)  # the last one: elsewhere
    for vector in vectors:
        is_placed[vector.run_variant_id, tracks.index(vector.track)] = True
    answers = answers[is_placed[answers["run_variant"], answers["track"]]]
    answers = answers[np.argsort(answers["answer"])]
    first, second = (_scores(key, answers["answer"]) for key in judge_keys)
    is_scored = ~(np.isnan(first) & np.isnan(second))
    return answers[is_scored], first[is_scored], second[is_scored]


def _scores(judge_key: str, answers: Integers) -> Reals:
    """What the judge gave each of the answers, whose ids rise; NaN where nothing."""
    given = np.full(len(answers), np.nan)
    if not len(answers):
        return given
    lowest, highest = int(answers[0]), int(answers[-1])
    scores = _columns(
        Judgment.objects.filter(
            judge__key=judge_key, answer__gte=lowest, answer__lte=highest, composite__isnull=False
        )
        .order_by()
        .values_list("answer", "composite"),
        _SCORE,
    )
    places = np.searchsorted(answers, scores["answer"])
    is_asked = answers[places] == scores["answer"]
    given[places[is_asked]] = scores["composite"][is_asked]
    return given


def _columns(rows: Any, columns: Any) -> Any:
    """Rows of the database as an array with named columns, without an object a row."""
    return np.fromiter(rows.iterator(chunk_size=BATCH), dtype=columns)


def _tiers(
    keys: BoardKeys, measure: MeasureHeading
) -> tuple[Callable[[Integers], Integers], tuple[str, ...]]:
    """Questions to the codes of their tiers, and the tiers' names."""
    name = measure.slices[0] if measure.slices else ""
    stored = Question.objects.filter(benchmark=keys.benchmark_id).order_by("pk")
    rows = [
        (question, " ".join(slices.get(name, ())) or NO_TIER)
        for question, slices in stored.values_list("pk", "slices")
    ]
    names = sorted({tier for _, tier in rows})
    questions = np.array([question for question, _ in rows], dtype=np.int64)
    codes = np.array([names.index(tier) for _, tier in rows], dtype=np.int64)
    return lambda asked: codes[np.searchsorted(questions, asked)], tuple(names)


def _codes(
    vectors: Sequence[BoardVector], names: Sequence[str], field: str, run_variants: Integers
) -> Integers:
    """The place among ``names`` of what each run variant is called."""
    named = {vector.run_variant_id: names.index(getattr(vector, field)) for vector in vectors}
    ids = sorted(named)
    codes = np.array([named[pk] for pk in ids], dtype=np.int64)
    return codes[np.searchsorted(np.array(ids, dtype=np.int64), run_variants)]


def _points(cells: JudgeCells) -> tuple[tuple[PointCount, ...], bool]:
    """Shared cells by their two scores, in hundredths, or on a grid where they are many."""
    shared = cells.is_shared
    scores = np.stack([cells.first[shared], cells.second[shared]])
    places, n = _counted(np.rint(scores * 100) / 100)
    is_binned = len(n) > SHOWN_DISTINCT
    if is_binned:
        places, n = _counted(np.rint(scores * GRID) / GRID)
    points = zip(*places.tolist(), n.tolist(), strict=True)
    return tuple(PointCount(x, y, count) for x, y, count in points), is_binned


def _counted(scores: Reals) -> tuple[Reals, Integers]:
    """The distinct columns of two rows of scores, rising, and how often each is there."""
    places, n = np.unique(scores[0] + 1j * scores[1], return_counts=True)
    return np.stack([places.real, places.imag]), n


def _runs(keys: BoardKeys) -> tuple[str, ...]:
    if keys.protocol is None:
        return ()
    complete = Run.objects.filter(
        protocol__key=keys.protocol.key, finished_at__isnull=False, cancelled_at=None
    )
    return tuple(complete.newest_first().values_list("public_id", flat=True)[:5])
