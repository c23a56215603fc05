"""When to start a child again, and when to give up on it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


class DiesTooOften(Exception):
    """A child died so often that starting it again is pointless."""


@dataclass(slots=True)
class RestartPolicy:
    """Waits 1, 2, 4 … seconds, at most ``longest_wait_s``; gives up after ``most_deaths`` within
    ``window_s``. Times are seconds of one clock.

    A child that somebody killed (an operator, the kernel short of memory) is no reason to give
    up: those deaths make the waits longer and are not counted among ``most_deaths``.
    """

    most_deaths: int = 5
    window_s: float = 120.0
    longest_wait_s: float = 10.0
    _deaths: deque[tuple[float, bool]] = field(default_factory=deque)

    def wait_after_death(self, now: float, *, was_killed: bool = False) -> float:
        """Seconds to wait before the next start. Raises DiesTooOften."""
        self._deaths.append((now, was_killed))
        while now - self._deaths[0][0] > self.window_s:
            self._deaths.popleft()
        n_own = sum(not killed for _, killed in self._deaths)
        if n_own >= self.most_deaths:
            raise DiesTooOften(f"{n_own} times within {self.window_s:.0f} seconds")
        return float(min(2 ** (len(self._deaths) - 1), self.longest_wait_s))
