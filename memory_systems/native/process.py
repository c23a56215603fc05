"""One worker process: started, asked, timed and ended. What goes wrong with it has a name here."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from memory_systems.native.environment import worker_environment

SERVING = Path(__file__).with_name("serving.py")
LOG_NAME = "worker.log"
LONGEST_LOG_BYTES = 2_000_000
SHOWN_LINES = 4
SHOWN_CHARS = 600
END_WAIT_S = 10.0
LAST_BREATH_S = 1.0
LONGEST_REPLY_BYTES = 200_000_000
"""A store of thirty million characters lists its units in less, whatever its script."""
_READ_BYTES = 1 << 16


class WorkerFailed(Exception):
    """The process that runs a system's package did not do what it was asked."""


class WorkerNotStarted(WorkerFailed):
    """It did not come to the point of taking requests."""


class WorkerCrashed(WorkerFailed):
    """It ended in the middle of a request."""


class WorkerTimedOut(WorkerFailed):
    """It gave no answer in time and was ended."""


class WorkerReplyUnreadable(WorkerFailed):
    """It answered something that is not the protocol, or more than can be taken in."""


class PackageFailed(WorkerFailed):
    """The package raised an exception; the worker goes on."""


class WorkerProcess:
    """``python`` runs ``serving.py`` with ``worker_file`` on ``folder``, in a group of its own that
    ends with it. Its standard error is kept in ``folder/worker.log``."""

    def __init__(
        self,
        *,
        name: str,
        python: Path,
        worker_file: Path,
        folder: Path,
        variables: Mapping[str, str],
    ) -> None:
        self.name = name
        self._n_calls = 0
        self._unread = bytearray()
        self._log = folder / LOG_NAME
        home = folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        self._log_start = _open_log(self._log)
        command = [python, "-P", "-s", SERVING, worker_file, folder]
        with self._log.open("ab") as log:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - our own command line
                    [str(part) for part in command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    bufsize=0,
                    cwd=folder,
                    env=worker_environment(home, variables),
                    start_new_session=True,
                )
            except OSError as error:
                raise WorkerNotStarted(f"{name}: its Python cannot be run: {error}") from error

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def open(self, settings: Mapping[str, Any], *, timeout_s: float) -> None:
        """Have the package imported and the store opened. Raises WorkerNotStarted."""
        try:
            self.call("open", settings, timeout_s=timeout_s)
        except WorkerTimedOut as error:
            raise WorkerNotStarted(
                f"{self.name} did not start within {timeout_s:g} s{self._last_words()}"
            ) from error
        except WorkerFailed as error:
            self.kill()
            raise WorkerNotStarted(f"{self.name} did not start: {error}") from error

    def call(self, name: str, given: Mapping[str, Any], *, timeout_s: float, seed: str = "") -> Any:
        """What the worker's method gives. ``seed`` makes its identifiers repeatable.

        Raises PackageFailed, and WorkerCrashed, WorkerTimedOut or WorkerReplyUnreadable, after
        which the process is gone.
        """
        self._n_calls += 1
        request = {"id": self._n_calls, "call": name, "with": given, "seed": seed}
        deadline = time.monotonic() + timeout_s
        try:
            self._send(json.dumps(request).encode() + b"\n", deadline)
            answer = self._answer(self._read_line(name, deadline))
        except TimeoutError as error:
            self.kill()
            raise WorkerTimedOut(
                f"{self.name}: no answer to '{name}' within {timeout_s:g} s{self._last_words()}"
            ) from error
        except (BrokenPipeError, EOFError) as error:
            code = self._end(wait_s=LAST_BREATH_S)
            raise WorkerCrashed(
                f"{self.name} ended during '{name}' ({_how(code)}){self._last_words()}"
            ) from error
        if "failed" in answer:
            raise PackageFailed(f"{self.name}: {answer['failed']}")
        return answer["gives"]

    def close(self, *, timeout_s: float) -> None:
        """End the worker in good order. Raises what ``call`` raises; the process is gone then."""
        try:
            if self.is_running:
                self.call("close", {}, timeout_s=timeout_s)
        finally:
            self.kill(wait_s=END_WAIT_S)

    def kill(self, *, wait_s: float = 0.0) -> None:
        """End the process and everything that it started, at once or after it had ``wait_s`` to
        end by itself. Ended already, nothing is done."""
        if wait_s and self._process.stdin is not None:
            self._process.stdin.close()
        self._end(wait_s=wait_s)

    def _end(self, *, wait_s: float = 0.0) -> int:
        if wait_s:
            _wait(self._process, wait_s)
        # Its children are of its group, and stay there when it is gone.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = _wait(self._process, END_WAIT_S)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        return code

    def _send(self, line: bytes, deadline: float) -> None:
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            raise EOFError
        os.set_blocking(pipe.fileno(), False)
        left = memoryview(line)
        while left:
            self._wait_for(pipe.fileno(), selectors.EVENT_WRITE, deadline)
            left = left[os.write(pipe.fileno(), left[:_READ_BYTES]) :]

    def _read_line(self, name: str, deadline: float) -> bytes:
        pipe = self._process.stdout
        if pipe is None or pipe.closed:
            raise EOFError
        end = self._unread.find(b"\n")
        while end < 0:
            self._wait_for(pipe.fileno(), selectors.EVENT_READ, deadline)
            read = os.read(pipe.fileno(), _READ_BYTES)
            if not read:
                raise EOFError
            found = read.find(b"\n")
            end = len(self._unread) + found if found >= 0 else -1
            self._unread += read
            if len(self._unread) > LONGEST_REPLY_BYTES:
                self.kill()
                raise WorkerReplyUnreadable(
                    f"{self.name} answered '{name}' with more than {LONGEST_REPLY_BYTES:,} bytes "
                    "and was ended"
                )
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return line

    def _wait_for(self, descriptor: int, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not selector.select(left_s):
                raise TimeoutError

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(line)
            if answer["id"] != self._n_calls or ("gives" in answer) == ("failed" in answer):
                raise ValueError("it answers another request")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            self.kill()
            shown = line[:120].decode("utf-8", "replace")
            raise WorkerReplyUnreadable(
                f"{self.name} answered something that is not the protocol: {shown!r}"
            ) from error
        found: dict[str, Any] = answer
        return found

    def _last_words(self) -> str:
        """The last lines of its standard error since it was started."""
        try:
            with self._log.open("rb") as log:
                log.seek(self._log_start)
                text = log.read()[-20_000:].decode("utf-8", "replace")
        except OSError:
            return ""
        lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
        shown = " | ".join(lines[-SHOWN_LINES:])[-SHOWN_CHARS:]
        return f"; its last lines: {shown}" if shown else ""


def _open_log(log: Path) -> int:
    """Where this worker's lines begin; a log that has grown too long is begun anew."""
    size = log.stat().st_size if log.exists() else 0
    if size > LONGEST_LOG_BYTES:
        log.unlink()
        size = 0
    return size


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return 0


def _how(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
