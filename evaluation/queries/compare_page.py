"""Reading two variants against each other on the questions both have scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from evaluation.models import Question
from evaluation.queries.board import UnitScores, unit_scores
from evaluation.queries.board_keys import BoardKeys, board_keys
from evaluation.queries.choices import Choice, choose
from evaluation.queries.compare import (
    ComparedVariant,
    ComparePage,
    PairedDifference,
    SliceTally,
)
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.measures import chosen_measure, measures_of
from evaluation.queries.vectors import (
    BoardVector,
    at_track,
    board_vectors,
    default_track,
    track_order,
)
from evaluation.statistics.bootstrap import FEWEST_UNITS, paired_difference

NOTHING_MEASURED = "No variant of this benchmark has been measured and judged."
ONE_MEASURED = "Only one variant has been measured at this track; a comparison needs two."
SAME = "A and B are the same variant: choose two."
NO_COMMON = "The two have no scored question in common at this track."


def compare_page(slug: str, filters: BoardFilters, *, a: str = "", b: str = "") -> ComparePage:
    """``a`` and ``b`` are labels, or bare slugs (simple-rag) that only one variant here has; by
    default the first two of the track by name.

    Raises NotFound for the benchmark, UnknownChoice for anything else that does not exist.
    """
    keys = board_keys(slug, protocol=filters.protocol, judge=filters.judge)
    measure = chosen_measure(measures_of(keys.benchmark.family), filters.measure)
    vectors = board_vectors(keys, measure=measure.name)
    tracks = track_order(one.track for one in vectors if one.is_applicable)
    track = choose("track", filters.track, tracks, default=default_track(tracks))
    here = {
        one.label: one
        for one in sorted(at_track(vectors, track), key=lambda one: (one.is_anchor, one.label))
        if one.is_applicable
    }
    labels = list(here)
    a, b = _full_label(a, labels), _full_label(b, labels)
    first = choose("a", a, labels, default=labels[0] if labels else "")
    others = [label for label in labels if label != first]
    second = choose("b", b, labels, default=others[0] if others else "")
    read = _read(here.get(first), here.get(second))
    refusal = _refusal(labels, first, second, read)
    tallies: tuple[SliceTally, ...] = ()
    if not refusal:
        seed = keys.protocol.seed if keys.protocol else 0
        tallies = kept_tallies(
            here[first].ids, here[second].ids, here[first].updated_at.isoformat(),
            here[second].updated_at.isoformat(), seed,
        )  # fmt: skip
    return ComparePage(
        keys=keys,
        track=track,
        scale_high=measure.scale_high,
        tier_name=measure.tier_name(
            {name for one in read for of in one.slices.values() for name in of}
        ),
        a=_variant(here.get(first), read[0]) if first else None,
        b=_variant(here.get(second), read[1]) if second else None,
        overall=tallies[0] if tallies else None,
        tallies=tallies[1:],
        differences=_differences(keys, read, measure.slices) if not refusal else (),
        finding=_finding(tallies[0], first, second) if tallies else "",
        refusal=refusal,
        tracks=tuple(Choice(name, name, None, name == track) for name in tracks),
        variants_a=tuple(Choice(label, label, None, label == first) for label in labels),
        variants_b=tuple(Choice(label, label, None, label == second) for label in labels),
    )


def _full_label(name: str, labels: Sequence[str]) -> str:
    """The label that a bare slug stands for, where it stands for one; else the name as it is."""
    meant = [label for label in labels if label.partition("@")[0] == name]
    return meant[0] if len(meant) == 1 else name


def _read(a: BoardVector | None, b: BoardVector | None) -> tuple[UnitScores, UnitScores]:
    found = unit_scores(one.ids for one in (a, b) if one is not None)
    empty = UnitScores({}, {})
    return found[a.ids] if a else empty, found[b.ids] if b else empty


def _refusal(labels: Sequence[str], a: str, b: str, read: tuple[UnitScores, UnitScores]) -> str:
    if len(labels) < 2:
        return ONE_MEASURED if labels else NOTHING_MEASURED
    if a == b:
        return SAME
    return "" if _common(*read) else NO_COMMON


def _common(a: UnitScores, b: UnitScores) -> list[str]:
    return [
        unit
        for unit, score in a.scores.items()
        if score is not None and b.scores.get(unit) is not None
    ]


@lru_cache(maxsize=256)
def kept_tallies(
    a: tuple[int, ...], b: tuple[int, ...], _a_changed: str, _b_changed: str, seed: int
) -> tuple[SliceTally, ...]:
    """All common units first, then each value of each slice. The times of change are part of what
    is remembered, so that a changed score is read again."""
    found = unit_scores([a, b])
    units = _common(found[a], found[b])
    slices = found[a].slices
    groups: dict[tuple[str, str], list[str]] = {("", ""): units}
    for unit in units:
        for name, values in slices[unit].items():
            for value in values:
                groups.setdefault((name, value), []).append(unit)
    ordered = sorted(groups.items(), key=lambda item: item[0])
    return tuple(
        _tally(name, value, own, found[a].scores, found[b].scores, seed)
        for (name, value), own in ordered
    )


def _tally(
    name: str,
    value: str,
    units: Sequence[str],
    scores_a: Mapping[str, float | None],
    scores_b: Mapping[str, float | None],
    seed: int,
) -> SliceTally:
    a = [float(scores_a[unit] or 0.0) for unit in units]
    b = [float(scores_b[unit] or 0.0) for unit in units]
    interval = None
    if len(units) >= FEWEST_UNITS:
        interval = paired_difference(a, b, rng=np.random.default_rng(seed))
    return SliceTally(
        slice_name=name,
        slice_value=value,
        n=len(units),
        wins_a=sum(x > y for x, y in zip(a, b, strict=True)),
        wins_b=sum(x < y for x, y in zip(a, b, strict=True)),
        equal=sum(x == y for x, y in zip(a, b, strict=True)),
        delta=interval.estimate if interval else (a[0] - b[0] if units else None),
        ci_low=interval.low if interval else None,
        ci_high=interval.high if interval else None,
    )


def _variant(vector: BoardVector | None, read: UnitScores) -> ComparedVariant | None:
    if vector is None:
        return None
    scored = [score for score in read.scores.values() if score is not None]
    return ComparedVariant(
        system=vector.system,
        variant=vector.label,
        label=vector.label,
        modality=vector.modality,
        is_anchor=vector.is_anchor,
        track=vector.track,
        score=sum(scored) / len(scored) if scored else None,
        mean_achieved_chars=vector.mean_achieved_chars,
        n_scored=len(scored),
        n_total=len(read.scores),
    )


def _differences(
    keys: BoardKeys, read: tuple[UnitScores, UnitScores], slice_names: Sequence[str]
) -> tuple[PairedDifference, ...]:
    """Largest advantage of a first."""
    units = _common(*read)
    texts = dict(
        Question.objects.filter(benchmark=keys.benchmark_id, question_id__in=units).values_list(
            "question_id", "text"
        )
    )
    tier = slice_names[0] if slice_names else ""
    rows = [
        PairedDifference(
            question_id=unit,
            text=texts.get(unit, ""),
            tiers=tuple(read[0].slices[unit].get(tier, ())),
            score_a=float(read[0].scores[unit] or 0.0),
            score_b=float(read[1].scores[unit] or 0.0),
        )
        for unit in units
    ]
    return tuple(sorted(rows, key=lambda row: (-row.delta, row.question_id)))


def _finding(overall: SliceTally, a: str, b: str) -> str:
    if overall.delta is None or overall.ci_low is None or overall.ci_high is None:
        return f"{a} and {b} have one scored question in common: too few to compare."
    counted = f"on {overall.n} common questions"
    if overall.ci_low > 0 or overall.ci_high < 0:
        ahead, behind = (a, b) if overall.delta > 0 else (b, a)
        return f"{ahead} is ahead of {behind} {counted}: the 95 % interval excludes 0."
    return f"{a} and {b} cannot be told apart {counted}: the 95 % interval includes 0."
