"""Questions of a scientific-recall benchmark: queries joined with their rubrics and documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.benchmarks.assembly import LoadedQuestion, SpanCounts, span_of
from evaluation.benchmarks.fact_keys import WordRarity, statement_keys
from evaluation.benchmarks.span_search import MISSING, Placement, place_anywhere, quote_parts
from evaluation.benchmarks.srb_markdown import (
    plain,
    read_blocks,
    read_fields,
    read_pointers,
    read_tier,
    read_types,
)
from evaluation.benchmarks.srb_rubric import Rubric, RubricFact, RubricUnreadable, read_rubric
from evaluation.records import MAIN_PHASE, Expectation, Fact, Question, Span
from evaluation.source_files.refusals import WrongKindOfFile
from memory_systems.base import SourceItem

QUERY_LABELS = {
    "query": "query", "question": "query", "q": "query",
    "type": "type", "types": "type", "question type": "type",
    "difficulty": "difficulty", "tier": "difficulty", "level": "difficulty",
    "source notes": "sources", "source note": "sources", "sources": "sources", "source": "sources",
    "notes": "remarks", "rationale": "remarks", "audit": "remarks",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Query:
    """One question as asked. ``unknown_types`` are words that are none of the eight types."""

    id: str
    line: int
    text: str
    tier: str
    types: tuple[str, ...]
    unknown_types: tuple[str, ...]
    pointers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Queries:
    readable: tuple[Query, ...]
    problems: tuple[str, ...]


def read_queries(file: Path, markdown: str) -> Queries:
    """The questions of a query file; what cannot be read is named with its line and the reason.
    Raises WrongKindOfFile when no id is found or one is asked twice."""
    readable: dict[str, Query] = {}
    failed: dict[str, str] = {}
    blocks = read_blocks(markdown)
    if not blocks:
        raise WrongKindOfFile(file, "no question id such as PQ1 or TX1 begins a block in it")
    read = [(block, read_fields(block.text, QUERY_LABELS)) for block in blocks]
    labelled = {block.question_id for block, fields in read if "query" in fields}
    for block, fields in read:
        if "query" not in fields and block.question_id in labelled:
            continue  # a mention, as in a table of all questions
        text = plain(fields.get("query", fields.get("", "")))
        tier = read_tier(fields.get("difficulty", ""), block.tier)
        where = f"{file.name}, line {block.line}: {block.question_id}"
        if not text:
            failed.setdefault(block.question_id, f"{where} has no query text")
        elif not tier:
            failed[block.question_id] = f"{where} has no tier (L1, L2 or L3)"
        elif block.question_id in readable:
            first = readable[block.question_id].line
            raise WrongKindOfFile(
                file,
                f"the question id “{block.question_id}” occurs twice (first at line {first})",
                place=f"line {block.line}",
            )
        else:
            types, unknown = read_types(fields.get("type", ""))
            readable[block.question_id] = Query(
                id=block.question_id,
                line=block.line,
                text=text,
                tier=tier,
                types=tuple(types),
                unknown_types=tuple(unknown),
                pointers=tuple(read_pointers(fields.get("sources", ""))),
            )
    problems = [reason for name, reason in failed.items() if name not in readable]
    return Queries(tuple(readable.values()), tuple(problems))


class QuestionReader:
    """Joins queries, rubrics and the documents of one corpus."""

    def __init__(self, items: Mapping[str, SourceItem]) -> None:
        self._items = items
        self._numbers = document_numbers(items)
        self._rarity = WordRarity(item.text for item in items.values())

    def read(
        self,
        queries: Queries,
        queries_file: Path,
        truth_file: Path,
        truth: str,
        *,
        holdout: bool,
        problems: list[str],
    ) -> list[LoadedQuestion]:
        """The questions that have a readable rubric; ``problems`` gains a sentence for each that
        has none, and for each pointer, type or quote that leads nowhere."""
        rubrics: dict[str, Rubric] = {}
        failures: dict[str, str] = {}
        for block in read_blocks(truth, known_ids=[query.id for query in queries.readable]):
            try:
                rubrics.setdefault(block.question_id, read_rubric(block))
            except RubricUnreadable as error:
                where = f"{truth_file.name}, line {block.line}"
                failures[block.question_id] = f"{where}: {block.question_id} is left out: {error}"
        questions: list[LoadedQuestion] = []
        for query in queries.readable:
            where = f"{queries_file.name}, line {query.line}"
            if query.id in rubrics:
                loaded = self._join(query, rubrics[query.id], where, holdout, problems)
                questions.append(loaded)
            else:
                problems.append(
                    failures.get(
                        query.id,
                        f"{where}: {query.id} is left out: it has no gold in {truth_file.name}",
                    )
                )
        return questions

    def _join(
        self, query: Query, rubric: Rubric, where: str, holdout: bool, problems: list[str]
    ) -> LoadedQuestion:
        pointers = query.pointers or rubric.pointers
        lost = [number for number in pointers if number not in self._numbers]
        if lost:
            names = ", ".join(f"#{number}" for number in lost)
            problems.append(f"{where}: {query.id} points to {names}, which the corpus lacks")
        if query.unknown_types:
            words = ", ".join(query.unknown_types)
            problems.append(f"{where}: {query.id} has unknown types: {words}")
        source_ids = tuple(self._numbers[n] for n in pointers if n in self._numbers)
        facts: list[Fact] = []
        placements: list[Placement] = []
        for number, fact in enumerate(rubric.facts, start=1):
            spans, placed = self._place(fact, source_ids)
            if any(placement.status == "missing" for placement in placed):
                reason = "its quote stands in no document" if fact.quote else "it has no quote"
                problems.append(f"{where}: {query.id}, fact {number}: {reason}")
            placements.extend(placed)
            facts.append(Fact(fact.text, statement_keys(fact.text, self._rarity), spans))
        slices: dict[str, tuple[str, ...]] = {"tier": (query.tier,)}
        if query.types:
            slices["type"] = query.types
        expectation = Expectation(
            rubric.gold_answer,
            tuple(facts),
            tuple(filter(None, rubric.penalties)),
            abstain=query.types == ("negative",),
        )
        question = Question(
            id=query.id,
            text=query.text,
            expectations={MAIN_PHASE: expectation},
            slices=slices,
            source_ids=source_ids,
            holdout=holdout,
        )
        return LoadedQuestion(question, where, SpanCounts.of(placements))

    def _place(
        self, fact: RubricFact, source_ids: tuple[str, ...]
    ) -> tuple[tuple[Span, ...], list[Placement]]:
        parts = quote_parts(fact.quote)
        if not parts:
            return (), [MISSING]
        pointed = [self._numbers[n] for n in fact.pointers if n in self._numbers]
        places = list(dict.fromkeys([*pointed, *source_ids, *self._items]))
        n_near = len(dict.fromkeys([*pointed, *source_ids]))
        spans: list[Span] = []
        placements: list[Placement] = []
        for part in parts:
            item_id, placement = self._find(part, places, n_near)
            placements.append(placement)
            spans.extend(span_of(item_id, placement))
        return tuple(dict.fromkeys(spans)), placements

    def _find(self, quote: str, places: list[str], n_near: int) -> tuple[str, Placement]:
        """The first document with the quote. In a document that nobody points to it counts as
        relocated."""
        for index, item_id in enumerate(places):
            placement = place_anywhere(self._items[item_id].text, quote)
            if placement.status != "missing":
                if index >= n_near > 0 and placement.status == "found":
                    placement = Placement(
                        "relocated", placement.start, placement.end, placement.n_occurrences
                    )
                return item_id, placement
        return "", MISSING


def document_numbers(items: Mapping[str, SourceItem]) -> dict[int, str]:
    """Each document's number (the digits that its id begins with) to its id."""
    numbers: dict[int, str] = {}
    for item_id in items:
        digits = item_id[: len(item_id) - len(item_id.lstrip("0123456789"))]
        if digits:
            numbers.setdefault(int(digits), item_id)
    return numbers
