"""``manage.py run_control RUN pause|resume|force|cancel|retry``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from evaluation.management.door import Door
from evaluation.services.run_control import cancel_run, pause_run, resume_run
from evaluation.services.runs import get_run

ACTIONS = {
    "pause": "stop after the current cells; everything done is kept",
    "resume": "go on where it stopped",
    "force": "go on despite what the doctor found",
    "cancel": "ask nothing more, for good; what is done stays readable",
    "retry": "try the errored cells again; their earlier attempts are kept",
}


class Command(Door):
    help = "Pause, resume or cancel a run, or try its errored cells again."
    examples = ("run_control 3fa9c2d41e pause", "run_control 3fa9c2d41e retry")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="the run's id")
        told = "; ".join(f"{name}: {what}" for name, what in ACTIONS.items())
        parser.add_argument("action", choices=list(ACTIONS), help=told)

    def enter(self, options: dict[str, Any]) -> None:
        run, action = get_run(options["run"]), options["action"]
        if action == "pause":
            pause_run(run=run)
            self.stdout.write(f"Run {run.public_id} is paused.")
        elif action == "cancel":
            cancel_run(run=run)
            self.stdout.write(f"Run {run.public_id} is cancelled.")
        else:
            n_works = resume_run(run=run, retry_errored=action == "retry", force=action == "force")
            self.stdout.write(f"Run {run.public_id} goes on with {n_works:,} pieces of work.")
