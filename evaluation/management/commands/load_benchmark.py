"""``manage.py load_benchmark NAME_OR_PATH``: documents and questions into the database."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.benchmarks.registry import BENCHMARKS, LOADERS
from evaluation.management.door import Door, show_problems
from evaluation.services.loading import load_benchmark

COUNTS = {
    "n_documents": "documents",
    "n_questions": "questions (holdout included)",
    "n_facts": "must-have facts",
    "n_spans_found": "source spans where stated",
    "n_spans_relocated": "relocated",
    "n_spans_ambiguous": "of these to one of several places",
    "n_spans_missing": "missing",
}


class Command(Door):
    help = (
        "Load a benchmark: one that is generated here, by its name, or files in one of the formats "
        "below. The same revision again changes nothing; another one is kept beside it. Says what "
        "the loader found, relocated and could not read."
    )
    examples = (
        "load_benchmark scholia-prose",
        "load_benchmark scholia-terms --size small --seed 7",
        "load_benchmark covidqa_ccby_only.json --format squad --slug covidqa --licence 'CC BY'",
        "load_benchmark benchmarks/paim --format srb --slice eighty.txt --slug paim-80",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "name_or_path",
            metavar="NAME_OR_PATH",
            help=f"a file, a folder, or a name: {', '.join(BENCHMARKS)}",
        )
        parser.add_argument(
            "--format",
            metavar="F",
            help=f"{', '.join(LOADERS)}; default: the first that takes the file",
        )
        parser.add_argument("--slug", help="its name in addresses and commands")
        parser.add_argument("--title", help="its name for people")
        parser.add_argument("--licence", help="as its source states it")
        parser.add_argument(
            "--slice",
            type=Path,
            metavar="FILE",
            help="keep only these documents: a file with a document id a line",
        )
        parser.add_argument("--size", help="of a generated benchmark: small or standard (default)")
        parser.add_argument("--seed", type=int, help="of a generated benchmark")

    def enter(self, options: dict[str, Any]) -> None:
        loaded = load_benchmark(
            name_or_path=options["name_or_path"],
            format=options["format"],
            size=options["size"],
            seed=options["seed"],
            slice_file=options["slice"],
            slug=options["slug"],
            title=options["title"],
            licence=options["licence"],
        )
        report = asdict(loaded.report)
        show_problems(self, loaded.report.problems)
        row = loaded.benchmark
        counts = [f"{report[name]:,} {label}" for name, label in COUNTS.items() if report[name]]
        state = "loaded" if loaded.is_new else "was loaded already (the same revision)"
        read_as = f" as {loaded.format}" if loaded.format else ""
        self.stdout.write(f"{row.slug} {state}{read_as}, revision {row.revision[:12]}.")
        if counts:
            self.stdout.write(f"{', '.join(counts)}.")
