"""Waiting for a run in a terminal: its stages as progress bars, read from its rows."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError
from tqdm import tqdm

from evaluation.management.door import Door
from evaluation.models import Run
from evaluation.queries.run_pages import run_page
from evaluation.queries.runs import RunPage
from evaluation.services.dispatch import ready_works, send_works
from evaluation.services.in_process import run_to_end
from evaluation.services.workers import workers_answering

POLL_SECONDS = 1.0


def add_waiting(parser: CommandParser) -> None:
    parser.add_argument(
        "--wait",
        action="store_true",
        help="stay until it has ended, with its progress; exit 1 if it paused or cells errored",
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="with --wait: do the work here, one piece after another, without a worker",
    )


def check_waiting(options: dict[str, Any]) -> None:
    if options["in_process"] and not options["wait"]:
        raise CommandError("--in-process needs --wait", returncode=2)


def follow(door: Door, *, run: Run, options: dict[str, Any]) -> None:
    """Print the run's id and address, hand it over or do it here, and wait for its end if asked.
    Raises CommandError when it stopped before its end or cells errored."""
    door.stdout.write(run.public_id)
    door.say(f"run {run.public_id}: {run_address(run)}")
    if not options["in_process"]:
        hand_over(run)
    if not options["wait"]:
        return
    with progress_bars() if sys.stderr.isatty() else progress_lines(door) as show:
        try:
            if options["in_process"]:
                run_to_end(run=run, after_work=lambda: show(progress_of(run)))
            else:
                _wait(run, show)
        except KeyboardInterrupt as error:
            raise CommandError(_interrupted(run, options), returncode=130) from error
        page = progress_of(run)
        show(page)
    report_end(door, page)


def hand_over(run: Run) -> None:
    """To the workers. Raises CommandError where the broker is not there."""
    try:
        send_works(ready_works(run=run))
    except BrokerError as error:
        raise CommandError(f"the broker does not answer. {_stored(run)}") from error


def _stored(run: Run) -> str:
    return (
        f"Run {run.public_id} is stored and starts as soon as a worker is there (`manage.py up`); "
        f"or do it here: manage.py run_benchmark --resume {run.public_id} --wait --in-process"
    )


def progress_of(run: Run) -> RunPage:
    return run_page(run.public_id, now=timezone.now())


def run_address(run: Run) -> str:
    return f"{site_address()}/runs/{run.public_id}/"


def site_address() -> str:
    """MEMJURY_ADDRESS, else where the site of this data folder was started last, else where it
    would start."""
    started = Path(settings.MEMJURY_DATA) / "address"
    host = f"http://{settings.MEMJURY_HOST}:{settings.MEMJURY_PORT}"
    local = started.read_text().strip() if started.exists() else host
    return str(settings.MEMJURY_ADDRESS or local)


def _wait(run: Run, show: Callable[[RunPage], None]) -> None:
    if not workers_answering():
        raise CommandError(f"no worker answers. {_stored(run)}")
    while (page := progress_of(run)).is_live:
        show(page)
        time.sleep(POLL_SECONDS)


def _interrupted(run: Run, options: dict[str, Any]) -> str:
    if options["in_process"]:
        return (
            f"interrupted; what is done is kept. Go on with: manage.py run_benchmark "
            f"--resume {run.public_id} --wait --in-process"
        )
    return (
        f"no longer waiting; run {run.public_id} goes on. Stop it with: "
        f"manage.py run_control {run.public_id} pause"
    )


@contextmanager
def progress_bars() -> Iterator[Callable[[RunPage], None]]:
    """One bar a stage, on stderr, made when the stage is first seen."""
    bars: dict[str, tqdm[Any]] = {}

    def show(page: RunPage) -> None:
        for stage in page.stages:
            if not stage.n_total:
                continue
            if stage.name not in bars:
                bars[stage.name] = tqdm(
                    total=stage.n_total,
                    desc=stage.name,
                    unit=f" {stage.unit}",
                    position=len(bars),
                    dynamic_ncols=True,
                )
            bar = bars[stage.name]
            bar.total = stage.n_total
            bar.update(stage.n_done - bar.n)
            bar.refresh()

    try:
        yield show
    finally:
        for bar in bars.values():
            bar.close()


@contextmanager
def progress_lines(door: Door) -> Iterator[Callable[[RunPage], None]]:
    """For a log instead of a terminal: one line when a stage is done."""
    said: set[str] = set()

    def show(page: RunPage) -> None:
        for stage in page.stages:
            if stage.n_total and stage.is_done and stage.name not in said:
                said.add(stage.name)
                door.say(f"{stage.name}: {stage.n_done:,} {stage.unit}")

    yield show


def report_end(door: Door, page: RunPage) -> None:
    run = page.run
    if run.state != "finished":
        reason = f": {page.stopped_reason}" if page.stopped_reason else ""
        raise CommandError(f"run {run.public_id} is {run.state}{reason}")
    unscored = f", {page.n_unscored:,} unscored" if page.n_unscored else ""
    door.say(f"{page.n_answered:,} answers{unscored}, {run.n_errored:,} errored cells.")
    if run.n_errored:
        newest = next((error.message for error in page.errors if not error.resolved), "")
        raise CommandError(
            f"{run.n_errored:,} cells of run {run.public_id} errored, the newest with: {newest}. "
            f"Try them again with: manage.py run_control {run.public_id} retry"
        )
