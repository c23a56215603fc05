"""``manage.py ingest_report RUN``: what taking the documents in cost, and what was lost."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.door import Door, add_format, one_line
from evaluation.queries.ingest_report import StoreIngest, ingest_report

COLUMNS = ("documents", "units", "calls", "tokens", "cost", "seconds", "errors", "empty")


class Command(Door):
    help = (
        "Print the ingest report of a run: for every store its documents, stored units, model "
        "calls, tokens, cost and seconds, and each document that had errors or left nothing."
    )
    examples = ("ingest_report 3fa9c2d41e", "ingest_report 3fa9c2d41e --format json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="a run's id")
        add_format(parser, "table", "json")

    def enter(self, options: dict[str, Any]) -> None:
        report = ingest_report(options["run"])
        if options["format"] == "json":
            self.write_json(asdict(report))
            return
        for store in report.stores:
            self.show(store)

    def show(self, store: StoreIngest) -> None:
        cost = "unknown" if store.cost_usd is None else f"${store.cost_usd:.4f}"
        values = (
            f"{store.n_steps:,}",
            f"{store.n_units:,}",
            f"{store.model_calls:,}",
            f"{store.tokens:,}",
            cost,
            f"{store.seconds:.1f}",
            f"{store.n_with_errors:,}",
            f"{store.n_empty:,}",
        )
        told = ", ".join(f"{name} {value}" for name, value in zip(COLUMNS, values, strict=True))
        self.stdout.write(f"{' and '.join(store.labels)}\n  {told}")
        for one in store.troubled:
            for error in one.errors:
                self.stdout.write(f"  {one.item_id} ({one.n_units:,} units): {one_line(error)}")
