"""A copy of a measured Theoria memory, to be asked and told things without touching the measured
one."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from django.conf import settings

from evaluation.models import RunVariant
from evaluation.queries.choices import NotFound
from evaluation.services.runs import get_run
from evaluation.services.stores import lifetime_of, open_variant
from memory_systems.adapters.theoria.system import Theoria


class TheoriaNotMeasured(NotFound):
    """The run has no such memory of Theoria, or none on this machine."""

    def __init__(self, sentence: str) -> None:
        LookupError.__init__(self, sentence)


def get_theoria_variant(*, run: str, variant: str = "") -> RunVariant:
    """The run's variant of Theoria: the first, or the one of this label. Raises RunNotFound,
    TheoriaNotMeasured."""
    found = list(
        get_run(run)
        .run_variants.select_related("variant", "run__benchmark")
        .filter(variant__system="theoria")
        .order_by("position")
    )
    chosen = [one for one in found if variant in ("", one.variant.label)]
    if not chosen:
        known = ", ".join(one.variant.label for one in found) or "none"
        raise TheoriaNotMeasured(f"run {run} has no such variant of theoria; it has: {known}")
    return chosen[0]


def settled_store(*, run_variant: RunVariant, scenario: str = "") -> Path:
    """The folder of the memory after the scenario's last step (the first scenario's where none is
    named). Raises TheoriaNotMeasured."""
    scenarios = run_variant.run.benchmark.scenarios.order_by("position")
    chosen = scenarios.filter(key=scenario).first() if scenario else scenarios.first()
    if chosen is None:
        raise TheoriaNotMeasured(f"the benchmark has no scenario {scenario!r}")
    lifetime = lifetime_of(run_variant=run_variant, scenario=chosen)
    if not lifetime.is_complete():
        raise TheoriaNotMeasured(
            f"run {run_variant.run.public_id} has not built {run_variant.variant.label} on this "
            "machine: resume it, or run it again"
        )
    return lifetime.folder_of("@head")


def open_theoria_copy(*, run: str, variant: str = "", scenario: str = "") -> tuple[Theoria, Path]:
    """The memory after the scenario's last step, copied on first use and kept with what it was
    told since; and its folder. Raises RunNotFound, TheoriaNotMeasured."""
    run_variant = get_theoria_variant(run=run, variant=variant)
    measured = settled_store(run_variant=run_variant, scenario=scenario)
    name = hashlib.sha256(str(measured).encode()).hexdigest()[:16]
    folder = Path(settings.MEMJURY_DATA) / "theoria" / f"{run}-{name}"
    if not folder.exists():
        partial = folder.with_name(f".{folder.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(measured, partial)
        partial.rename(folder)
    memory = open_variant(variant=run_variant.variant, folder=folder)
    if not isinstance(memory, Theoria):
        raise TypeError("a variant of theoria opens as Theoria")
    return memory, folder
