"""A ledger that lives as long as the process: the fake of the one in the database."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Condition

from evaluation.language_models.base import Completion, CompletionRequest, SpendingLimitReached


@dataclass(slots=True)
class _InFlight:
    provider: str
    most_usd: float


@dataclass(slots=True)
class MemoryLedger:
    """Replies by request key, safe between threads. ``spending_limit_usd`` None sets no limit.

    A stored reply keeps the cost it once had, with ``from_cache`` true.
    """

    spending_limit_usd: float | None = None
    n_sent: int = 0
    spent_usd: float = 0.0
    failures: list[tuple[str, str]] = field(default_factory=list)
    _replies: dict[str, Completion] = field(default_factory=dict)
    _in_flight: dict[str, _InFlight] = field(default_factory=dict)
    _changed: Condition = field(default_factory=Condition)

    def begin(
        self,
        request_key: str,
        *,
        provider: str,
        model: str,
        request: CompletionRequest,
        concurrency_limit: int,
        most_it_can_cost_usd: float | None,
    ) -> Completion | None:
        """The stored reply, or None once this caller may send. Raises SpendingLimitReached."""
        if concurrency_limit < 1:
            raise ValueError("a concurrency limit is at least 1")
        with self._changed:
            while True:
                stored = self._replies.get(request_key)
                if stored is not None:
                    return replace(stored, from_cache=True)
                if request_key not in self._in_flight and self._has_room(
                    provider, concurrency_limit
                ):
                    break
                self._changed.wait()
            self._check_spending(model, most_it_can_cost_usd)
            self._in_flight[request_key] = _InFlight(provider, most_it_can_cost_usd or 0.0)
            self.n_sent += 1
            return None

    def find(self, request_key: str) -> Completion | None:
        stored = self._replies.get(request_key)
        return None if stored is None else replace(stored, from_cache=True)

    def finish(self, request_key: str, completion: Completion) -> None:
        """Store the reply and count its cost. KeyError when nobody holds the request."""
        with self._changed:
            del self._in_flight[request_key]
            self._replies[request_key] = completion
            self.spent_usd += completion.cost_usd or 0.0
            self._changed.notify_all()

    def fail(self, request_key: str, error: str) -> None:
        """Give the request back. KeyError when nobody holds it."""
        with self._changed:
            del self._in_flight[request_key]
            self.failures.append((request_key, error))
            self._changed.notify_all()

    def _has_room(self, provider: str, concurrency_limit: int) -> bool:
        sending = sum(one.provider == provider for one in self._in_flight.values())
        return sending < concurrency_limit

    def _check_spending(self, model: str, most_usd: float | None) -> None:
        if self.spending_limit_usd is None:
            return
        if most_usd is None:
            raise SpendingLimitReached(
                f"the price of {model} is not known, so a spending limit cannot be kept"
            )
        reserved = sum(one.most_usd for one in self._in_flight.values())
        if self.spent_usd + reserved + most_usd > self.spending_limit_usd:
            raise SpendingLimitReached(
                f"a request to {model} could cost {most_usd:.4f} USD; "
                f"{self.spent_usd:.4f} of {self.spending_limit_usd:.4f} USD is spent"
            )
