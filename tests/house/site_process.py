"""A real `manage.py up` in a test, and everything that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from tests.conftest import ROOT as ROOT

START_SECONDS = 120.0


class SiteProcess:
    """Owns one `up`; ``environment`` is the fixture process_environment, perhaps extended."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = dict(environment)
        self.data = Path(environment["MEMJURY_DATA"])
        self.port = int(environment["PORT"])
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by clean_up
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def output(self) -> str:
        size = os.fstat(self._output.fileno()).st_size
        return os.pread(self._output.fileno(), size, 0).decode(errors="replace")

    def wait_until_running(self) -> None:
        self.wait_for(lambda: "Stop it with Ctrl-C" in self.output, "the site is announced")

    def wait_for(self, condition: Callable[[], bool], what: str, *, seconds: float = 0) -> None:
        give_up_at = time.monotonic() + (seconds or START_SECONDS)
        while not condition():
            ended = self.process.poll() is not None and not seconds
            if ended or time.monotonic() > give_up_at:
                raise AssertionError(f"waited in vain until {what}; output:\n{self.output}")
            time.sleep(0.1)

    def exit_code(self, *, seconds: float = 60) -> int:
        return self.process.wait(timeout=seconds)

    def get(self, path: str) -> tuple[int, str]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as reply:
            return reply.status, reply.read().decode()

    def processes(self) -> dict[int, str]:
        """Every living process of this site, with its command line."""
        return living_processes(self.data)

    def find(self, words: str) -> list[int]:
        return sorted(pid for pid, command in self.processes().items() if words in command)

    def wait_until_gone(self, *, seconds: float = 5) -> None:
        give_up_at = time.monotonic() + seconds
        while left := self.processes():
            if time.monotonic() > give_up_at:
                raise AssertionError(f"still there after {seconds} s: {left}")
            time.sleep(0.05)

    def clean_up(self) -> None:
        """End whatever is left, however the test went."""
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(timeout=10)
        self._output.close()


def living_processes(data: Path) -> dict[int, str]:
    """The processes that work on this data folder; a zombie has no environment and is dead."""
    mark = f"MEMJURY_DATA={data}".encode()
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        with suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(folder.name)] = command.decode(errors="replace")
    return found
