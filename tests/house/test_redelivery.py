"""What a killed worker had taken is handed out again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT
from webapp.supervisor.broker import broker_problem, embedded_broker

pytestmark = pytest.mark.worker

TASKS = """
import os, time
from pathlib import Path
from webapp.celery import app

@app.task(name="slow")
def slow(folder):
    log = Path(folder, "log")
    with log.open("a") as stream:
        stream.write(f"start {os.getpid()}\\n")
    while not Path(folder, "go").exists():
        time.sleep(0.05)
    with log.open("a") as stream:
        stream.write(f"end {os.getpid()}\\n")
"""


@contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(condition: Callable[[], bool], what: str, *, seconds: float = 40) -> None:
    give_up_at = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up_at, f"waited in vain until {what}"
        time.sleep(0.05)


def test_a_killed_worker_and_its_pool_are_gone_and_its_task_runs_again_at_once(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "slow_task.py").write_text(TASKS)
    data, log = Path(process_environment["MEMJURY_DATA"]), tmp_path / "log"
    url, broker = embedded_broker(data)
    environment = process_environment | {
        "MEMJURY_EMBEDDED_WORKER": "1",
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}",
    }
    celery = [sys.executable, "-m", "celery", "--app", "webapp"]
    worker = [*celery, "worker", "--concurrency", "1", "--include", "slow_task"]

    def starts() -> list[int]:
        lines = log.read_text().splitlines() if log.exists() else []
        return [int(line.split()[1]) for line in lines if line.startswith("start")]

    with running(list(broker.command), environment):
        wait_for(lambda: broker_problem(url) is None, "the broker answers")
        subprocess.run(
            [*celery, "call", "slow", "--args", f'["{tmp_path}"]'],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
        )
        with running(worker, environment) as first:
            wait_for(lambda: len(starts()) == 1, "the task has started")
            os.kill(first.pid, signal.SIGKILL)
            first.wait()
        pool_process = Path(f"/proc/{starts()[0]}/environ")
        wait_for(lambda: is_dead(pool_process), "the pool has died with its worker", seconds=5)
        with running(worker, environment):
            wait_for(lambda: len(starts()) == 2, "the task has started again", seconds=20)
            (tmp_path / "go").touch()
            wait_for(lambda: "end" in log.read_text(), "the task has ended")
    assert log.read_text().count("end") == 1


def is_dead(environ: Path) -> bool:
    """Gone, or a zombie: then nothing can be read of it."""
    try:
        return not environ.read_bytes()
    except OSError:
        return True
