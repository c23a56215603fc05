"""Sending again what may go through the next time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception

from evaluation.language_models.errors import LanguageModelError, RateLimited

Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most ``attempts`` sendings. The wait is what the endpoint asks for (at most
    ``longest_wait_s``), else doubles from ``first_wait_s`` with up to half as much again at random,
    so that workers refused together do not come back together. Nothing is sent again later than
    ``last_sending_s`` after the first: an endpoint that is too slow for a request stays so, and
    whoever waits for the reply has an end to it."""

    attempts: int = 5
    last_sending_s: float = 240.0
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    rng: Random = field(default_factory=Random)
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first_wait_s < 0 or self.longest_wait_s < 0:
            raise ValueError("a retry policy has at least one attempt and no negative wait")

    def run(self, send: Callable[[], Reply]) -> Reply:
        """The first reply. Raises the last LanguageModelError, or any other error at once."""
        latest = self.clock() + self.last_sending_s
        retrying = Retrying(
            stop=lambda state: (
                state.attempt_number >= self.attempts
                or self.clock() + state.upcoming_sleep > latest
            ),
            wait=self._wait,
            retry=retry_if_exception(_may_go_through),
            sleep=self.sleep,
            reraise=True,
        )
        return retrying(send)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        if isinstance(error, RateLimited) and error.retry_after is not None:
            return min(error.retry_after, self.longest_wait_s)
        doubled = self.first_wait_s * 2.0 ** (state.attempt_number - 1)
        return min(doubled * self.rng.uniform(1.0, 1.5), self.longest_wait_s)


def _may_go_through(error: BaseException) -> bool:
    return isinstance(error, LanguageModelError) and error.is_transient
