"""Checks of the rubric against the texts it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from evaluation.benchmarks.audit.corpus import Corpus, Texts
from evaluation.benchmarks.audit.report import AuditCheck, AuditFinding
from evaluation.benchmarks.key_occurrence import decimal_of, key_occurs, numbers_in
from evaluation.records import Benchmark, Fact, Key, Question, Span

SPANS, PRECISION = "fact spans", "claimed precision"
HEDGED_TOLERANCE = 0.05
_HEDGE = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|nearly|almost|circa|some)|[~≈∼])\s*\$?\s*$",
    re.IGNORECASE,
)


def check_spans(benchmark: Benchmark, corpus: Corpus) -> AuditCheck:
    """Class A: a must-have fact without a span in a cited item that carries all of its keys."""
    findings, n_facts = [], 0
    for question in benchmark.questions:
        texts = corpus.texts_for(question.id)
        for fact in _facts(question):
            n_facts += 1
            reason = _unverifiable(fact, question, texts)
            if reason:
                sentence = f"“{fact.text}”: {reason}"
                findings.append(AuditFinding(SPANS, "A", question.id, sentence))
    return AuditCheck(
        SPANS,
        "Every must-have fact has a span in a cited source, and its keys occur there.",
        n_facts,
        tuple(findings),
    )


def check_precision(benchmark: Benchmark, corpus: Corpus) -> AuditCheck:
    """Class D: a number key finer than the span prints it, or strict where the span hedges."""
    findings, n_keys = [], 0
    for question in benchmark.questions:
        texts = corpus.texts_for(question.id)
        for fact in _facts(question):
            pieces = list(_pieces(fact.spans, texts))
            for key in fact.keys:
                if key.kind != "number" or not pieces:
                    continue
                n_keys += 1
                reason = _overspecified(key, pieces)
                if reason:
                    findings.append(AuditFinding(PRECISION, "D", question.id, reason))
    return AuditCheck(
        PRECISION,
        "No number of the rubric is more precise than its source prints it.",
        n_keys,
        tuple(findings),
    )


def _facts(question: Question) -> Iterator[Fact]:
    """Each fact once, though several phases may expect it."""
    seen = dict.fromkeys(
        fact for expectation in question.expectations.values() for fact in expectation.facts
    )
    yield from seen


def _unverifiable(fact: Fact, question: Question, texts: Texts) -> str:
    """Why the fact cannot be verified, or an empty string."""
    if not fact.spans:
        return "it has no span in a source."
    uncited = [span.item_id for span in fact.spans if span.item_id not in question.source_ids]
    if len(uncited) == len(fact.spans):
        return f"its span lies in {uncited[0]}, which the question does not cite."
    pieces = list(_pieces(fact.spans, texts))
    if not pieces:
        return "its span lies outside its source's text."
    missing = [key for key in fact.keys if not any(key_occurs(key, piece) for piece in pieces)]
    if missing:
        wanted = f"{missing[0].value} {missing[0].unit}".strip()
        return f"“{wanted}” does not occur in its span."
    return ""


def _pieces(spans: Sequence[Span], texts: Texts) -> Iterator[str]:
    """What the spans cover, in every version of the item that is long enough."""
    for span in spans:
        for text in texts.get(span.item_id, ()):
            if 0 <= span.start < span.end <= len(text):
                yield text[span.start : span.end]


def _overspecified(key: Key, pieces: Sequence[str]) -> str:
    wanted = decimal_of(key)
    printed = [(piece, number) for piece in pieces for number in numbers_in(piece)]
    same = [(piece, number) for piece, number in printed if number.value == wanted]
    if same:
        hedges = [_HEDGE.search(piece[: number.start]) for piece, number in same]
        hedge = hedges[0]
        if key.tolerance < HEDGED_TOLERANCE and hedge and all(hedges):
            estimate = f"{hedge.group().strip()} {same[0][1].text}"
            return f"the rubric asks for {key.value} exactly where the source says “{estimate}”."
        return ""
    for _, number in printed:
        if _is_coarser_form(number.value, wanted):
            return f"the rubric asks for {key.value} where the source says {number.text}."
    return ""


def _is_coarser_form(printed: Decimal, wanted: Decimal) -> bool:
    """Whether ``printed`` is ``wanted`` rounded to fewer decimals."""
    places = printed.as_tuple().exponent
    finer = wanted.as_tuple().exponent
    if not isinstance(places, int) or not isinstance(finer, int) or finer >= places:
        return False
    step = Decimal(1).scaleb(places)
    return printed in {
        wanted.quantize(step, rounding) for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP)
    }
