"""A worker that is there when it is called: started, and started anew after it was lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memory_systems.native.process import WorkerFailed, WorkerNotStarted, WorkerProcess

MOST_FAILED_STARTS = 2


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds that a worker's calls may take, and to wait for another holder of the store."""

    start_s: float = 180.0
    add_s: float = 600.0
    search_s: float = 120.0
    other_s: float = 120.0
    hold_s: float = 600.0


class KeptWorker:
    """``make`` starts a process, ``settings`` are what it is opened with."""

    def __init__(
        self,
        make: Callable[[], WorkerProcess],
        settings: Callable[[], Mapping[str, Any]],
        *,
        start_s: float,
    ) -> None:
        self._make = make
        self._settings = settings
        self._start_s = start_s
        self._process: WorkerProcess | None = None
        self._n_failed_starts = 0

    def start(self) -> WorkerProcess:
        """The running process. Raises WorkerNotStarted, at once after two starts in a row failed,
        and what making it raises."""
        if self._process is not None and self._process.is_running:
            return self._process
        if self._process is not None:
            # It ended by itself: what it left behind, and its pipes, are given back.
            self._process.kill()
        if self._n_failed_starts >= MOST_FAILED_STARTS:
            raise WorkerNotStarted(
                f"the worker failed to start {MOST_FAILED_STARTS} times in a row"
            )
        process = self._make()
        try:
            process.open(self._settings(), timeout_s=self._start_s)
        except WorkerFailed:
            self._n_failed_starts += 1
            raise
        except BaseException:
            process.kill()
            raise
        self._n_failed_starts = 0
        self._process = process
        return process

    def call(self, name: str, given: Mapping[str, Any], *, timeout_s: float, seed: str = "") -> Any:
        """What the worker's method gives. Raises WorkerFailed of all kinds."""
        process = self.start()
        try:
            return process.call(name, given, timeout_s=timeout_s, seed=seed)
        except WorkerFailed:
            raise
        except BaseException:
            # Interrupted: a late answer must not be taken for that of another request.
            process.kill()
            raise

    def close(self, *, timeout_s: float) -> None:
        """End it in good order where it runs."""
        if self._process is not None:
            self._process.close(timeout_s=timeout_s)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
