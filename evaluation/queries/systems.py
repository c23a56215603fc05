"""Memory systems: what each is and promises, and what was measured of it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.queries.choices import Flag
from evaluation.queries.published_board import PublishedVariant
from evaluation.queries.runs import DoctorCheck
from evaluation.queries.vectors import track_order


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
    """A variant's latest measurement on one benchmark and track by one judge; ``is_imported``:
    somebody else's measurement. Scores lie from 0 to ``scale_high``, the interval is 95 % and None
    where it is undefined. ``protocol`` is the start of the comparison key."""

    benchmark: str
    benchmark_title: str
    label: str
    modality: str
    run: str
    is_imported: bool
    protocol: str
    question_set: str
    track: str
    measure: str
    scale_high: float
    score: float | None
    ci_low: float | None
    ci_high: float | None
    n_scored: int
    n_total: int
    mean_achieved_chars: float | None
    judge: str
    ingest_cost_usd: float | None
    ingest_seconds: float | None
    retrieve_ms: float | None
    flags: tuple[Flag, ...]

    @property
    def is_ingest_known(self) -> bool:
        """Whether an ingest was logged; its cost may be unknown all the same."""
        return self.ingest_cost_usd is not None or self.ingest_seconds is not None


@dataclass(frozen=True, slots=True)
class TrackRows:
    """What papers print of the system at a track, what was measured here, and what was imported:
    three parts that are never averaged or ranked together."""

    track: str
    printed: tuple[PublishedVariant, ...]
    measured: tuple[MeasuredVariant, ...]
    imported: tuple[MeasuredVariant, ...]


@dataclass(frozen=True, slots=True)
class SystemIngest:
    """A store under the newest run that read it. ``n_steps`` is 0 where nothing was logged yet;
    ``n_empty`` documents left no unit, of which ``empty_documents`` are the first. ``cost_usd`` is
    None where a price is unknown."""

    run: str
    benchmark: str
    benchmark_title: str
    labels: tuple[str, ...]
    n_steps: int
    n_units: int
    n_truncated_units: int
    model_calls: int
    tokens: int
    cost_usd: float | None
    seconds: float | None
    n_with_errors: int
    n_empty: int
    empty_documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SystemPage:
    """``published``: what papers print of it, each at its place; ``ingests``: its newest stores."""

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
    published: tuple[PublishedVariant, ...]
    ingests: tuple[SystemIngest, ...]
    doctor: tuple[DoctorCheck, ...]
    doctor_run: str
    doctor_at: dt.datetime | None
    mean_unit_chars: float | None

    @property
    def tracks(self) -> tuple[TrackRows, ...]:
        """Every track that has a row, printed or measured, from small to large."""
        named = [one.track for one in self.published] + [one.track for one in self.measured]
        return tuple(self._at(track) for track in track_order(named))

    def _at(self, track: str) -> TrackRows:
        here = [one for one in self.measured if one.track == track]
        return TrackRows(
            track=track,
            printed=tuple(one for one in self.published if one.track == track),
            measured=tuple(one for one in here if not one.is_imported),
            imported=tuple(one for one in here if one.is_imported),
        )

    @property
    def is_measured(self) -> bool:
        return any(not one.is_imported for one in self.measured)

    @property
    def flag_legend(self) -> tuple[Flag, ...]:
        """Every flag of the measured rows once, by name."""
        flags = {flag for one in self.measured for flag in one.flags}
        return tuple(sorted(flags, key=lambda flag: flag.code))

    @property
    def doctor_outcomes(self) -> tuple[tuple[str, int], ...]:
        """How many checks of the last report ended how, the worst first."""
        counted = Counter(check.status for check in self.doctor)
        order = {check.status: check.order for check in self.doctor}
        return tuple(sorted(counted.items(), key=lambda one: (order[one[0]], one[0])))
