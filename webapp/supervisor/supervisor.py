"""Keeps a handful of processes running until it is told to stop, and leaves none behind."""

from __future__ import annotations

import selectors
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from webapp.supervisor.child import Child, Service
from webapp.supervisor.preflight import CannotStart
from webapp.supervisor.restarts import DiesTooOften, RestartPolicy

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(Exception):
    """Ctrl-C, SIGTERM or a closed terminal."""


class ChildGaveUp(Exception):
    """A child cannot be kept running; the message says which and where to look."""


@dataclass(slots=True)
class _Kept:
    child: Child
    restarts: RestartPolicy
    start_at: float | None = None


class Supervisor:
    """Single-threaded. ``say(who, what)`` writes one line to the terminal.

    Use it as a context: leaving it, however, stops every child, the last started first.
    """

    def __init__(
        self,
        *,
        folder: Path,
        log_folder: Path,
        say: Callable[[str, str], None],
        restarts: Callable[[], RestartPolicy] = RestartPolicy,
    ) -> None:
        self._folder = folder
        self._log_folder = log_folder
        self._say = say
        self._restarts = restarts
        self._kept: list[_Kept] = []
        self._former_handlers: dict[signal.Signals, Any] = {}
        self._stops = 0
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = socket.socketpair()
        for end in (self._wake_read, self._wake_write):
            end.setblocking(False)

    def __enter__(self) -> Supervisor:
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        signal.set_wakeup_fd(self._wake_write.fileno(), warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            # A program started with nohup has to outlive its terminal.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                self._former_handlers[number] = signal.signal(number, self._note_signal)
        return self

    def __exit__(self, *_details: object) -> None:
        try:
            self._stop_children()
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in self._former_handlers.items():
                signal.signal(number, handler)
            self._selector.close()
            self._wake_read.close()
            self._wake_write.close()

    def _note_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stops += 1

    def start(self, service: Service) -> None:
        child = Child(service, folder=self._folder, log_folder=self._log_folder)
        kept = _Kept(child, self._restarts())
        self._kept.append(kept)
        self._launch(kept)

    def run_once(self, service: Service) -> None:
        """Run it to its end beside the children. Raises CannotStart where it fails."""
        child = Child(service, folder=self._folder, log_folder=self._log_folder)
        child.start()
        self._selector.register(child.output, selectors.EVENT_READ, child)
        try:
            while (code := child.exit_code()) is None:
                self.turn(0.2)
        finally:
            self._clear(child)
        if code != 0:
            raise CannotStart(f"The step {service.name!r} failed. {child.last_words()}")

    def wait_until(self, problem: Callable[[], str | None], *, seconds: float, what: str) -> None:
        """Keep the children running until ``problem`` returns None. Raises CannotStart in time."""
        give_up_at = time.monotonic() + seconds
        while (found := problem()) is not None:
            if time.monotonic() >= give_up_at:
                raise CannotStart(
                    f"{what} did not come up within {seconds:.0f} seconds: {found}. "
                    f"The logs are in {self._log_folder}."
                )
            self.turn(0.2)

    def run(self) -> None:
        """Until a signal (StopRequested) or a child that keeps dying (ChildGaveUp)."""
        while True:
            self.turn(60.0)

    def turn(self, longest_s: float) -> None:
        """One round: read what children wrote, notice deaths, start again what is due."""
        if self._stops:
            raise StopRequested
        due = [kept.start_at for kept in self._kept if kept.start_at is not None]
        # Deaths show as the end of a pipe; half a second covers a pipe that a grandchild holds.
        timeout = min([longest_s, 0.5, *(at - time.monotonic() for at in due)])
        self._read(max(timeout, 0.0))
        for kept in self._kept:
            if kept.start_at is not None:
                if time.monotonic() >= kept.start_at:
                    self._launch(kept)
            elif (code := kept.child.exit_code()) is not None:
                self._bury(kept, code)

    def _launch(self, kept: _Kept) -> None:
        kept.start_at = None
        kept.child.start()
        self._selector.register(kept.child.output, selectors.EVENT_READ, kept.child)

    def _read(self, timeout: float) -> None:
        for key, _ in self._selector.select(timeout):
            if key.data is None:
                self._wake_read.recv(4096)
            elif isinstance(key.data, Child):
                for line in key.data.read_lines():
                    self._say(key.data.service.name, line)
                if key.data.has_closed_its_output():
                    self._selector.unregister(key.fd)

    def _bury(self, kept: _Kept, code: int) -> None:
        """Clear away what is left of a dead child and plan its next start."""
        child, name = kept.child, kept.child.service.name
        self._clear(child)
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended (code {code})"
        try:
            was_killed = code == -signal.SIGKILL
            wait_s = kept.restarts.wait_after_death(time.monotonic(), was_killed=was_killed)
        except DiesTooOften as error:
            raise ChildGaveUp(
                f"The {name} {how}, {error}; MemJury stops. {child.last_words()}"
            ) from error
        kept.start_at = time.monotonic() + wait_s
        self._say(name, f"{how}; starting it again in {wait_s:.0f} s")

    def _clear(self, child: Child) -> None:
        child.kill()
        if child.output in self._selector.get_map():
            for line in child.read_lines():
                self._say(child.service.name, line)
            self._selector.unregister(child.output)
        child.close()

    def _stop_children(self) -> None:
        """The last started first; a second signal, or too long a wait, kills what is left."""
        signals_before = self._stops
        for kept in reversed(self._kept):
            child = kept.child
            if not child.is_started():
                continue
            child.ask_to_stop()
            give_up_at = time.monotonic() + child.service.stop_seconds
            while child.exit_code() is None:
                if self._stops > max(signals_before, 1) or time.monotonic() >= give_up_at:
                    self._say(child.service.name, "did not stop in time and is killed")
                    break
                self._read(0.1)
            self._clear(child)
