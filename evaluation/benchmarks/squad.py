"""Loader of the SQuAD layout: ``data[].paragraphs[].{context, qas[].{id, question, answers[]}}``.

A paragraph with a ``document_id`` is a document of its own (COVID-QA: whole papers); any other
article is one document, its paragraphs joined by an empty line. A question has one must-have
fact: its first answer, with the spans of all its answers and keys derived from its words (see
``fact_keys``). A span whose stated offset is wrong is moved to the nearest occurrence. All
questions are tier L1, as each is answered by one span; the type is quantitative where the answer
holds a number, else factual; ``is_impossible`` makes a negative question, whose right answer is
that the document does not say, and whose plausible answers are penalties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.benchmarks.assembly import (
    LoadedQuestion,
    LoadedScenario,
    SpanCounts,
    assemble,
    span_of,
)
from evaluation.benchmarks.cards import card_for
from evaluation.benchmarks.fact_keys import WordRarity, derive_keys, number_keys
from evaluation.benchmarks.span_search import Placement, place_at
from evaluation.records import MAIN_PHASE, Benchmark, Expectation, Fact, Question
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, read_json
from memory_systems.base import SourceItem

FORMAT = "squad"
NOT_IN_DOCUMENT = "The document does not say."
_SEPARATOR = "\n\n"
_MAX_TITLE_CHARS = 200


def load(
    path: Path,
    *,
    slug: str | None = None,
    title: str | None = None,
    licence: str | None = None,
    slice_file: Path | None = None,
    max_bytes: int = MAX_FILE_BYTES,
) -> Benchmark:
    """The benchmark in this file: one scenario, all documents, then all questions.

    Raises WrongKindOfFile naming the JSON path: another layout, duplicate ids, an answerable
    question without an answer.
    """
    articles = _articles(JsonNode(read_json(path, max_bytes=max_bytes), path))
    rarity = WordRarity(article.item.text for article in articles)
    questions: list[LoadedQuestion] = []
    problems: list[str] = []
    for article in articles:
        for part in article.parts:
            for qa in part.questions:
                loaded = _question(qa, article.item, part.offset, rarity)
                questions.append(loaded)
                if loaded.spans.missing:
                    problems.append(
                        f"{qa.place}: an answer of question {loaded.question.id} does not stand "
                        f"in document {article.item.id}"
                    )
    card = card_for(
        path,
        family="scientific",
        format_name="SQuAD layout",
        files=[path],
        slug=slug,
        title=title,
        licence=licence,
        slice_file=slice_file,
        max_bytes=max_bytes,
    )
    scenario = LoadedScenario(
        "corpus", tuple(article.item for article in articles), tuple(questions)
    )
    return assemble(card, [scenario], path=path, problems=problems, slice_file=slice_file)


@dataclass(frozen=True, slots=True)
class _Part:
    """Questions of one paragraph, which begins at ``offset`` characters into its document."""

    offset: int
    questions: tuple[JsonNode, ...]


@dataclass(frozen=True, slots=True)
class _Article:
    item: SourceItem
    parts: tuple[_Part, ...]


def _articles(root: JsonNode) -> list[_Article]:
    if not isinstance(root.value, dict) or "data" not in root.value:
        raise root.refuse("this is not in the SQuAD layout: an object with a list “data” is needed")
    articles: list[_Article] = []
    for number, node in enumerate(root.field("data").each(), start=1):
        paragraphs = node.field("paragraphs").each()
        title = node.find("title")
        name = title.label() if title is not None else ""
        joined: list[JsonNode] = []
        for paragraph in paragraphs:
            document_id = paragraph.find("document_id")
            if document_id is None:
                joined.append(paragraph)
            else:
                articles.append(_article(document_id.label(), name, [paragraph]))
        if joined:
            articles.append(_article(name or f"document-{number}", name, joined))
    return articles


def _article(item_id: str, title: str, paragraphs: Sequence[JsonNode]) -> _Article:
    texts: list[str] = []
    parts: list[_Part] = []
    offset = 0
    for paragraph in paragraphs:
        context = paragraph.field("context").text()
        parts.append(_Part(offset, tuple(paragraph.field("qas").each())))
        texts.append(context)
        offset += len(context) + len(_SEPARATOR)
    text = _SEPARATOR.join(texts)
    first_line = next((line.strip() for line in text.splitlines() if line.strip()), item_id)
    return _Article(SourceItem(item_id, text, title or first_line[:_MAX_TITLE_CHARS]), tuple(parts))


def _question(qa: JsonNode, item: SourceItem, offset: int, rarity: WordRarity) -> LoadedQuestion:
    question_id = qa.field("id").label()
    impossible = qa.find("is_impossible")
    if impossible is not None and impossible.flag():
        expectation, spans, kind = _negative(qa), SpanCounts(), "negative"
    else:
        expectation, spans = _answered(qa, item, offset, rarity)
        kind = "quantitative" if number_keys(expectation.gold_answer) else "factual"
    question = Question(
        id=question_id,
        text=qa.field("question").label(),
        expectations={MAIN_PHASE: expectation},
        slices={"tier": ("L1",), "type": (kind,)},
        source_ids=(item.id,),
    )
    return LoadedQuestion(question, qa.place, spans)


def _negative(qa: JsonNode) -> Expectation:
    plausible = qa.find("plausible_answers")
    claims = [node.field("text").label() for node in plausible.each()] if plausible else []
    return Expectation(NOT_IN_DOCUMENT, penalties=tuple(dict.fromkeys(claims)), abstain=True)


def _answered(
    qa: JsonNode, item: SourceItem, offset: int, rarity: WordRarity
) -> tuple[Expectation, SpanCounts]:
    answers = qa.field("answers").each()
    if not answers:
        raise qa.refuse("this question has no gold answer (“answers” is empty)")
    texts = [answer.field("text").text() for answer in answers]
    for answer in answers:
        answer.field("text").label()
    placements: dict[tuple[str, int], Placement] = {}
    for answer, text in zip(answers, texts, strict=True):
        start = answer.find("answer_start")
        stated = offset + start.whole_number() if start is not None else -1
        placements.setdefault((text.strip(), stated), place_at(item.text, text, stated))
    gold = texts[0].strip()
    aliases = [text.strip() for text in texts[1:] if text.strip() != gold]
    spans = dict.fromkeys(
        span for placement in placements.values() for span in span_of(item.id, placement)
    )
    fact = Fact(gold, derive_keys(gold, rarity, aliases=aliases), tuple(spans))
    return Expectation(gold, (fact,)), SpanCounts.of(placements.values())
