"""Which runs, judge and track a campaign is made from, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.models import Cell, Judge, Run
from evaluation.protocol.tracks import NATIVE, parse_track
from evaluation.services.runs import get_run


class RunsNotComparable(Exception):
    """The runs have different comparison keys; the message names what differs."""


class RunNotReady(Exception):
    """The run is still being worked on."""


class NotOfTheRuns(ValueError):
    """The runs have no such judge, track or system; ``known`` are those they have."""

    def __init__(self, option: str, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"the chosen runs have no {option} '{name}'; they have: {', '.join(known) or 'none'}"
        )
        self.option = option
        self.known = tuple(known)


def chosen_runs(run_ids: Sequence[str]) -> list[Run]:
    """The runs, oldest first. Raises RunNotFound, RunNotReady, RunsNotComparable."""
    runs = sorted(
        (get_run(public_id) for public_id in dict.fromkeys(run_ids)),
        key=lambda run: (run.created_at, run.pk),
    )
    if not runs:
        raise RunsNotComparable("a campaign is made from at least one run, and none was named")
    for run in runs:
        if not (run.finished_at or run.cancelled_at or run.paused_at):
            raise RunNotReady(
                f"run {run.public_id} is still being worked on: wait for its end, or pause it"
            )
    first = runs[0]
    for other in runs[1:]:
        if other.protocol_id != first.protocol_id:
            raise RunsNotComparable(
                f"runs {first.public_id} and {other.public_id} cannot share a campaign: their "
                f"protocols differ in {_differences(first.protocol.parts, other.protocol.parts)}"
            )
    return runs


def chosen_judge(runs: Sequence[Run], name: str | None, *, first_run_id: str) -> Judge:
    """The judge of that name, or the first judge of the run that was named first. Raises
    NotOfTheRuns."""
    rows = list(
        Judge.objects.filter(run_judges__run__in=runs)
        .order_by("run_judges__position", "run_judges__pk")
        .values_list("run_judges__run__public_id", "pk", "name")
    )
    rows.sort(key=lambda row: row[0] != first_run_id)
    named = [pk for _, pk, judge_name in rows if name is None or judge_name == name]
    if not named:
        raise NotOfTheRuns("judge", name or "", list(dict.fromkeys(row[2] for row in rows)))
    return Judge.objects.get(pk=named[0])


def judges_of(runs: Sequence[Run]) -> list[Judge]:
    """Every judge of the runs, each once."""
    return list(Judge.objects.filter(run_judges__run__in=runs).distinct().order_by("pk"))


def chosen_track(runs: Sequence[Run], name: str | None) -> str:
    """The track of that name; by default the budget at which most was answered (the smaller of
    equals), and native where no budget was measured. Raises UnknownTrack, NotOfTheRuns."""
    counts: dict[str, int] = {}
    cells = Cell.objects.filter(run_variant__run__in=runs, repeat=0).answered()
    for track in cells.values_list("track", flat=True):
        counts[track] = counts.get(track, 0) + 1
    known = sorted(counts, key=lambda track: parse_track(track).sort_key)
    if name:
        asked = parse_track(name).name
        if asked not in counts:
            raise NotOfTheRuns("track", asked, known)
        return asked
    if not known:
        raise NotOfTheRuns("track", "with an answer", known)
    budgets = [track for track in known if track != NATIVE]
    return max(budgets, key=lambda track: counts[track]) if budgets else NATIVE


def _differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    one, two = dict(_leaves(first)), dict(_leaves(second))
    return "; ".join(
        f"{part} ({_said(one.get(part))}, {_said(two.get(part))})"
        for part in dict.fromkeys((*one, *two))
        if one.get(part) != two.get(part)
    )


def _leaves(parts: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in parts.items():
        path = f"{above}{name.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{path}: ")
        else:
            yield path, value


def _said(value: Any) -> str:
    text = "not set" if value is None else str(value)
    return text if len(text) <= 24 else f"{text[:12]}…"
