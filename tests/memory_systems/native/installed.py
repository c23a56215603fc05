"""The published systems that are installed here, for tests with the real packages.

They are looked for in TEST_SYSTEMS, else in ``var/systems`` of the project. Those that take minutes
and gigabytes run under ``make test-systems`` (TEST_HEAVY_SYSTEMS=1) alone.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from memory_systems.base import Modality, SystemConfig
from memory_systems.native.installation import find_installation, pins_of
from memory_systems.native.memory import NativeMemory
from memory_systems.registry import checked_parameters, open_system, system_info, system_slugs
from tests.memory_systems.contract import ITEMS
from tests.memory_systems.hashing_embedder import HashingEmbedder

ROOT = Path(__file__).parents[3]
FEW = (
    *(replace(item, text=item.text[:700]) for item in ITEMS[:3]),
    *ITEMS[6:8],
)
LIGHT = frozenset({"mem0", "graphiti"})
SYSTEMS_FOLDER = Path(os.environ.get("TEST_SYSTEMS") or ROOT / "var" / "systems").resolve()
PACKAGES = [slug for slug in system_slugs() if system_info(slug).package]


def why_skipped(slug: str) -> str:
    """A sentence that names the command that helps; empty where the system can be tried."""
    if slug not in LIGHT and os.environ.get("TEST_HEAVY_SYSTEMS") != "1":
        return f"{slug} is heavy: `make test-systems` runs it"
    found = find_installation(slug, SYSTEMS_FOLDER)
    if found is None:
        return f"{slug} is not installed: `python manage.py install_system {slug}` installs it"
    if found.pins != pins_of(slug):
        return f"{slug} is outdated: `python manage.py install_system {slug} --upgrade` renews it"
    return ""


def cases(*, modalities: int = 9) -> list[object]:
    """(slug, modality) of every published system and its first modalities, skipped with its reason
    where it must be."""
    return [
        pytest.param(
            slug,
            modality,
            marks=[pytest.mark.skipif(bool(why_skipped(slug)), reason=why_skipped(slug) or "-")],
            id=f"{slug}-{modality}",
        )
        for slug in PACKAGES
        for modality in system_info(slug).modalities[:modalities]
    ]


def open_installed(slug: str, modality: Modality, folder: Path, model: object) -> NativeMemory:
    """``model`` is a ModelAddress, which the memory closes."""
    config = SystemConfig(
        modality,
        embedder=HashingEmbedder() if system_info(slug).uses_embedder else None,
        parameters=checked_parameters(slug, {}),
        model=model,  # type: ignore[arg-type]
    )
    memory = open_system(slug, config, folder)
    assert isinstance(memory, NativeMemory)
    return memory
