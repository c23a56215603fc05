"""Benchmarks by name or from files into the database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation import records
from evaluation.benchmarks.registry import (
    BENCHMARKS,
    LOADERS,
    UnknownBenchmark,
    generate_benchmark,
    load_files,
)
from evaluation.models import Benchmark
from evaluation.services.benchmarks import store_benchmark
from evaluation.source_files.refusals import WrongKindOfFile

FOLDERS, FILES = ("srb", "folder"), ("squad", "locomo", "longmemeval")


class CannotLoadAgain(Exception):
    """Nothing says where the benchmark came from."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """``is_new`` is False where this very revision was stored before: nothing was changed.
    ``format`` is empty for a generated benchmark."""

    benchmark: Benchmark
    report: records.LoaderReport
    format: str
    is_new: bool


def load_benchmark(
    *,
    name_or_path: str,
    format: str | None = None,
    size: str | None = None,
    seed: int | None = None,
    slice_file: Path | None = None,
    slug: str | None = None,
    title: str | None = None,
    licence: str | None = None,
    is_upload: bool = False,
) -> Loaded:
    """Generate the benchmark of that name, or read the file or folder, and store it.

    ``size`` and ``seed`` belong to generated ones, ``slice_file`` (documents to keep), ``slug``,
    ``title`` and ``licence`` to files. Without ``format`` the first loader that takes the file is
    used. ``is_upload``: the file is here only while it is read.

    Raises UnknownBenchmark, UnknownFormat, UnknownOption, WrongKindOfFile, SlugUnusable.
    """
    of_generator: dict[str, Any] = {"size": size, "seed": seed}
    of_loader: dict[str, Any] = {
        "slice_file": slice_file,
        "slug": slug,
        "title": title,
        "licence": licence,
    }
    options = {
        option: value for option, value in (of_generator | of_loader).items() if value is not None
    }
    if format is None and name_or_path in BENCHMARKS:
        source = {"name": name_or_path, "options": options}
        return _stored(generate_benchmark(name_or_path, **options), source)
    path = Path(name_or_path)
    if format is None and not path.exists():
        raise UnknownBenchmark(
            f"“{name_or_path}” is neither a file or folder nor a benchmark that can be generated; "
            f"those are {', '.join(BENCHMARKS)}"
        )
    if format is None:
        loaded, format = _by_trying(path, options)
    else:
        loaded = load_files(format, path, **options)
    if is_upload:
        return _stored(loaded, {"upload": path.name, "format": format})
    kept = {name: str(value) for name, value in options.items()}
    return _stored(loaded, {"path": str(path.resolve()), "format": format, "options": kept})


def load_again(*, benchmark: Benchmark) -> records.Benchmark:
    """The benchmark from where it was loaded; nothing is stored. Raises CannotLoadAgain, and what
    the loader raises."""
    source = benchmark.loaded_from
    options = dict(source.get("options", {}))
    if "name" in source:
        return generate_benchmark(source["name"], **options)
    if "path" not in source:
        raise CannotLoadAgain(f"where {benchmark.slug} was loaded from is not known")
    if "slice_file" in options:
        options["slice_file"] = Path(options["slice_file"])
    return load_files(source["format"], Path(source["path"]), **options)


def _by_trying(path: Path, options: dict[str, Any]) -> tuple[records.Benchmark, str]:
    refusals = []
    for format in FOLDERS if path.is_dir() else FILES:
        try:
            return load_files(format, path, **options), format
        except WrongKindOfFile as refusal:
            refusals.append(f"as {format}: {refusal.reason}")
    raise WrongKindOfFile(
        path,
        f"no loader takes it ({'; '.join(refusals)}). Name the right one of {', '.join(LOADERS)} "
        "to see what is wrong",
    )


def _stored(benchmark: records.Benchmark, source: dict[str, Any]) -> Loaded:
    row, is_new = store_benchmark(benchmark=benchmark)
    if row.loaded_from != source:
        row.loaded_from = source
        row.save(update_fields=["loaded_from"])
    return Loaded(row, benchmark.report, source.get("format", ""), is_new)
