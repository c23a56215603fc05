"""A tiny measured run, for tests of what comes after measuring."""

from __future__ import annotations

from typing import Any

from evaluation.models import Run
from evaluation.services.dispatch import works_kept_here
from evaluation.services.in_process import run_to_end
from evaluation.services.loading import load_benchmark
from evaluation.services.run_options import RunOptions
from evaluation.services.runs import create_run

TOY = "toy-scientific"


def planned_run(**options: Any) -> Run:
    """A run of the toy benchmark that nobody has begun."""
    load_benchmark(name_or_path=TOY)
    chosen: dict[str, Any] = {
        "systems": ("bm25", "base-model"),
        "tracks": ("native", "1k"),
        "embedder": "static",
        **options,
    }
    with works_kept_here():
        return create_run(options=RunOptions(benchmark=TOY, **chosen))


def measured_run(**options: Any) -> Run:
    return run_to_end(run=planned_run(**options))
