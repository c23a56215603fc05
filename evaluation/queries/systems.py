"""Memory systems: what each is and promises, and what was measured of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.queries.choices import Flag
from evaluation.queries.runs import DoctorCheck


@dataclass(frozen=True, slots=True)
class SystemRow:
    """``missing``: what must be installed before it can run, empty where it can. ``package`` is the
    published package that it runs, empty for the systems of the house."""

    slug: str
    title: str
    description: str
    modalities: tuple[str, ...]
    synthesis: str
    is_anchor: bool
    missing: str
    n_runs: int
    package: str = ""
    installed_version: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredVariant:
    """A variant's latest measurement on one benchmark."""

    benchmark: str
    benchmark_title: str
    label: str
    modality: str
    run: str
    track: str
    score: float | None
    n_scored: int
    n_total: int
    mean_achieved_chars: float | None
    judge: str


@dataclass(frozen=True, slots=True)
class SystemPage:
    system: SystemRow
    version: str
    granularity: str
    knob: str
    native_k: int | None
    uses_embedder: bool
    has_context: bool
    ingest_parameters: Mapping[str, str]
    retrieval_parameters: Mapping[str, str]
    departures: tuple[Flag, ...]
    measured: tuple[MeasuredVariant, ...]
    doctor: tuple[DoctorCheck, ...]
    doctor_run: str
    doctor_at: dt.datetime | None
    mean_unit_chars: float | None
