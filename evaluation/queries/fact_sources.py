"""What a right answer is, with the places in the sources that say so."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from evaluation.models import SourceItem
from evaluation.queries.question import ExpectationRow, FactRow, FactSource
from evaluation.records import Fact, Key, Question, Span

AROUND_CHARS = 160


def expectation_rows(
    benchmark_id: int, question: Question, phase: str
) -> tuple[ExpectationRow, ...]:
    """One a phase, or that of the one phase."""
    shown = {name: one for name, one in question.expectations.items() if not phase or name == phase}
    spans = [span for one in shown.values() for fact in one.facts for span in fact.spans]
    texts = _source_texts(benchmark_id, spans)
    return tuple(
        ExpectationRow(
            phase=name,
            gold_answer=one.gold_answer,
            facts=tuple(_fact(fact, texts) for fact in one.facts),
            penalties=one.penalties,
            stale_values=one.stale_values,
            abstain=one.abstain,
        )
        for name, one in shown.items()
    )


def _fact(fact: Fact, texts: dict[str, tuple[str, str]]) -> FactRow:
    sources = tuple(
        _source(span, *texts[span.item_id]) for span in fact.spans if span.item_id in texts
    )
    return FactRow(text=fact.text, keys=tuple(map(_key, fact.keys)), sources=sources)


def _key(key: Key) -> str:
    value = f"{key.value} {key.unit}".strip()
    return f"{value} ± {key.tolerance:.1%}" if key.tolerance else value


def _source(span: Span, title: str, text: str) -> FactSource:
    return FactSource(
        item_id=span.item_id,
        title=title,
        before=text[max(0, span.start - AROUND_CHARS) : span.start],
        text=text[span.start : span.end],
        after=text[span.end : span.end + AROUND_CHARS],
    )


def _source_texts(benchmark_id: int, spans: Iterable[Span]) -> dict[str, tuple[str, str]]:
    """Item id → title and text, of an item's last version: spans refer to that one."""
    rows = SourceItem.objects.filter(
        benchmark=benchmark_id, item_id__in={span.item_id for span in spans}
    ).order_by("position")
    return {
        item_id: (title, zlib.decompress(bytes(body)).decode("utf-8", "surrogatepass"))
        for item_id, title, body in rows.values_list("item_id", "title", "body")
    }
