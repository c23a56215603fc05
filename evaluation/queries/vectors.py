"""The kept aggregates behind a board: which there are, and their scores by unit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.models import ScoreVector
from evaluation.protocol.tracks import NATIVE, UnknownTrack, parse_track
from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Flag

PREFERRED_TRACK = "30k"


@dataclass(frozen=True, slots=True)
class BoardVector:
    """One variant at one track as one judge scored it, without the scores themselves.

    ``label`` is unique on its board. ``ids`` are the rows in the database, several where the
    judges' mean is read; ``updated_at`` their newest change.
    """

    ids: tuple[int, ...]
    updated_at: dt.datetime
    run_variant_id: int
    run: str
    system: str
    slug: str
    label: str
    variant_key: str
    modality: str
    synthesis: str
    embedder: str
    is_anchor: bool
    track: str
    is_complete: bool
    n_cells: int
    n_scored: int
    n_unscored: int
    n_errored: int
    n_pending: int
    n_not_applicable: int
    mean_achieved_chars: float | None
    mean_requested_chars: float | None
    retrieve_ms: float | None
    answer_cost_usd: float | None
    judge_cost_usd: float | None
    ingest_cost_usd: float | None
    ingest_seconds: float | None
    flags: tuple[Flag, ...]

    @property
    def is_applicable(self) -> bool:
        return self.n_cells > self.n_not_applicable


_FIELDS = (
    "pk", "updated_at", "run_variant", "track", "judge__key",
    "run_variant__run__public_id", "run_variant__run__finished_at",
    "run_variant__run__cancelled_at",
    "run_variant__variant__key", "run_variant__variant__system", "run_variant__variant__slug",
    "run_variant__variant__label", "run_variant__variant__modality",
    "run_variant__variant__synthesis", "run_variant__variant__embedder",
    "run_variant__variant__is_anchor",
    "n_cells", "n_scored", "n_unscored", "n_errored", "n_pending", "n_not_applicable",
    "mean_achieved_chars", "mean_requested_chars", "retrieve_ms_median", "answer_cost_usd",
    "judge_cost_usd", "ingest_cost_usd", "ingest_seconds", "flags",
)  # fmt: skip


def board_vectors(keys: BoardKeys, *, measure: str) -> tuple[BoardVector, ...]:
    """Every variant of the comparison key at every track, each from its best run: a complete one
    before an unfinished one, then the newest. Empty where nothing was judged."""
    if keys.protocol is None or keys.judge is None:
        return ()
    rows = (
        ScoreVector.objects.filter(
            run_variant__run__protocol__key=keys.protocol.key,
            judge__key__in=keys.judge_keys,
            measure=measure,
        )
        .order_by("run_variant__run__created_at", "run_variant__run__pk", "pk")
        .values(*_FIELDS)
    )
    best: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        place = (row["run_variant__variant__key"], row["track"])
        held = best.get(place)
        if held and held[0]["run_variant"] == row["run_variant"]:
            held.append(row)
        elif not held or _is_complete(row) >= _is_complete(held[0]):
            best[place] = [row]
    n_judges = len(keys.judge_keys)
    full = [rows for rows in best.values() if len(rows) == n_judges]
    return _with_unique_labels([_vector(rows) for rows in full])


def track_order(tracks: Iterable[str]) -> list[str]:
    """Each once: budgets from small to large, native last, unreadable names at the end."""

    def key(name: str) -> tuple[int, int, int, str]:
        try:
            rank, limit = parse_track(name).sort_key
        except UnknownTrack:
            return (2, 0, 0, name)
        return (1 if name == NATIVE else 0, rank, limit, name)

    return sorted(set(tracks), key=key)


def default_track(tracks: Sequence[str]) -> str:
    """30k where it was measured, else the largest budget, else native, else nothing."""
    if PREFERRED_TRACK in tracks:
        return PREFERRED_TRACK
    budgets = [track for track in tracks if track != NATIVE]
    return budgets[-1] if budgets else (tracks[0] if tracks else "")


def at_track(vectors: Iterable[BoardVector], track: str) -> list[BoardVector]:
    """The vectors of a track, and of anchors that were not measured there their native one."""
    here = [vector for vector in vectors if vector.track == track]
    present = {vector.variant_key for vector in here}
    return here + [
        vector
        for vector in vectors
        if vector.is_anchor and vector.track == NATIVE and vector.variant_key not in present
    ]


def _is_complete(row: Mapping[str, Any]) -> bool:
    return (
        row["run_variant__run__finished_at"] is not None
        and row["run_variant__run__cancelled_at"] is None
    )


def _vector(rows: Sequence[Mapping[str, Any]]) -> BoardVector:
    row = rows[0]
    costs = [one["judge_cost_usd"] for one in rows]
    return BoardVector(
        ids=tuple(one["pk"] for one in rows),
        updated_at=max(one["updated_at"] for one in rows),
        run_variant_id=row["run_variant"],
        run=row["run_variant__run__public_id"],
        system=row["run_variant__variant__system"],
        slug=row["run_variant__variant__slug"],
        label=row["run_variant__variant__label"],
        variant_key=row["run_variant__variant__key"],
        modality=row["run_variant__variant__modality"],
        synthesis=row["run_variant__variant__synthesis"],
        embedder=row["run_variant__variant__embedder"],
        is_anchor=row["run_variant__variant__is_anchor"],
        track=row["track"],
        is_complete=_is_complete(row),
        n_cells=row["n_cells"],
        n_scored=min(one["n_scored"] for one in rows),
        n_unscored=max(one["n_unscored"] for one in rows),
        n_errored=max(one["n_errored"] for one in rows),
        n_pending=max(one["n_pending"] for one in rows),
        n_not_applicable=row["n_not_applicable"],
        mean_achieved_chars=row["mean_achieved_chars"],
        mean_requested_chars=row["mean_requested_chars"],
        retrieve_ms=row["retrieve_ms_median"],
        answer_cost_usd=row["answer_cost_usd"],
        judge_cost_usd=None if None in costs else sum(costs),
        ingest_cost_usd=row["ingest_cost_usd"],
        ingest_seconds=row["ingest_seconds"],
        flags=tuple(Flag(code, sentence) for code, sentence in row["flags"]),
    )


def _with_unique_labels(vectors: Sequence[BoardVector]) -> tuple[BoardVector, ...]:
    """Variants that share a label although their keys differ get the start of the key behind it."""
    keys_of: dict[str, set[str]] = {}
    for vector in vectors:
        keys_of.setdefault(vector.label, set()).add(vector.variant_key)
    return tuple(
        replace(vector, label=f"{vector.label}#{vector.variant_key[:6]}")
        if len(keys_of[vector.label]) > 1
        else vector
        for vector in vectors
    )
