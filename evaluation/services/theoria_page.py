"""What a run's Theoria memory holds, for its page. It is read from the store, never changed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from evaluation.models import Variant
from evaluation.services.model_access import embedder
from evaluation.services.theoria_copies import (
    TheoriaNotMeasured,
    get_theoria_variant,
    settled_store,
)
from memory_systems.adapters.theoria.overview import Overview, overview_of
from memory_systems.adapters.theoria.system import Theoria
from memory_systems.base import SystemConfig
from memory_systems.store_file import FILE_NAME


@dataclass(frozen=True, slots=True)
class TheoriaPage:
    """``variants``: the run's labels of Theoria. ``scenarios``: their keys, where there is more
    than one. ``overview`` is None where the memory cannot be shown yet; ``missing`` says why."""

    run: str
    benchmark: str
    benchmark_title: str
    label: str
    variants: tuple[str, ...]
    scenario: str
    scenarios: tuple[str, ...]
    overview: Overview | None
    missing: str = ""


def theoria_page(*, run: str, variant: str = "", scenario: str = "") -> TheoriaPage:
    """Raises RunNotFound, TheoriaNotMeasured for a variant or scenario that is not the run's."""
    run_variant = get_theoria_variant(run=run, variant=variant)
    benchmark = run_variant.run.benchmark
    keys = tuple(benchmark.scenarios.order_by("position").values_list("key", flat=True))
    if scenario and scenario not in keys:
        raise TheoriaNotMeasured(f"the benchmark has no scenario {scenario!r}")
    siblings = run_variant.run.run_variants.filter(variant__system="theoria").order_by("position")
    overview, missing = None, ""
    try:
        folder = settled_store(run_variant=run_variant, scenario=scenario)
        changed_ns = (folder / FILE_NAME).stat().st_mtime_ns
        overview = _kept_overview(run_variant.variant, folder, changed_ns)
    except (TheoriaNotMeasured, OSError) as absence:
        missing = str(absence)
    return TheoriaPage(
        run=run_variant.run.public_id,
        benchmark=benchmark.slug,
        benchmark_title=benchmark.title,
        label=run_variant.variant.label,
        variants=tuple(siblings.values_list("variant__label", flat=True)),
        scenario=scenario or (keys[0] if keys else ""),
        scenarios=keys if len(keys) > 1 else (),
        overview=overview,
        missing=missing,
    )


@lru_cache(maxsize=16)
def _kept_overview(variant: Variant, folder: Path, changed_ns: int) -> Overview:  # noqa: ARG001
    """``changed_ns``: when the store's file was last written, so that nothing stale is shown."""
    config = SystemConfig(
        modality="dense",
        embedder=embedder(variant.embedder),
        parameters=variant.parts["parameters"],
        seed=variant.parts.get("seed", 0),
    )
    with closing(Theoria(config, folder)) as memory:
        if not memory.is_settled:
            raise TheoriaNotMeasured(
                "its communities and theories are not derived yet: the first question derives them"
            )
        return overview_of(memory)
