"""``manage.py rejudge RUN --judges J``: more judges for stored answers."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.door import Door, words
from evaluation.management.questions_file import read_question_ids
from evaluation.management.waiting import add_waiting, follow
from evaluation.services.judging import rejudge
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
            "--questions", metavar="FILE", help="only these: a file with a question id a line"
        )
        add_waiting(parser)

    def enter(self, options: dict[str, Any]) -> None:
        run = get_run(options["run"])
        asked = options["questions"]
        ids = frozenset(read_question_ids(asked)) if asked and asked != "all" else None
        with handing_over(options):
            works = [
                work
                for name in options["judges"]
                for work in rejudge(run=run, judge_name=name, question_ids=ids)
            ]
        n_answers = sum(work.n_expected for work in works)
        self.say(f"{n_answers:,} judgments planned for run {run.public_id}.")
        follow(self, run=run, options=options)
