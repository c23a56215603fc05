"""Finding out what an endpoint accepts from what it refuses: a refused request costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, Self, TypeVar

from evaluation.language_models.base import Completion, CompletionRequest
from evaluation.language_models.errors import EndpointRefused


class Dialect(Protocol):
    """Which parameters are sent, and in what form. Equal dialects send the same."""

    def after_refusal(self, words: str, request: CompletionRequest) -> Self | None:
        """The dialect to try next; None when the refusal (in lower case) is about another thing."""
        ...


D = TypeVar("D", bound=Dialect)


class DialectLearner(Generic[D]):
    """Remembers the dialect that last went through."""

    def __init__(self, first: D) -> None:
        self.known = first

    def send(self, request: CompletionRequest, send_in: Callable[[D], Completion]) -> Completion:
        """Sends in the known dialect, then in each that a refusal suggests, none twice."""
        dialect = self.known
        tried: list[D] = []
        while True:
            tried.append(dialect)
            try:
                completion = send_in(dialect)
            except EndpointRefused as refusal:
                following = dialect.after_refusal(refusal.detail.lower(), request)
                if following is None or following in tried:
                    raise
                dialect = following
                continue
            self.known = dialect
            return completion
