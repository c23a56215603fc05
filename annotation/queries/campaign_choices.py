"""What a new campaign can be made from: runs that share a comparison key, their tracks, judges and
systems."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.queries.campaign_heads import head_of, read_campaign
from annotation.queries.campaigns import CampaignHead
from evaluation.models import Run, RunJudge, RunVariant
from evaluation.protocol.tracks import NATIVE, parse_track
from evaluation.queries.choices import NotFound

SHOWN_RUNS = 200


@dataclass(frozen=True, slots=True)
class OfferedRun:
    public_id: str
    systems: tuple[str, ...]
    tracks: tuple[str, ...]
    judges: tuple[str, ...]
    origin: str
    created_at: dt.datetime


@dataclass(frozen=True, slots=True)
class RunGroup:
    """Runs whose answers may be compared: one benchmark revision, one comparison key."""

    benchmark: str
    benchmark_title: str
    question_set: str
    protocol_key: str
    runs: tuple[OfferedRun, ...]


@dataclass(frozen=True, slots=True)
class OfferedTrack:
    """``systems`` are the labels of what was measured at it, the base model among them."""

    name: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CampaignChoices:
    """Of the chosen runs. ``refusal`` says why they cannot be put together, empty where they can.
    ``tracks`` come with the one to offer first in front."""

    groups: tuple[RunGroup, ...]
    tracks: tuple[OfferedTrack, ...]
    judges: tuple[str, ...]
    systems: tuple[str, ...]
    n_questions: int
    refusal: str


@dataclass(frozen=True, slots=True)
class Draft:
    head: CampaignHead
    choices: CampaignChoices


def runs_to_vote_on() -> tuple[RunGroup, ...]:
    """The newest 200 runs that are not being worked on, by what may be put together."""
    at_rest = Run.objects.exclude(finished_at=None, cancelled_at=None, paused_at=None)
    return _groups(at_rest.newest_first()[:SHOWN_RUNS])


def campaign_choices(run_ids: Sequence[str]) -> CampaignChoices:
    """What the chosen runs offer. Raises NotFound for a run that does not exist."""
    found = {run.public_id: run for run in Run.objects.filter(public_id__in=run_ids)}
    for public_id in run_ids:
        if public_id not in found:
            raise NotFound("run", public_id)
    runs = list(found.values())
    groups = _groups(Run.objects.filter(pk__in=[run.pk for run in runs]).newest_first())
    offered = [run for group in groups for run in group.runs]
    return CampaignChoices(
        groups=groups,
        tracks=_tracks([run.pk for run in runs]),
        judges=tuple(dict.fromkeys(judge for run in offered for judge in run.judges)),
        systems=tuple(sorted({label for run in offered for label in run.systems})),
        n_questions=max((len(run.question_ids) for run in runs), default=0),
        refusal=_refusal(runs, groups),
    )


def draft_choices(slug: str, *, now: dt.datetime) -> Draft:
    """A campaign as its form shows it. Raises NotFound."""
    campaign = read_campaign(slug)
    run_ids = list(campaign.runs.order_by("created_at", "pk").values_list("public_id", flat=True))
    return Draft(head=head_of(campaign, now=now), choices=campaign_choices(run_ids))


def _groups(runs: Iterable[Run]) -> tuple[RunGroup, ...]:
    """In three queries, however many runs there are; groups and runs newest first."""
    listed = list(runs)
    ids = [run.pk for run in listed]
    keys = {
        run.pk: run
        for run in Run.objects.filter(pk__in=ids).select_related("benchmark", "protocol")
    }
    systems: dict[int, list[str]] = {}
    for run_id, label in (
        RunVariant.objects.filter(run__in=ids)
        .order_by("position", "pk")
        .values_list("run", "variant__label")
    ):
        systems.setdefault(run_id, []).append(label)
    judges: dict[int, list[str]] = {}
    for run_id, name in (
        RunJudge.objects.filter(run__in=ids)
        .order_by("position", "pk")
        .values_list("run", "judge__name")
    ):
        judges.setdefault(run_id, []).append(name)
    grouped: dict[tuple[int, int], list[Run]] = {}
    for run in listed:
        grouped.setdefault((run.benchmark_id, run.protocol_id), []).append(keys[run.pk])
    return tuple(
        RunGroup(
            benchmark=members[0].benchmark.slug,
            benchmark_title=members[0].benchmark.title,
            question_set=members[0].protocol.question_set,
            protocol_key=members[0].protocol.key,
            runs=tuple(
                OfferedRun(
                    public_id=run.public_id,
                    systems=tuple(systems.get(run.pk, ())),
                    tracks=tuple(run.tracks),
                    judges=tuple(judges.get(run.pk, ())),
                    origin=run.origin,
                    created_at=run.created_at,
                )
                for run in members
            ),
        )
        for members in grouped.values()
    )


def _tracks(run_ids: Sequence[int]) -> tuple[OfferedTrack, ...]:
    """Budgets first, those with most systems in front; native last."""
    labels: dict[str, set[str]] = {}
    for tracks, label in RunVariant.objects.filter(run__in=run_ids).values_list(
        "tracks", "variant__label"
    ):
        for track in tracks:
            labels.setdefault(track, set()).add(label)
    ordered = sorted(
        labels,
        key=lambda name: (name == NATIVE, -len(labels[name]), parse_track(name).sort_key),
    )
    return tuple(OfferedTrack(name, tuple(sorted(labels[name]))) for name in ordered)


def _refusal(runs: Sequence[Run], groups: Sequence[RunGroup]) -> str:
    if len(groups) > 1:
        return (
            "The chosen runs have different comparison keys, so their answers cannot be compared. "
            "Choose runs that stand under one heading."
        )
    at_work = [run.public_id for run in runs if not _is_at_rest(run)]
    if at_work:
        return f"Still being worked on: {', '.join(at_work)}. Wait for the end, or pause it."
    return ""


def _is_at_rest(run: Run) -> bool:
    return bool(run.finished_at or run.cancelled_at or run.paused_at)
