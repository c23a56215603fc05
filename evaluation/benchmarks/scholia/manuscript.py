"""A paper while it is being written: the text so far, and where each fact was stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sentence:
    """A finished sentence or table row. ``fact_id`` is empty for background. ``is_bare``: the
    fact is restated without its qualifier. ``is_citation``: the fact belongs to another paper."""

    text: str
    fact_id: str = ""
    is_bare: bool = False
    is_citation: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """Where a sentence that states a fact stands: characters, end exclusive."""

    fact_id: str
    start: int
    end: int
    is_bare: bool
    is_citation: bool


@dataclass(slots=True)
class Manuscript:
    """Appends Markdown blocks and records the offsets of every fact's sentences."""

    statements: list[Statement] = field(default_factory=list)
    length: int = 0
    _pieces: list[str] = field(default_factory=list)

    def text(self) -> str:
        return "".join(self._pieces)

    def block(self, text: str) -> None:
        """A block of its own: heading, equation, caption."""
        self._append(text)
        self._append("\n\n")

    def paragraph(self, sentences: Sequence[Sentence]) -> None:
        for number, sentence in enumerate(sentences):
            if number:
                self._append(" ")
            self._state(sentence)
        self._append("\n\n")

    def table(self, header: Sequence[str], rows: Sequence[Sentence]) -> None:
        """A Markdown table; each row's text is the finished row."""
        self._append(row_of(header) + "\n")
        self._append(row_of(["---"] * len(header)) + "\n")
        for row in rows:
            self._state(row)
            self._append("\n")
        self._append("\n")

    def _state(self, sentence: Sentence) -> None:
        start = self.length
        self._append(sentence.text)
        if sentence.fact_id:
            self.statements.append(
                Statement(
                    sentence.fact_id, start, self.length, sentence.is_bare, sentence.is_citation
                )
            )

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self.length += len(text)


def row_of(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
