"""Proves after writing that every span carries its fact and that no silence is broken."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.benchmarks.key_occurrence import key_occurs
from evaluation.records import Question
from memory_systems.base import SourceItem


class FactNotStated(Exception):
    """A generated fact is missing from the text it was written into."""


def verify(items: Sequence[SourceItem], questions: Sequence[Question]) -> None:
    """Every must-have fact has a span, and every span is a whole sentence or table row of a
    cited paper with all keys of the fact. Raises FactNotStated, naming the question and fact."""
    texts = {item.id: item.text for item in items}
    for question in questions:
        for expectation in question.expectations.values():
            for fact in expectation.facts:
                if not fact.spans:
                    raise FactNotStated(f"{question.id}: no paper states {fact.text!r}")
                for span in fact.spans:
                    piece = texts[span.item_id][span.start : span.end]
                    if span.item_id not in question.source_ids or not _is_whole(piece):
                        raise FactNotStated(f"{question.id}: {piece!r} is not {fact.text!r}")
                    if not all(key_occurs(key, piece) for key in fact.keys):
                        raise FactNotStated(f"{question.id}: {piece!r} lacks {fact.keys}")


def _is_whole(piece: str) -> bool:
    return piece.endswith(".") or (piece.startswith("| ") and piece.endswith(" |"))
