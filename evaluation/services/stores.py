"""Where memories live on this machine, and opening them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import cast

from django.conf import settings

from evaluation.models import Run, RunVariant, Scenario, Variant
from evaluation.protocol.lifetime import Lifetime
from evaluation.services.benchmarks import scenario_record
from evaluation.services.model_access import embedder, model_proxy
from memory_systems.base import MemorySystem, Modality, SystemConfig
from memory_systems.registry import open_system, system_info


def open_variant(*, variant: Variant, folder: Path, run: Run | None = None) -> MemorySystem:
    """The variant's memory in that folder; what its own model is asked counts as the run's.

    Raises SystemNotInstalled and the like.
    """
    return open_variant_as(
        variant=variant, modality=cast(Modality, variant.modality), folder=folder, run=run
    )


def open_variant_as(
    *, variant: Variant, modality: Modality, folder: Path, run: Run | None = None
) -> MemorySystem:
    """The same memory read in another of the system's modalities."""
    parameters = variant.parts["parameters"]
    used = embedder(variant.embedder) if variant.embedder else None
    model = None
    if system_info(variant.system).uses_model and parameters["model"]:
        model = model_proxy(name=parameters["model"], embedder=used, run=run)
    config = SystemConfig(
        modality=modality,
        embedder=used,
        parameters=parameters,
        seed=variant.parts.get("seed", 0),
        model=model,
    )
    try:
        return open_system(variant.system, config, folder)
    except BaseException:
        if model is not None:
            model.close()
        raise


def store_folder(*, store_key: str, scenario: Scenario) -> Path:
    name = hashlib.sha256(scenario.key.encode()).hexdigest()[:12]
    return Path(settings.MEMJURY_DATA) / "stores" / store_key[:32] / name


def lifetime_of(*, run_variant: RunVariant, scenario: Scenario) -> Lifetime:
    """The scenario's lifetime in this variant's store on this machine."""
    variant = run_variant.variant
    return Lifetime(
        scenario_record(scenario.pk),
        lambda folder: open_variant(variant=variant, folder=folder, run=run_variant.run),
        store_folder(store_key=run_variant.store_key, scenario=scenario),
    )
