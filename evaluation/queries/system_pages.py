"""Reading what memory systems are and what was measured of them."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count, Sum

from evaluation.models import DoctorFinding, PublishedScore, Retrieval, RunVariant
from evaluation.queries.choices import Flag, NotFound
from evaluation.queries.published_board import plain_system, published_of_system
from evaluation.queries.run_pages import doctor_checks
from evaluation.queries.system_ingest import system_ingests
from evaluation.queries.system_measured import measured_variants
from evaluation.queries.systems import SystemPage, SystemRow
from memory_systems.base import SystemInfo
from memory_systems.native.installation import find_installation
from memory_systems.registry import (
    SystemNotInstalled,
    UnknownSystem,
    system_info,
    system_slugs,
    why_not_installed,
)


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
        measured=measured_variants(row.slug),
        published=published_of_system(row.slug),
        ingests=system_ingests(row.slug),
        doctor=doctor_checks(reversed(latest)),
        doctor_run=newest.run.public_id if newest is not None and newest.run else "",
        doctor_at=newest.at if newest is not None else None,
        mean_unit_chars=_mean_unit_chars(row.slug),
    )


def _words(parameters: Mapping[str, int | float | str | bool]) -> dict[str, str]:
    return {name: str(value) for name, value in parameters.items()}


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
