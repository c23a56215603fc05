"""The doctor: six checks from the paper before any memory run, and what each finding means.

A finding is ``ok``, ``warning`` (a departure that the system declares), ``failed`` (one that it
does not: the run stops unless forced) or ``not_applicable`` (said, never silently skipped).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evaluation.protocol.flags import TOLERANCE, ignores_knob
from evaluation.protocol.packing import pack
from evaluation.protocol.tracks import Track
from evaluation.records import SourceItem
from memory_systems.base import Budget, MemorySystem, Modality, NarrowsBudgets, Oracle, SystemInfo

Level = Literal["ok", "warning", "failed", "not_applicable"]
OpenModality = Callable[[Modality, Path], MemorySystem]
PROBE_QUERY_CHARS = 300
LEAST_UNITS_TO_DIFFER = 20


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    level: Level
    sentence: str


def probe(
    info: SystemInfo,
    modality: Modality,
    open_memory: OpenModality,
    documents: Sequence[SourceItem],
    tracks: Sequence[Track],
    folder: Path,
) -> list[Finding]:
    """Ingest the documents into an empty folder and run every check on them."""
    if not info.has_context:
        return [Finding("context", "not_applicable", f"{info.slug} reads no context by design")]
    with closing(open_memory(modality, folder)) as memory:
        outcomes = {item.id: memory.ingest(item) for item in documents}
        memory.flush()
    n_logged = sum(outcome.units for outcome in outcomes.values())
    failures = {item: told.errors[0] for item, told in outcomes.items() if told.errors}
    with closing(open_memory(modality, folder)) as memory:
        findings = check_failures(failures, n_items=len(outcomes))
        findings += check_counts(info, memory, {item.id for item in documents}, n_logged)
        if info.is_anchor and isinstance(memory, Oracle):
            sentence = f"{info.slug} is given the gold sources; its retrieval is not probed"
            return [*findings, Finding("known-good query", "not_applicable", sentence)]
        findings.append(_known_good(info, memory, documents))
        findings += check_budgets(info, memory, documents[0], tracks)
    findings.append(_modalities(info, modality, open_memory, documents, folder))
    return findings


def check_counts(
    info: SystemInfo, memory: MemorySystem, item_ids: set[str], n_logged_units: int
) -> list[Finding]:
    """Stored units against the ingest log, stored items against the benchmark's list."""
    n_units = memory.stats().n_units
    stored = memory.stored_item_ids()
    missing = sorted(item_ids - stored)
    units = _judged(
        info,
        "stored units",
        n_units == n_logged_units,
        f"{n_units} stored units match the ingest log",
        f"{n_units} units are stored but the ingest log has {n_logged_units}",
    )
    surplus = sorted(stored - item_ids)
    items = _judged(
        info,
        "stored documents",
        not missing and not surplus,
        f"all {len(item_ids)} documents are stored",
        f"{len(missing)} of {len(item_ids)} documents are missing and {len(surplus)} are not the "
        f"benchmark's: {', '.join([*missing, *surplus][:5])}",
    )
    return [units, items, _long_units(memory)]


def check_failures(failures: Mapping[str, str], *, n_items: int) -> list[Finding]:
    """What went wrong while items were taken in, by item: some, and the rest is measured without
    them; all, and there is nothing to measure."""
    if not failures:
        return []
    item, sentence = next(iter(failures.items()))
    told = f"{len(failures)} of {n_items} documents had errors, first {item}: {sentence}"
    return [Finding("ingest", "failed" if len(failures) == n_items else "warning", told)]


def _long_units(memory: MemorySystem) -> Finding:
    stats = memory.stats()
    if not stats.n_over_embedder_limit:
        return Finding("long units", "ok", "no unit is longer than the embedder reads at once")
    return Finding(
        "long units",
        "warning",
        f"{stats.n_over_embedder_limit:,} of {stats.n_units:,} units are longer than the embedder "
        "reads at once: each is embedded as the mean of its windows",
    )


def check_budgets(
    info: SystemInfo, memory: MemorySystem, document: SourceItem, tracks: Sequence[Track]
) -> list[Finding]:
    """Achieved characters against each track's budget, and whether the knob does anything.

    A store smaller than the budget cannot fill it: something has to come back, no more.
    """
    budgets = [track for track in tracks if track.budget.chars is not None]
    if info.native_only or not budgets:
        return [Finding("budget", "not_applicable", "no track in characters applies here")]
    query = probe_query(document)
    units = (
        memory.units_under(budgets[0].budget)
        if isinstance(memory, NarrowsBudgets)
        else memory.units()
    )
    store_chars = sum(len(unit.text) for unit in units)
    achieved: dict[int, float] = {}
    findings = []
    for track in budgets:
        limit = track.budget.chars or 0
        context = pack(memory.retrieve("probe", query, budget=track.budget), track.budget)
        achieved[limit] = context.achieved_chars
        least = (1 - TOLERANCE) * limit if store_chars >= limit else 1
        most = (1 + TOLERANCE) * limit
        findings.append(
            _judged(
                info,
                "budget",
                bool(context.units) and least <= context.achieved_chars <= most,
                f"{track.name}: {context.achieved_chars:,} characters came back",
                f"{track.name}: {context.achieved_chars:,} characters came back, which is not "
                f"between {least:,.0f} and {most:,.0f}",
            )
        )
    findings.append(_knob(info, achieved, store_chars))
    return findings


def probe_query(document: SourceItem) -> str:
    """A passage from the document's middle: a query whose answer is certainly stored."""
    middle = max(0, len(document.text) // 2 - PROBE_QUERY_CHARS // 2)
    return document.text[middle : middle + PROBE_QUERY_CHARS].strip() or document.text[:300]


def _known_good(info: SystemInfo, memory: MemorySystem, documents: Sequence[SourceItem]) -> Finding:
    budget = Budget() if info.native_only else Budget(k=10)
    for document in documents:
        retrieval = memory.retrieve("probe", probe_query(document), budget=budget)
        if not any(unit.text for unit in retrieval.units):
            return Finding(
                "known-good query", "failed", f"a passage of {document.id} retrieved nothing"
            )
        if document.id not in {unit.source_id for unit in retrieval.units}:
            return Finding(
                "known-good query",
                "failed",
                f"a passage of {document.id} retrieved other documents only",
            )
    return Finding("known-good query", "ok", "a passage of each document retrieves its document")


def _knob(info: SystemInfo, achieved: dict[int, float], store_chars: int) -> Finding:
    within = {limit: got for limit, got in achieved.items() if limit <= store_chars}
    if len(within) < 2:
        return Finding("knob", "not_applicable", "fewer than two tracks to compare")
    return _judged(
        info,
        "knob",
        not ignores_knob(within),
        f"{info.knob} changes the output size",
        f"{info.knob} does not change the output size",
    )


def _modalities(
    info: SystemInfo,
    modality: Modality,
    open_memory: OpenModality,
    documents: Sequence[SourceItem],
    folder: Path,
) -> Finding:
    if modality != "hybrid":
        return Finding("modality", "ok", f"one modality: {modality}")
    found = {}
    n_units = 0
    modalities: tuple[Modality, ...] = ("dense", "hybrid")
    for name in modalities:
        if name not in info.modalities:
            continue
        with closing(open_memory(name, folder)) as memory:
            n_units = memory.stats().n_units
            found[name] = [
                [(unit.source_id, unit.start) for unit in retrieval.units]
                for retrieval in (
                    memory.retrieve("probe", probe_query(document), budget=Budget(k=20))
                    for document in documents
                )
            ]
    works = all(any(ranking) for ranking in found.values())
    if works and n_units < LEAST_UNITS_TO_DIFFER:
        sentence = f"{n_units} units are too few for two rankings of them to differ"
        return Finding("modality", "not_applicable", sentence)
    differs = len(found) < 2 or found["dense"] != found["hybrid"]
    return _judged(
        info,
        "modality",
        works and differs,
        "dense and lexical both return something, and they differ",
        "adding the lexical ranking changes nothing: it may be off",
    )


def _judged(info: SystemInfo, check: str, is_ok: bool, good: str, bad: str) -> Finding:
    if is_ok:
        return Finding(check, "ok", good)
    declared = dict(info.departures)
    if check in declared:
        return Finding(check, "warning", f"{bad} (declared: {declared[check]})")
    return Finding(check, "failed", bad)
