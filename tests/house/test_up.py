"""`manage.py up` with real processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house.site_process import SiteProcess, living_processes

pytestmark = pytest.mark.worker
Start = Callable[[Mapping[str, str]], SiteProcess]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_site_comes_up_answers_and_stops_cleanly_on(
    number: signal.Signals, start_site: Start, process_environment: dict[str, str]
) -> None:
    site = start_site(process_environment)
    site.wait_until_running()
    assert site.get("/healthz") == (200, "ok\n")
    assert "/sign-in/" in site.output
    for part in ("valkey-server", "celery", "gunicorn"):
        assert site.find(part), f"{part} is not running: {site.processes()}"
    site.process.send_signal(number)
    assert site.exit_code() == 0
    site.wait_until_gone(seconds=1)
    assert "stopped" in site.output
    assert "killed" not in site.output


def test_killing_the_supervisor_leaves_no_process_and_a_new_one_starts_at_once(
    start_site: Start, process_environment: dict[str, str]
) -> None:
    site = start_site(process_environment)
    site.wait_until_running()
    site.wait_for(lambda: len(site.find("celery")) >= 2, "the pool is up", seconds=60)
    site.process.kill()
    site.wait_until_gone(seconds=5)
    again = start_site(process_environment)
    again.wait_until_running()
    assert again.get("/healthz") == (200, "ok\n")
    # Nobody has used the first link, so a new one is offered.
    assert "/sign-in/" in again.output


def test_what_dies_is_started_again_and_nothing_of_it_lingers(
    start_site: Start, process_environment: dict[str, str]
) -> None:
    site = start_site(process_environment)
    site.wait_until_running()
    site.wait_for(lambda: len(site.find("celery")) >= 2, "the pool is up", seconds=60)
    old = {part: site.find(part) for part in ("valkey-server", "celery", "gunicorn")}
    for part in old:
        os.kill(old[part][0], signal.SIGKILL)
    for part, pids in old.items():

        def is_new(part: str = part, pids: list[int] = pids) -> bool:
            return bool(site.find(part)) and not set(site.find(part)) & set(pids)

        site.wait_for(is_new, f"all processes of {part} are new ones", seconds=30)
    assert "was ended by SIGKILL; starting it again in 1 s" in site.output

    def answers() -> bool:
        try:
            return site.get("/healthz")[0] == 200
        except OSError:
            return False

    site.wait_for(answers, "the web server answers again", seconds=60)


def test_a_second_site_on_the_same_data_folder_is_refused(
    start_site: Start, process_environment: dict[str, str]
) -> None:
    site = start_site(process_environment)
    site.wait_until_running()
    second = start_site(process_environment)
    assert second.exit_code() == 1
    assert "already running on the data folder" in second.output
    assert f"http://127.0.0.1:{site.port}" in second.output
    assert site.get("/healthz")[0] == 200


def test_a_taken_port_is_refused_and_another_one_is_proposed(
    start_site: Start, process_environment: dict[str, str]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        site = start_site({**process_environment, "PORT": str(port)})
        assert site.exit_code() == 1
    assert f"Port {port} on 127.0.0.1 is taken by another program" in site.output
    assert f"make up PORT={port + 1}" in site.output
    assert "Traceback" not in site.output


def test_a_data_folder_that_cannot_be_written_is_refused(
    start_site: Start, process_environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    site = start_site({**process_environment, "MEMJURY_DATA": str(tmp_path / "file" / "data")})
    assert site.exit_code() == 1
    assert "MEMJURY_DATA" in site.output
    assert "Traceback" not in site.output


def test_a_broker_that_does_not_answer_is_refused_without_its_password(
    start_site: Start, process_environment: dict[str, str]
) -> None:
    url = "redis://:hunter2@127.0.0.1:1/0"
    site = start_site({**process_environment, "CELERY_BROKER_URL": url})
    assert site.exit_code() == 1
    assert "The broker of CELERY_BROKER_URL cannot be used" in site.output
    assert "hunter2" not in site.output


def test_a_database_that_does_not_answer_is_refused_without_its_password(
    start_site: Start, process_environment: dict[str, str]
) -> None:
    url = "postgresql://nobody:hunter2@127.0.0.1:1/nothing"
    site = start_site({**process_environment, "DATABASE_URL": url})
    assert site.exit_code() == 1
    assert "The database (PostgreSQL, nothing on 127.0.0.1) cannot be used" in site.output
    assert "hunter2" not in site.output


def test_redis_serves_as_the_broker_where_it_is_named(
    start_site: Start, process_environment: dict[str, str], redis_url: str
) -> None:
    site = start_site({**process_environment, "CELERY_BROKER_URL": redis_url})
    site.wait_until_running()
    log = site.data / "logs" / "worker.log"
    site.wait_for(
        lambda: log.exists() and "ready." in log.read_text(), "the worker is ready", seconds=60
    )
    assert not site.find("valkey-server")
    site.process.send_signal(signal.SIGTERM)
    assert site.exit_code() == 0


def test_a_site_started_through_the_leash_dies_with_what_started_it(
    start_site: Start, process_environment: dict[str, str]
) -> None:
    """As under make, which may be killed without a chance to pass the signal on."""
    shell = (
        f"{sys.executable} -m webapp.supervisor.leash $$ SIGTERM {sys.executable} manage.py up & "
        "wait"
    )
    make = subprocess.Popen(
        ["/bin/sh", "-c", shell],
        cwd=ROOT,
        env=process_environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    data = Path(process_environment["MEMJURY_DATA"])
    try:
        give_up_at = time.monotonic() + 60
        while not any("gunicorn" in command for command in living_processes(data).values()):
            assert time.monotonic() < give_up_at, living_processes(data)
            time.sleep(0.1)
    finally:
        make.kill()
        make.wait()
    give_up_at = time.monotonic() + 30
    while living_processes(data):
        assert time.monotonic() < give_up_at, living_processes(data)
        time.sleep(0.1)
