"""One process that the supervisor keeps: started on a leash, its lines kept in a log file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from webapp.supervisor.log_file import LogFile

TIME = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ ")
LONGEST_LINE = 20_000
MOST_BLOCKS = 16  # at a time, so that a flood from one child does not starve the others
LOUD = re.compile(r"\b(WARNING|ERROR|CRITICAL)\b")


@dataclass(frozen=True, slots=True)
class Service:
    """What to run. ``stop`` asks it to end and may take ``stop_seconds``; ``death`` is what the
    kernel sends when the supervisor is gone; loud lines reach the terminal when ``speaks``."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    stop: signal.Signals = signal.SIGTERM
    stop_seconds: float = 15.0
    death: signal.Signals = signal.SIGKILL
    speaks: bool = True


class Child:
    """The running process of a service, in a process group of its own.

    Start it from the main thread: the leash is tied to the thread that starts it.
    """

    def __init__(self, service: Service, *, folder: Path, log_folder: Path) -> None:
        self.service = service
        self._last_line = ""
        self._folder = folder
        self._partial = b""
        self._output_closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self.log = LogFile(log_folder / f"{service.name}.log")

    def start(self) -> None:
        leash = (sys.executable, "-m", "webapp.supervisor.leash")
        bound = (*leash, str(os.getpid()), self.service.death.name, *self.service.command)
        self._process = subprocess.Popen(  # noqa: S603 - our own command lines
            bound,
            cwd=self._folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **self.service.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        os.set_blocking(self.output, False)
        self._output_closed = False

    @property
    def pid(self) -> int:
        if self._process is None:
            raise RuntimeError(f"{self.service.name} was not started")
        return self._process.pid

    @property
    def output(self) -> int:
        """The file descriptor to read its lines from."""
        if self._process is None or self._process.stdout is None:
            raise RuntimeError(f"{self.service.name} was not started")
        return self._process.stdout.fileno()

    def is_started(self) -> bool:
        return self._process is not None

    def exit_code(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        return self._process.poll() if self._process is not None else None

    def read_lines(self) -> list[str]:
        """Keep in the log file what it has written since; return the lines for the terminal."""
        lines: list[str] = []
        for _ in range(MOST_BLOCKS):
            try:
                block = os.read(self.output, 65536)
            except BlockingIOError:
                break
            if not block:
                self._output_closed = True
                break
            *whole, self._partial = (self._partial + block).split(b"\n")
            if len(self._partial) > LONGEST_LINE:
                whole, self._partial = [*whole, self._partial], b""
            lines += [raw.decode(errors="replace").rstrip()[:LONGEST_LINE] for raw in whole]
        self.log.write(lines)
        self._last_line = next((line for line in reversed(lines) if line), self._last_line)
        if not self.service.speaks:
            return []
        return [TIME.sub("", line) for line in lines if LOUD.search(line[:120])]

    def has_closed_its_output(self) -> bool:
        return self._output_closed

    def last_words(self) -> str:
        """A sentence with the last line it wrote and where the rest is."""
        words = self._last_line[:300] or "none"
        return f"Its last words: {words} (more in {self.log.path})"

    def ask_to_stop(self) -> None:
        if self.exit_code() is None and self.is_started():
            with suppress(ProcessLookupError):
                os.kill(self.pid, self.service.stop)

    def kill(self) -> None:
        """End it and everything it started, now, and reap it."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Let go of the pipe of an ended process."""
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()
        self._process = None
