"""The language model that a memory system calls by itself: its address, and what it was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What was asked of a model: calls that were answered, tokens in and out, and failures. Replies
    of earlier calls that were found again count as calls; ``cost_usd`` is what was paid this time,
    None where a price is unknown."""

    calls: int = 0
    tokens: int = 0
    cost_usd: float | None = 0.0
    failures: int = 0
    last_failure: str = ""


class ModelAddress(Protocol):
    """Where a system that runs elsewhere finds its language model and its embedder: an
    OpenAI-compatible address on this machine, counted from outside. Closed with the memory."""

    @property
    def base_url(self) -> str: ...
    @property
    def api_key(self) -> str: ...
    @property
    def model(self) -> str: ...
    def begin(self, subject: str, *, attempt: int = 0) -> None:
        """What follows is asked on behalf of this item or question: the same request asked twice
        within one subject is a deliberate repeat, across subjects it is the same request. With
        ``attempt`` it was tried so often before and came to nothing, and is asked anew."""
        ...

    def usage(self) -> ModelUsage:
        """Totals since the address was opened."""
        ...

    def check(self) -> None:
        """Raises what must end the run: a spending limit that was reached."""
        ...

    def close(self) -> None: ...
