"""Reading what memory systems are and what was measured of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from django.db.models import Count, Sum

from evaluation.models import DoctorFinding, PublishedScore, Retrieval, RunVariant, ScoreVector
from evaluation.queries.choices import Flag, NotFound
from evaluation.queries.measures import measures_of
from evaluation.queries.published_board import plain_system
from evaluation.queries.run_pages import doctor_checks
from evaluation.queries.systems import MeasuredVariant, SystemPage, SystemRow
from evaluation.queries.vectors import track_order
from memory_systems.base import SystemInfo
from memory_systems.native.installation import find_installation
from memory_systems.registry import (
    SystemNotInstalled,
    UnknownSystem,
    system_info,
    system_slugs,
    why_not_installed,
)

SHOWN_MEASUREMENTS = 80


def system_rows() -> tuple[SystemRow, ...]:
    """Every registered system, anchors last. One that cannot be imported says what to install."""
    n_runs = _n_runs()
    rows = [_registered(slug, n_runs.get(slug, 0)) for slug in system_slugs()]
    return tuple(sorted(rows, key=lambda row: row.is_anchor))


def system_page(slug: str) -> SystemPage:
    """Raises NotFound for a system that is neither registered nor measured here.

    A system that only imported or published results know is shown by name, without a contract.
    """
    n_runs = _n_runs().get(slug, 0)
    try:
        info = system_info(slug)
    except SystemNotInstalled as absence:
        return _page(_missing(slug, str(absence), n_runs), None)
    except UnknownSystem:
        if not n_runs and not _is_published(slug):
            raise NotFound("memory system", slug) from None
        return _page(
            _missing(
                slug,
                "It is not registered here: only imported or published results know it.",
                n_runs,
            ),
            None,
        )
    return _page(_row(info, n_runs), info)


def _is_published(slug: str) -> bool:
    named = PublishedScore.objects.filter(system__startswith=slug).values_list("system", flat=True)
    return slug in {plain_system(name) for name in named.distinct()}


def _n_runs() -> dict[str, int]:
    return dict(
        RunVariant.objects.values_list("variant__system").annotate(n=Count("run", distinct=True))
    )


def _registered(slug: str, n_runs: int) -> SystemRow:
    try:
        return _row(system_info(slug), n_runs)
    except SystemNotInstalled as absence:
        return _missing(slug, str(absence), n_runs)


def _row(info: SystemInfo, n_runs: int) -> SystemRow:
    return SystemRow(
        slug=info.slug,
        title=info.title,
        description=info.description,
        modalities=tuple(info.modalities),
        synthesis=info.synthesis,
        is_anchor=info.is_anchor,
        missing=why_not_installed(info.slug),
        n_runs=n_runs,
        package=info.package,
        installed_version=_installed_version(info),
    )


def _installed_version(info: SystemInfo) -> str:
    found = find_installation(info.slug) if info.package else None
    return found.version if found is not None else ""


def _missing(slug: str, why: str, n_runs: int) -> SystemRow:
    return SystemRow(
        slug=slug, title=slug, description="", modalities=(), synthesis="", is_anchor=False,
        missing=why, n_runs=n_runs,
    )  # fmt: skip


def _page(row: SystemRow, info: SystemInfo | None) -> SystemPage:
    findings = list(
        DoctorFinding.objects.filter(system=row.slug)
        .select_related("run")
        .order_by("-at", "-pk")[:200]
    )
    newest = findings[0] if findings else None
    latest = [one for one in findings if newest is not None and one.run_id == newest.run_id]
    return SystemPage(
        system=row,
        version=info.version if info else "",
        granularity=info.granularity if info else "",
        knob=info.knob if info else "",
        native_k=info.native_k if info else None,
        uses_embedder=info.uses_embedder if info else False,
        has_context=info.has_context if info else True,
        ingest_parameters=_words(info.ingest_parameters) if info else {},
        retrieval_parameters=_words(info.retrieval_parameters) if info else {},
        departures=tuple(Flag(*one) for one in info.departures) if info else (),
        measured=_measured(row.slug),
        doctor=doctor_checks(reversed(latest)),
        doctor_run=newest.run.public_id if newest is not None and newest.run else "",
        doctor_at=newest.at if newest is not None else None,
        mean_unit_chars=_mean_unit_chars(row.slug),
    )


def _words(parameters: Mapping[str, int | float | str | bool]) -> dict[str, str]:
    return {name: str(value) for name, value in parameters.items()}


def _measured(slug: str) -> tuple[MeasuredVariant, ...]:
    """Each variant's newest measurement on each benchmark and track, by its first judge."""
    found: dict[tuple[str, str, str], ScoreVector] = {}
    vectors = (
        ScoreVector.objects.filter(run_variant__variant__system=slug)
        .select_related("run_variant__variant", "run_variant__run__benchmark", "judge")
        .order_by("-run_variant__run__created_at", "-run_variant__run__pk", "pk")[:500]
    )
    for vector in vectors:
        benchmark = vector.run_variant.run.benchmark
        if vector.measure == measures_of(benchmark.family)[0].name:
            place = (benchmark.title, vector.run_variant.variant.label, vector.track)
            found.setdefault(place, vector)
    order = partial(_place, tracks=track_order(track for _, _, track in found))
    return tuple(
        _measurement(found[place]) for place in sorted(found, key=order)[:SHOWN_MEASUREMENTS]
    )


def _place(place: tuple[str, str, str], *, tracks: list[str]) -> tuple[str, str, int]:
    return (place[0], place[1], tracks.index(place[2]))


def _measurement(vector: ScoreVector) -> MeasuredVariant:
    variant, run = vector.run_variant.variant, vector.run_variant.run
    scored = [value for _, value, _ in vector.values if value is not None]
    return MeasuredVariant(
        benchmark=run.benchmark.slug,
        benchmark_title=run.benchmark.title,
        label=variant.label,
        modality=variant.modality,
        run=run.public_id,
        track=vector.track,
        score=sum(scored) / len(scored) if scored else None,
        n_scored=vector.n_scored,
        n_total=vector.n_cells - vector.n_not_applicable,
        mean_achieved_chars=vector.mean_achieved_chars,
        judge=vector.judge.name,
    )


def _mean_unit_chars(slug: str) -> float | None:
    """Characters of the contexts of the system's newest measurement over their units."""
    newest = (
        RunVariant.objects.filter(variant__system=slug).order_by("-run__created_at", "-pk").first()
    )
    if newest is None:
        return None
    total = Retrieval.objects.filter(cell__run_variant=newest).aggregate(
        chars=Sum("achieved_chars"), units=Sum("n_units")
    )
    return total["chars"] / total["units"] if total["units"] else None
