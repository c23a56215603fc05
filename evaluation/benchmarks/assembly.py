"""From what a loader read to a benchmark: one set of checks, one corpus slice, one report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.benchmarks.span_search import Placement
from evaluation.records import (
    Ask,
    Benchmark,
    Card,
    Ingest,
    LoaderReport,
    Question,
    Scenario,
    Span,
)
from evaluation.source_files.reading import read_text
from evaluation.source_files.refusals import WrongKindOfFile
from memory_systems.base import SourceItem

LONGEST_ID, LONGEST_SCENARIO_ID, LONGEST_TIME = 200, 120, 40


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """How a question's spans were placed. ``ambiguous`` are those of the relocated that could
    also stand elsewhere; the other three add up to all spans sought."""

    found: int = 0
    relocated: int = 0
    ambiguous: int = 0
    missing: int = 0

    @staticmethod
    def of(placements: Iterable[Placement]) -> SpanCounts:
        seen = list(placements)
        by_status = Counter(placement.status for placement in seen)
        return SpanCounts(
            by_status["found"],
            by_status["relocated"],
            sum(placement.is_ambiguous for placement in seen),
            by_status["missing"],
        )


@dataclass(frozen=True, slots=True)
class LoadedQuestion:
    """A question with the place in its file (for refusals) and its spans' counts."""

    question: Question
    place: str = ""
    spans: SpanCounts = SpanCounts()


@dataclass(frozen=True, slots=True)
class LoadedScenario:
    """Items in the order they are ingested; every question is asked after the last of them."""

    id: str
    items: tuple[SourceItem, ...]
    questions: tuple[LoadedQuestion, ...]


def span_of(item_id: str, placement: Placement) -> tuple[Span, ...]:
    """The placement as a fact's spans: none where it is missing."""
    if placement.status == "missing":
        return ()
    return (Span(item_id, placement.start, placement.end),)


def assemble(
    card: Card,
    scenarios: Sequence[LoadedScenario],
    *,
    path: Path,
    problems: Sequence[str] = (),
    slice_file: Path | None = None,
) -> Benchmark:
    """The benchmark of these scenarios: items, then questions (holdout last), file order kept.

    With ``slice_file`` only the listed documents are ingested; questions with a source outside
    are dropped and counted in the report's problems, scenarios without a question go with them.
    Raises WrongKindOfFile for duplicate ids, a question without gold or with an unknown source,
    and for a benchmark without documents or questions.
    """
    _check(scenarios, path)
    notes = list(problems)
    if slice_file is not None:
        scenarios, note = _sliced(scenarios, slice_file)
        notes.append(note)
    loaded = [one for scenario in scenarios for one in scenario.questions]
    return Benchmark(
        card=card,
        scenarios=tuple(_with_steps(scenario) for scenario in scenarios),
        questions=tuple(one.question for one in loaded),
        report=LoaderReport(
            n_documents=len({item.id for scenario in scenarios for item in scenario.items}),
            n_questions=len(loaded),
            n_facts=sum(
                len(expectation.facts)
                for one in loaded
                for expectation in one.question.expectations.values()
            ),
            n_spans_found=sum(one.spans.found for one in loaded),
            n_spans_relocated=sum(one.spans.relocated for one in loaded),
            n_spans_ambiguous=sum(one.spans.ambiguous for one in loaded),
            n_spans_missing=sum(one.spans.missing for one in loaded),
            problems=tuple(notes),
        ),
    )


def _with_steps(scenario: LoadedScenario) -> Scenario:
    asked = sorted(
        (one.question for one in scenario.questions), key=lambda question: question.holdout
    )
    asks = [Ask(question.id, phase) for question in asked for phase in question.expectations]
    return Scenario(scenario.id, (*(Ingest(item) for item in scenario.items), *asks))


def _check(scenarios: Sequence[LoadedScenario], path: Path) -> None:
    seen: dict[str, str] = {}
    for scenario in scenarios:
        _check_lengths(scenario, path)
        items = Counter(item.id for item in scenario.items)
        if repeated := [item_id for item_id, count in items.items() if count > 1]:
            raise WrongKindOfFile(path, f"the document id “{repeated[0]}” occurs twice")
        for one in scenario.questions:
            question = one.question
            if question.id in seen:
                earlier = f" (first at {seen[question.id]})" if seen[question.id] else ""
                raise WrongKindOfFile(
                    path, f"the question id “{question.id}” occurs twice{earlier}", place=one.place
                )
            seen[question.id] = one.place
            if not all(e.gold_answer.strip() for e in question.expectations.values()):
                raise WrongKindOfFile(
                    path, f"question “{question.id}” has no gold answer", place=one.place
                )
            if unknown := [name for name in question.source_ids if name not in items]:
                raise WrongKindOfFile(
                    path,
                    f"question “{question.id}” names the source “{unknown[0]}”, "
                    "which is not among the documents",
                    place=one.place,
                )
    if not any(scenario.items for scenario in scenarios):
        raise WrongKindOfFile(path, "no document was found in it")
    if not seen:
        raise WrongKindOfFile(path, "no question was found in it")


def _check_lengths(scenario: LoadedScenario, path: Path) -> None:
    """No database keeps names without end."""
    named = [("scenario", scenario.id, LONGEST_SCENARIO_ID)]
    named += [("document", item.id, LONGEST_ID) for item in scenario.items]
    named += [("question", one.question.id, LONGEST_ID) for one in scenario.questions]
    named += [("document's time", item.timestamp, LONGEST_TIME) for item in scenario.items]
    for kind, name, longest in named:
        if len(name) > longest:
            raise WrongKindOfFile(
                path, f"a {kind} is named “{name[:40]}…”, with more than {longest} characters"
            )


def _sliced(
    scenarios: Sequence[LoadedScenario], slice_file: Path
) -> tuple[list[LoadedScenario], str]:
    wanted = read_slice(slice_file)
    known = {item.id for scenario in scenarios for item in scenario.items}
    if unknown := [(line, name) for name, line in wanted.items() if name not in known]:
        line, name = unknown[0]
        raise WrongKindOfFile(
            slice_file,
            f"the benchmark has no document “{name}” ({len(unknown)} unknown in all)",
            place=f"line {line}",
        )
    kept: list[LoadedScenario] = []
    n_questions = n_kept = 0
    for scenario in scenarios:
        items = tuple(item for item in scenario.items if item.id in wanted)
        questions = tuple(
            one for one in scenario.questions if wanted.keys() >= set(one.question.source_ids)
        )
        n_questions += len(scenario.questions)
        if items and questions:
            n_kept += len(questions)
            kept.append(replace(scenario, items=items, questions=questions))
    if not kept:
        raise WrongKindOfFile(slice_file, "no question has all its sources in this slice")
    note = (
        f"corpus slice {slice_file.name}: {len(wanted)} of {len(known)} documents, "
        f"{n_questions - n_kept} of {n_questions} questions dropped "
        "because a source of theirs lies outside"
    )
    return kept, note


def read_slice(slice_file: Path) -> dict[str, int]:
    """Document ids, one a line, with their line numbers; blank lines and lines that start with
    "#" are skipped. Raises WrongKindOfFile when an id occurs twice or none is left."""
    wanted: dict[str, int] = {}
    for number, line in enumerate(read_text(slice_file).splitlines(), start=1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        if name in wanted:
            raise WrongKindOfFile(slice_file, f"“{name}” occurs twice", place=f"line {number}")
        wanted[name] = number
    if not wanted:
        raise WrongKindOfFile(slice_file, "the slice names no document")
    return wanted
