"""The doctor on demand: memory systems probed without a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.benchmarks.registry import generate_benchmark
from evaluation.models import Benchmark, Run, RunVariant
from evaluation.protocol.doctor import Finding
from evaluation.protocol.tracks import parse_tracks
from evaluation.records import Ingest, SourceItem
from evaluation.services.benchmarks import newest_benchmark
from evaluation.services.examining import N_PROBED, first_documents, keep_findings, probe_variant
from evaluation.services.model_access import embedder as open_embedder
from evaluation.services.run_options import DEFAULT_SEED
from evaluation.services.variants import variant_row
from memory_systems.registry import (
    require_installed,
    system_info,
    system_slugs,
    why_not_installed,
)

SAMPLE = "scholia-prose"
TRACKS = ("10k", "30k", "50k")


@dataclass(frozen=True, slots=True)
class Checkup:
    """One variant's findings, in the order of the checks."""

    system: str
    label: str
    findings: tuple[Finding, ...]

    @property
    def has_failed(self) -> bool:
        return any(finding.level == "failed" for finding in self.findings)


def check_up(*, system: str | None, benchmark: str | None, embedder: str) -> Iterator[Checkup]:
    """Probe every modality of one system, or of all, on three documents of the benchmark (of a
    generated one where none is named). The findings are kept for the system's page.

    Raises UnknownSystem, SystemNotInstalled, BenchmarkNotLoaded, UnknownEmbedder before anything is
    probed. A system that is not installed is a finding when all are asked for, and raised when it
    alone is.
    """
    open_embedder(embedder)
    of = newest_benchmark(benchmark) if benchmark else None
    if system is not None:
        require_installed(system)
    return _check_all([system] if system else list(system_slugs()), of, embedder)


def _check_all(
    systems: Sequence[str], benchmark: Benchmark | None, embedder: str
) -> Iterator[Checkup]:
    documents = first_documents(benchmark=benchmark) if benchmark else _sample()
    for system in systems:
        if absence := why_not_installed(system):
            yield Checkup(system, system, (Finding("installed", "not_applicable", absence),))
            continue
        for modality in system_info(system).modalities:
            yield _check_one(system, modality, documents, benchmark, embedder)


def _check_one(
    system: str,
    modality: str,
    documents: Sequence[SourceItem],
    benchmark: Benchmark | None,
    embedder: str,
) -> Checkup:
    variant, _ = variant_row(
        system=system,
        modality=modality,
        embedder=embedder,
        parameters={},
        seed=DEFAULT_SEED,
        benchmark=benchmark or Benchmark(slug=SAMPLE),
    )
    run_variant = RunVariant(run=Run(), variant=variant, tracks=list(TRACKS))
    findings = probe_variant(
        run_variant=run_variant, documents=documents, tracks=parse_tracks(list(TRACKS))
    )
    keep_findings(findings, run=None, stage="probe", run_variant=run_variant)
    return Checkup(system, variant.label, tuple(findings))


def _sample() -> list[SourceItem]:
    steps = generate_benchmark(SAMPLE, size="small").scenarios[0].steps
    return [step.item for step in steps if isinstance(step, Ingest)][:N_PROBED]
