"""The supervisor with small programs in the place of broker, worker and web server."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house.site_process import living_processes
from webapp.supervisor.child import Service
from webapp.supervisor.preflight import CannotStart
from webapp.supervisor.restarts import RestartPolicy
from webapp.supervisor.supervisor import ChildGaveUp, StopRequested, Supervisor

pytestmark = pytest.mark.worker
SLEEP = "import time; time.sleep(60)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf'); {SLEEP}"


class House:
    """A supervisor, what it said, and the processes it has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[tuple[str, str]] = []
        self.supervisor = Supervisor(
            folder=ROOT,
            log_folder=folder / "logs",
            say=lambda who, what: self.said.append((who, what)),
            restarts=lambda: RestartPolicy(most_deaths=2),
        )

    def service(self, name: str, script: str, *, stop_seconds: float = 5) -> Service:
        return Service(
            name=name,
            command=(sys.executable, "-c", script),
            environment={"MEMJURY_DATA": str(self.folder)},
            stop_seconds=stop_seconds,
        )

    def wait_for_log(self, name: str, words: str) -> None:
        file = self.folder / "logs" / f"{name}.log"

        def problem() -> str | None:
            return None if file.exists() and words in file.read_text() else f"no {words!r}"

        self.supervisor.wait_until(problem, seconds=20, what=name)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_a_child_that_keeps_dying_is_given_up_with_its_last_words(house: House) -> None:
    script = "print('the reason'); raise SystemExit(3)"
    with house.supervisor as supervisor:
        supervisor.start(house.service("worker", script))
        with pytest.raises(ChildGaveUp) as caught:
            supervisor.run()
    assert "The worker ended (code 3), 2 times within 120 seconds" in str(caught.value)
    assert "Its last words: the reason" in str(caught.value)
    assert house.said == [("worker", "ended (code 3); starting it again in 1 s")]


@pytest.fixture
def heeds_hangups() -> Iterator[None]:
    """A site under `nohup` goes on at a hangup; these tests may themselves run under it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_every_child(
    house: House, number: signal.Signals, heeds_hangups: None
) -> None:
    with house.supervisor as supervisor:
        for name in ("broker", "worker"):
            supervisor.start(house.service(name, SLEEP))
        threading.Timer(0.5, os.kill, (os.getpid(), number)).start()
        with pytest.raises(StopRequested):
            supervisor.run()
    assert living_processes(house.folder) == {}
    assert house.said == []


def test_a_child_that_does_not_listen_is_killed_in_the_end(house: House) -> None:
    with house.supervisor as supervisor:
        supervisor.start(house.service("web", DEAF, stop_seconds=0.5))
        house.wait_for_log("web", "deaf")
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert living_processes(house.folder) == {}
    assert house.said == [("web", "did not stop in time and is killed")]


def test_what_a_child_has_started_goes_with_it(house: House) -> None:
    nested = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {DEAF!r}]); {SLEEP}"
    with house.supervisor as supervisor:
        supervisor.start(house.service("worker", nested))
        house.wait_for_log("worker", "deaf")
        assert len(living_processes(house.folder)) == 2
    give_up_at = time.monotonic() + 2
    while living_processes(house.folder):
        assert time.monotonic() < give_up_at


def test_loud_lines_reach_the_terminal_and_all_lines_the_log(house: House) -> None:
    script = (
        "print('2026-01-01 10:00:00 WARNING evaluation: slow'); print('INFO quiet'); "
        f"print('x' * 50000); print('end', flush=True); {SLEEP}"
    )
    with house.supervisor as supervisor:
        supervisor.start(house.service("worker", script))
        house.wait_for_log("worker", "end")
    log = (house.folder / "logs" / "worker.log").read_text()
    assert house.said == [("worker", "WARNING evaluation: slow")]
    assert "INFO quiet" in log
    assert max(len(line) for line in log.splitlines()) <= 20_000


def test_a_step_that_fails_is_reported_with_its_last_words(house: House) -> None:
    with house.supervisor as supervisor:
        supervisor.run_once(house.service("static", "print('collected')"))
        with pytest.raises(CannotStart, match=r"The step 'static' failed.*no space"):
            supervisor.run_once(house.service("static", "raise SystemExit('no space')"))


def test_what_does_not_come_up_in_time_is_named(house: House) -> None:
    with house.supervisor as supervisor, pytest.raises(CannotStart) as caught:
        supervisor.wait_until(lambda: "it is shy", seconds=0.3, what="The web server")
    assert "The web server did not come up within 0 seconds: it is shy." in str(caught.value)
