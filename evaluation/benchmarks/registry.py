"""Every benchmark that can be generated and every format that can be loaded, by name.

Modules are imported on demand, so that one broken or unneeded part never stops the others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from evaluation.records import Benchmark

BENCHMARKS: dict[str, str] = {
    "scholia-prose": "evaluation.benchmarks.scholia.generator:scholia_prose",
    "scholia-terms": "evaluation.benchmarks.scholia.generator:scholia_terms",
    "toy-scientific": "evaluation.benchmarks.toys.scientific:toy_scientific",
    "toy-dependency": "evaluation.benchmarks.toys.dependency:toy_dependency",
    "toy-staleness": "evaluation.benchmarks.toys.staleness:toy_staleness",
}
LOADERS: dict[str, str] = {
    "srb": "evaluation.benchmarks.srb:load",
    "squad": "evaluation.benchmarks.squad:load",
    "folder": "evaluation.benchmarks.folder:load",
    "locomo": "evaluation.benchmarks.locomo:load",
    "longmemeval": "evaluation.benchmarks.longmemeval:load",
}


class UnknownBenchmark(ValueError):
    """No generated benchmark has this name."""


class UnknownFormat(ValueError):
    """No loader reads this format."""


class UnknownOption(ValueError):
    """The generator or loader has no such option."""


def generate_benchmark(name: str, **options: Any) -> Benchmark:
    """The generated benchmark ``name``. Options are its own (scholia: ``size``, ``seed``).
    Raises UnknownBenchmark, UnknownOption and what the generator raises."""
    if name not in BENCHMARKS:
        raise UnknownBenchmark(f"unknown benchmark “{name}”; known: {', '.join(BENCHMARKS)}")
    return _called(name, _imported(BENCHMARKS[name]), (), options)


def load_files(format_name: str, path: Path, **options: Any) -> Benchmark:
    """The benchmark in ``path``, read by the loader of ``format_name``. Raises UnknownFormat,
    UnknownOption and what the loader raises."""
    if format_name not in LOADERS:
        raise UnknownFormat(f"unknown format “{format_name}”; known: {', '.join(LOADERS)}")
    return _called(format_name, _imported(LOADERS[format_name]), (path,), options)


def _imported(target: str) -> Callable[..., Benchmark]:
    module, _, function = target.partition(":")
    found: Callable[..., Benchmark] = getattr(import_module(module), function)
    return found


def _called(
    name: str, function: Callable[..., Benchmark], arguments: tuple[Path, ...], options: Any
) -> Benchmark:
    known = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise UnknownOption(
            f"“{name}” has no option {', '.join(unknown)}; known: {', '.join(known) or 'none'}"
        )
    return function(*arguments, **options)
