"""When to start a child again, and when to give up on it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


class DiesTooOften(Exception):
    """A child died so often that starting it again is pointless."""


@dataclass(slots=True)
class RestartPolicy:
    """Waits 1, 2, 4 … seconds, at most ``longest_wait_s``; gives up after ``most_deaths`` within
    ``window_s``. Times are seconds of one clock."""

    most_deaths: int = 5
    window_s: float = 120.0
    longest_wait_s: float = 30.0
    _deaths: deque[float] = field(default_factory=deque)

    def wait_after_death(self, now: float) -> float:
        """Seconds to wait before the next start. Raises DiesTooOften."""
        self._deaths.append(now)
        while now - self._deaths[0] > self.window_s:
            self._deaths.popleft()
        deaths = len(self._deaths)
        if deaths >= self.most_deaths:
            raise DiesTooOften(f"{deaths} times within {self.window_s:.0f} seconds")
        return float(min(2 ** (deaths - 1), self.longest_wait_s))
