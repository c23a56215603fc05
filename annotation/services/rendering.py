"""What raters will see, rendered once when a campaign is made: serving renders nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from annotation.models import Campaign, CampaignQuestion, RenderedText
from evaluation.formats.rich_text import render_plain_text, render_rich_text, show_controls
from evaluation.models import Answer, Question, Retrieval
from evaluation.queries.fact_sources import expectation_rows
from evaluation.services.benchmarks import question_record
from evaluation.services.contexts import stored_context

Id = TypeVar("Id", int, str)

RENDERING = 3
"""Raised by hand when the same text is to look different from then on."""
LONGEST_KEY = 200
EMPTY_ANSWER = "This answer is empty."
NO_CONTEXT = "No context was kept for this answer."


@dataclass(frozen=True, slots=True)
class QuestionContent:
    """A question at one phase as raters see it. ``topic``: all words that belong to the question,
    its gold answer, facts and source spans."""

    question_id: int
    key: str
    text: str
    gold: str
    facts: tuple[str, ...]
    source_spans: tuple[str, ...]
    slices: Mapping[str, Sequence[str]]
    source_ids: tuple[str, ...]

    @property
    def topic(self) -> str:
        return "\n".join((self.text, self.gold, *self.facts, *self.source_spans))

    def as_row(self, campaign: Campaign) -> CampaignQuestion:
        return CampaignQuestion(
            campaign=campaign,
            question_id=self.question_id,
            key=self.key,
            text=self.text,
            question_html=render_rich_text(self.text),
            gold_html=render_rich_text(self.gold),
            facts=[show_controls(fact) for fact in self.facts],
            source_spans=[show_controls(span) for span in self.source_spans],
            slices={name: list(values) for name, values in self.slices.items()},
        )


def question_contents(
    asks: Iterable[tuple[int, str]], *, several_phases: bool
) -> dict[tuple[int, str], QuestionContent]:
    """(Question row, phase) → its content; the key names the phase where there are several."""
    wanted = list(dict.fromkeys(asks))
    rows = Question.objects.in_bulk({question for question, _ in wanted})
    return {
        (pk, phase): _content(rows[pk], phase, several_phases=several_phases)
        for pk, phase in wanted
    }


def render_answers(texts: Mapping[int, str]) -> dict[int, RenderedText]:
    """Answer row → its rendered text. The rows are stored, one for each different text."""
    return _stored({pk: ("answer", text.strip() or EMPTY_ANSWER) for pk, text in texts.items()})


def render_contexts(answer_ids: Iterable[int]) -> dict[int, RenderedText]:
    """Answer row → the context it was written from, as plain text. Raises
    ContextNotReproducible."""
    texts = dict.fromkeys(answer_ids, ("context", NO_CONTEXT))
    retrievals = Retrieval.objects.filter(cell__answer__in=list(texts))
    for retrieval in retrievals.select_related("cell__answer"):
        text = stored_context(retrieval=retrieval).text
        texts[retrieval.cell.answer.pk] = ("context", text.strip() or NO_CONTEXT)
    return _stored(texts)


def render_gold(texts: Mapping[str, str]) -> dict[str, RenderedText]:
    """Question key → its gold answer, rendered just as an answer is."""
    return _stored({key: ("answer", text.strip() or EMPTY_ANSWER) for key, text in texts.items()})


def answer_texts(answer_ids: Iterable[int]) -> dict[int, str]:
    wanted = sorted(set(answer_ids))
    return {
        pk: text
        for start in range(0, len(wanted), 500)
        for pk, text in Answer.objects.filter(pk__in=wanted[start : start + 500]).values_list(
            "pk", "text"
        )
    }


def _content(row: Question, phase: str, *, several_phases: bool) -> QuestionContent:
    record = question_record(row)
    (expectation,) = expectation_rows(row.benchmark_id, record, phase) or (None,)
    facts = expectation.facts if expectation else ()
    spans = [
        f"{source.title}: {source.text}" if source.title else source.text
        for fact in facts
        for source in fact.sources
    ]
    return QuestionContent(
        question_id=row.pk,
        key=_key(row.question_id, phase if several_phases else ""),
        text=row.text,
        gold=expectation.gold_answer if expectation else "",
        facts=tuple(fact.text for fact in facts),
        source_spans=tuple(dict.fromkeys(spans)),
        slices=row.slices,
        source_ids=record.source_ids,
    )


def _key(question_id: str, phase: str) -> str:
    key = f"{question_id} · {phase}" if phase else question_id
    if len(key) <= LONGEST_KEY:
        return key
    return f"{key[: LONGEST_KEY - 17]}#{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _stored(texts: Mapping[Id, tuple[str, str]]) -> dict[Id, RenderedText]:
    shas = {one: _sha256(*one) for one in set(texts.values())}
    known = {
        sha
        for start in range(0, len(shas), 500)
        for sha in RenderedText.objects.filter(
            sha256__in=sorted(shas.values())[start : start + 500]
        ).values_list("sha256", flat=True)
    }
    new = [_rendered(sha, kind, text) for (kind, text), sha in shas.items() if sha not in known]
    RenderedText.objects.bulk_create(new, ignore_conflicts=True, batch_size=200)
    rows = {sha: RenderedText(sha256=sha) for sha in shas.values()}
    return {name: rows[shas[one]] for name, one in texts.items()}


def _rendered(sha256: str, kind: str, text: str) -> RenderedText:
    html = render_plain_text(text) if kind == "context" else render_rich_text(text)
    return RenderedText(sha256=sha256, html=html, n_chars=len(text), n_words=len(text.split()))


def _sha256(kind: str, text: str) -> str:
    content = f"{RENDERING} {kind}\n{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()
