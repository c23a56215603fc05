"""``manage.py leaderboard B``: the page's table in a terminal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation.management.board_table import board_csv, board_text
from evaluation.management.door import Door, add_format
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.services.page_json import page_json


class Command(Door):
    help = (
        "Print the leaderboard of a benchmark: one comparison key, one judge, one track. The rows "
        "are those of the page and of the API. Ranks are intervals: 2–4 means that the data allow "
        "any of these."
    )
    examples = (
        "leaderboard scholia-prose",
        "leaderboard scholia-prose --track 30k --modality hybrid --tier L2",
        "leaderboard paim --source published --track native",
        "leaderboard scholia-prose --format csv > board.csv",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("benchmark", metavar="B", help="a benchmark's slug")
        parser.add_argument("--track", default="", help="native, 10k … (default: a middle budget)")
        parser.add_argument("--modality", default="", help="dense, lexical, hybrid, none or other")
        parser.add_argument("--tier", default="", help="only questions of this tier")
        parser.add_argument("--type", default="", help="only questions of this type")
        parser.add_argument(
            "--slice",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="only questions of this slice, whatever slices the benchmark has",
        )
        parser.add_argument("--measure", default="", help="default: the family's main measure")
        parser.add_argument("--judge", default="", help="a judge's name or key; mean for all")
        parser.add_argument("--protocol", default="", help="a comparison key or its start")
        parser.add_argument("--source", default="", help="measured, published or all")
        parser.add_argument("--search", default="", help="only variants whose name has this")
        parser.add_argument(
            "--sort", default="", help="rank (default), score, system, chars, query, cost, a tier …"
        )
        add_format(parser, "table", "csv", "json")

    def enter(self, options: dict[str, Any]) -> None:
        page = leaderboard_page(
            options["benchmark"],
            BoardFilters(
                protocol=options["protocol"],
                judge=options["judge"],
                measure=options["measure"],
                track=options["track"],
                modality=options["modality"],
                source=options["source"],
                search=options["search"],
                slices=asked_slices(options),
                sort=options["sort"],
            ),
        )
        if options["format"] == "json":
            self.write_json(page_json(page))
        elif options["format"] == "csv":
            self.stdout.write(board_csv(page), ending="")
        else:
            self.stdout.write(board_text(page))


def asked_slices(options: dict[str, Any]) -> dict[str, str]:
    """``--tier``, ``--type`` and every ``--slice NAME=VALUE``."""
    slices = {name: options[name] for name in ("tier", "type") if options[name]}
    for text in options["slice"]:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise CommandError(f"--slice takes NAME=VALUE, not {text!r}", returncode=2)
        slices[name] = value
    return slices
