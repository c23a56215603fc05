"""What writes an answer from a retrieved context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from evaluation.records import Answer


class Synthesizer(Protocol):
    """It reads the question's text and the rendered context, never gold, facts, tier or type."""

    @property
    def name(self) -> str: ...
    @property
    def key_parts(self) -> Mapping[str, str | int | float | None]:
        """Everything that changes its answers: part of the comparison key."""
        ...

    def synthesize(
        self, question_text: str, context_text: str, *, repeat: int = 0, attempt: int = 0
    ) -> Answer:
        """``attempt`` is how often somebody had this answer tried again."""
        ...
