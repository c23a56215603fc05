"""What grades an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from evaluation.records import Expectation, Judgment


class Judge(Protocol):
    """``judge`` is given the question's text, what a right answer is, the answer's text and the
    rendered context. An LLM judge's composite never depends on the context."""

    @property
    def name(self) -> str: ...
    @property
    def is_proxy(self) -> bool:
        """True for deterministic scorers that only stand in for a reader's judgment."""
        ...

    @property
    def key_parts(self) -> Mapping[str, str | int | float | None]:
        """Everything that changes its scores: the judge's key is their hash."""
        ...

    def judge(
        self,
        question_text: str,
        expectation: Expectation,
        answer_text: str,
        context_text: str,
        *,
        repeat: int = 0,
    ) -> Judgment: ...
