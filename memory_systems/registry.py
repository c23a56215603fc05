"""The memory systems, by name. It holds strings and imports on demand, so that one missing
package breaks one system only. To add a system, add one line to ``SYSTEMS``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Protocol

from memory_systems.base import MemorySystem, Modality, SystemConfig, SystemInfo, SystemRefused
from memory_systems.base import SystemNotInstalled as SystemNotInstalled
from memory_systems.chunking import chunk_spans
from memory_systems.lexical.engines import get_engine
from memory_systems.native.installation import why_not_usable

SYSTEMS: Mapping[str, str] = {
    "simple-rag": "memory_systems.adapters.simple_rag:SimpleRag",
    "bm25": "memory_systems.adapters.bm25:Bm25",
    "base-model": "memory_systems.adapters.base_model:BaseModel",
    "direct-read": "memory_systems.adapters.direct_read:DirectRead",
    "in-context": "memory_systems.adapters.in_context:InContext",
    "theoria": "memory_systems.adapters.theoria.system:Theoria",
    "prism": "memory_systems.adapters.prism:Prism",
    "oracle-context": "memory_systems.adapters.oracle_context:OracleContext",
    "mem0": "memory_systems.adapters.mem0.adapter:Mem0",
    "graphiti": "memory_systems.adapters.graphiti.adapter:Graphiti",
    "cognee": "memory_systems.adapters.cognee.adapter:Cognee",
    "hindsight": "memory_systems.adapters.hindsight.adapter:Hindsight",
}
HYBRID_SUFFIX = "+bm25"

Parameter = int | float | str | bool


class UnknownSystem(SystemRefused):
    """No memory system is registered under this name."""


class UnknownParameter(SystemRefused):
    """The system has no parameter of this name, or none of this type."""


class ParameterOutOfRange(SystemRefused):
    """A number that the system cannot use: below zero, not finite, a size of nothing, or too small
    for it."""


class ModalityNotSupported(SystemRefused):
    """The system cannot be run in this modality."""


class SystemClass(Protocol):
    """What a registry line points at: a class with its registration in ``INFO``."""

    INFO: SystemInfo

    def __call__(self, config: SystemConfig, folder: Path) -> MemorySystem: ...


def system_slugs() -> tuple[str, ...]:
    """Every registered system, in the order of the registry."""
    return tuple(SYSTEMS)


def system_info(slug: str) -> SystemInfo:
    """Raises UnknownSystem, SystemNotInstalled."""
    return _system_class(slug).INFO


def why_not_installed(slug: str) -> str:
    """A sentence with the command that installs what the system lacks here; empty where it can
    run. Raises UnknownSystem."""
    try:
        info = system_info(slug)
    except SystemNotInstalled as absence:
        return str(absence)
    return why_not_usable(slug) if info.package else ""


def require_installed(slug: str) -> None:
    """Raises SystemNotInstalled, in the words of ``why_not_installed``, and UnknownSystem."""
    if absence := why_not_installed(slug):
        raise SystemNotInstalled(absence)


def open_system(slug: str, config: SystemConfig, folder: Path) -> MemorySystem:
    """Open the system's memory in ``folder``, made where it does not exist.

    Parameters that are not set take their defaults. Raises UnknownSystem, SystemNotInstalled,
    ModalityNotSupported, UnknownParameter, ParameterOutOfRange, and what else the adapter refuses
    (SystemRefused).
    """
    system = _system_class(slug)
    _check_modality(system.INFO, config.modality)
    require_installed(slug)
    parameters = checked_parameters(slug, config.parameters)
    try:
        return system(replace(config, parameters=parameters), folder)
    except ModuleNotFoundError as error:
        raise _not_installed(slug, error) from error


def checked_parameters(slug: str, given: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """All of the system's parameters by name: those given, the others at their defaults.

    Raises UnknownSystem, SystemNotInstalled, UnknownParameter for a name or a type that the system
    does not declare, ParameterOutOfRange and ChunkSizeNotValid for a number that cannot be meant,
    and UnknownLexicalEngine.
    """
    info = system_info(slug)
    defaults = {**info.ingest_parameters, **info.retrieval_parameters}
    for name, value in given.items():
        if name not in defaults:
            known = ", ".join(sorted(defaults)) or "none"
            raise UnknownParameter(
                f"memory system {slug!r} has no parameter {name!r}; known: {known}"
            )
        default = defaults[name]
        is_number = isinstance(default, float) and type(value) is int
        if type(value) is not type(default) and not is_number:
            raise UnknownParameter(
                f"parameter {name!r} of memory system {slug!r} takes a {type(default).__name__} "
                f"such as {default!r}; got {value!r}"
            )
        _check_range(slug, name, value, default, info.least_values.get(name, 0))
    parameters = {**defaults, **given}
    overlap = int(parameters.get("overlap_chars", 0))
    for size in ("chunk_chars", "episode_chars"):
        if parameters.get(size):
            chunk_spans("", chunk_chars=int(parameters[size]), overlap_chars=overlap)
    if "lexical_engine" in parameters:
        get_engine(str(parameters["lexical_engine"]))
    return parameters


def _check_range(slug: str, name: str, value: Parameter, default: Parameter, least: float) -> None:
    """0 characters, or 0 results, is nothing at all, except of an overlap or a filler and where 0
    is the default and stands for no limit."""
    if isinstance(value, (str, bool)):
        return
    told = f"parameter {name!r} of memory system {slug!r}"
    if not math.isfinite(value) or value < 0:
        raise ParameterOutOfRange(f"{told} takes no negative or infinite number; got {value!r}")
    is_size = name == "k" or name.endswith(("_chars", "_k", "_tokens"))
    if is_size and default != 0 and not name.startswith(("overlap_", "filler_")):
        least = max(least, 1)
    if value < least:
        raise ParameterOutOfRange(
            f"{told} must be at least {least:,}, such as {default!r}; got {value!r}"
        )


def parse_variant_slug(slug: str) -> tuple[str, Modality]:
    """``simple-rag+bm25`` is ("simple-rag", "hybrid"); a plain slug is its system's plain form.

    Raises UnknownSystem, ModalityNotSupported, SystemNotInstalled.
    """
    system = slug.removesuffix(HYBRID_SUFFIX)
    info = system_info(system)
    if system == slug:
        return slug, info.modalities[0]
    _check_modality(info, "hybrid")
    return system, "hybrid"


def variant_slug(system: str, modality: Modality) -> str:
    """The inverse of ``parse_variant_slug``: ``<system>`` for the plain form, ``<system>+bm25``
    for the hybrid. Raises UnknownSystem, ModalityNotSupported, SystemNotInstalled."""
    info = system_info(system)
    _check_modality(info, modality)
    return system if modality == info.modalities[0] else f"{system}{HYBRID_SUFFIX}"


def _system_class(slug: str) -> SystemClass:
    if slug not in SYSTEMS:
        raise UnknownSystem(f"unknown memory system {slug!r}; known: {', '.join(SYSTEMS)}")
    module, _, attribute = SYSTEMS[slug].partition(":")
    try:
        found: SystemClass = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise _not_installed(slug, error) from error
    return found


def _not_installed(slug: str, error: ModuleNotFoundError) -> SystemNotInstalled:
    package = (error.name or str(error)).partition(".")[0]
    return SystemNotInstalled(
        f"memory system {slug!r} needs the Python module {package!r}, which is not installed; "
        "install the project's requirements (requirements/base.txt), or the system's own"
    )


def _check_modality(info: SystemInfo, modality: Modality) -> None:
    if modality not in info.modalities:
        raise ModalityNotSupported(
            f"memory system {info.slug!r} has no {modality} modality; "
            f"supported: {', '.join(info.modalities)}"
        )
