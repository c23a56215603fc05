"""``manage.py import_votes CAMPAIGN FILE --format F``: votes that were cast elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotation.management.door import CampaignDoor
from annotation.services.importing_votes import import_votes
from annotation.vote_formats.formats import READERS
from annotation.vote_formats.rows import NAMED_PROBLEMS, BrokenRows, ReadOptions
from evaluation.management.door import one_line, show_problems


class Command(CampaignDoor):
    help = (
        "Import votes as a new, closed campaign, marked as imported. A row that cannot be read "
        "refuses the file and is named; nothing is guessed, and all is stored or nothing. "
        "Verdicts of language models are never counted beside people's votes."
    )
    examples = (
        "import_votes llmfao llmfao.csv --format evalica",
        "import_votes pandalm testset-v1.json gpt-3.5-turbo-testset-v1.json --format pandalm",
        "import_votes second-look votes.jsonl --format jsonl",
        "import_votes labelled export.json --format label-studio --systems modelA,modelB",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="the new campaign's name")
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="gzip is unpacked")
        parser.add_argument(
            "--format", required=True, metavar="F", help=f"{', '.join(READERS)} (csv, jsonl: ours)"
        )
        parser.add_argument(
            "--systems",
            metavar="LEFT,RIGHT",
            help="label-studio, potato: the fields that name the two systems of an item",
        )
        parser.add_argument(
            "--question",
            default="",
            metavar="NAME",
            help="label-studio, potato: which of several questions on a pair is the vote",
        )
        parser.add_argument(
            "--models", action="store_true", help="the file's raters are language models"
        )

    def enter(self, options: dict[str, Any]) -> None:
        try:
            imported = import_votes(
                name=options["campaign"],
                paths=options["files"],
                format=options["format"],
                now=timezone.now(),
                options=ReadOptions(
                    systems=_two(options["systems"]),
                    question=options["question"],
                    models=options["models"],
                ),
            )
        except BrokenRows as refusal:
            show_problems(self, refusal.problems[:NAMED_PROBLEMS])
            raise CommandError(one_line(str(refusal))) from refusal
        self.stdout.write(imported.sentence)
        for note in imported.notes:
            self.say(note)


def _two(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    left, is_two, right = (part.strip() for part in text.partition(","))
    if not (left and is_two and right) or "," in right:
        raise CommandError("--systems takes two names of fields, as LEFT,RIGHT", returncode=2)
    return left, right
