"""``manage.py rejudge RUN --judges J``: more judges for stored answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.door import Door, words
from evaluation.management.waiting import add_waiting, check_waiting, follow
from evaluation.services.dispatch import works_kept_here
from evaluation.services.judging import NothingToJudge, rejudge
from evaluation.services.question_files import read_question_ids
from evaluation.services.runs import get_run


class Command(Door):
    help = (
        "Have the stored answers of a run judged by more judges. Judgments are added under the "
        "new judge's own key and replace none; nothing is retrieved or written again."
    )
    examples = (
        "rejudge 3fa9c2d41e --judges openai:gpt-4.1-mini",
        "rejudge 3fa9c2d41e --judges rubric --wait",
        "rejudge 3fa9c2d41e --judges anthropic:claude-sonnet-4-6 --questions sample.txt",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="the run's id")
        parser.add_argument(
            "--judges", type=words, required=True, metavar="J", help="names, separated by commas"
        )
        parser.add_argument(
            "--questions",
            type=Path,
            metavar="FILE",
            help="only these: a file with a question id a line",
        )
        add_waiting(parser)

    def enter(self, options: dict[str, Any]) -> None:
        check_waiting(options)
        run = get_run(options["run"])
        file = options["questions"]
        ids = frozenset(read_question_ids(path=file)) if file is not None else None
        n_planned = 0
        with works_kept_here():
            for name in options["judges"]:
                try:
                    works = rejudge(run=run, judge_name=name, question_ids=ids)
                except NothingToJudge as refusal:
                    if name == options["judges"][-1] and not n_planned:
                        raise
                    self.say(f"{name}: {refusal}")
                    continue
                n_planned += sum(work.n_expected for work in works)
        self.say(f"{n_planned:,} judgments planned.")
        follow(self, run=run, options=options)
