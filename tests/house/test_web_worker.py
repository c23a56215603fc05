"""The web server's processes: nobody waits behind a slow page while another process is idle."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from webapp.data_folder import free_port

pytestmark = pytest.mark.worker
SLOW_S = 4.0
PROGRAM = f"""
import time

def application(environ, start_response):
    if environ["PATH_INFO"] == "/slow/":
        time.sleep({SLOW_S})
    start_response("200 OK", [("Content-Length", "4")])
    return [b"done"]
"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server of two processes with one thread each, as the site starts it."""
    (tmp_path / "slow_program.py").write_text(PROGRAM)
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "slow_program:application"]
    command += ["--config", "python:webapp.supervisor.web_server", "--workers", "2"]
    command += ["--threads", "1", "--bind", f"127.0.0.1:{port}", "--pythonpath", str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        give_up_at = time.monotonic() + 30
        while time.monotonic() < give_up_at:
            try:
                fetch(f"http://127.0.0.1:{port}/")
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as reply:
        return bytes(reply.read())


def test_nobody_waits_behind_a_slow_page(address: str) -> None:
    slow = threading.Thread(target=fetch, args=(f"{address}/slow/",))
    slow.start()
    time.sleep(0.5)
    for _ in range(20):
        assert fetch(f"{address}/") == b"done"
    assert slow.is_alive(), "the quick pages were answered while the slow one was not"
    slow.join()
    assert fetch(f"{address}/") == b"done"


def test_what_no_process_can_take_now_is_answered_later(address: str) -> None:
    others = [threading.Thread(target=fetch, args=(f"{address}/slow/",)) for _ in range(3)]
    for other in others:
        other.start()
    time.sleep(0.5)
    assert fetch(f"{address}/") == b"done"
    for other in others:
        other.join(timeout=3 * SLOW_S)
        assert not other.is_alive()
