"""Loader of a folder of Markdown files with a ``questions.jsonl``: the simplest benchmark.

Every ``*.md`` and ``*.markdown`` under the folder is a document; its id is its path in the folder
without the ending (``papers/smith-2024``), its title its first heading. A README at the top and
hidden files are no documents.

``questions.jsonl`` holds one question a line, a JSON object with

- ``id``, ``question``, ``answer``: required; ``answer`` is the gold answer (text or number). Only
  with ``abstain`` may the answer be left out;
- ``facts``: must-have facts, each a text or ``{text, keys, quotes}``. ``keys`` are
  ``{kind: "number"|"term", value, unit, tolerance, aliases}``; ``quotes`` are verbatim texts, each
  a text (looked for in the sources) or ``{document, quote}``. Without ``facts`` the answer is the
  one fact; without ``keys`` they are derived from its words (see ``fact_keys``);
- ``sources``: document ids; ``tier``: L1, L2 or L3; ``types``: a list of question types;
- ``penalties``: claims that an answer must not make; ``abstain``: true where the right answer is
  that the documents do not say; ``holdout``: true for questions that are kept apart.

An unknown field is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evaluation.benchmarks.assembly import LoadedQuestion, LoadedScenario, SpanCounts, assemble
from evaluation.benchmarks.cards import card_for
from evaluation.benchmarks.fact_keys import WordRarity
from evaluation.benchmarks.folder_facts import facts_of
from evaluation.benchmarks.markdown_documents import read_documents
from evaluation.records import MAIN_PHASE, Benchmark, Expectation, Question
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, read_json_lines
from evaluation.source_files.refusals import WrongKindOfFile
from memory_systems.base import SourceItem

FORMAT = "folder"
QUESTIONS_FILE = "questions.jsonl"
NOT_IN_DOCUMENTS = "The documents do not say."
TIERS = ("L1", "L2", "L3")
_FIELDS = (
    "abstain", "answer", "facts", "holdout", "id", "penalties", "question", "sources", "tier",
    "types",
)  # fmt: skip


def load(
    path: Path,
    *,
    slug: str | None = None,
    title: str | None = None,
    licence: str | None = None,
    slice_file: Path | None = None,
    max_bytes: int = MAX_FILE_BYTES,
) -> Benchmark:
    """The benchmark in this folder: one scenario, documents by id, then the questions.

    Raises WrongKindOfFile naming file and line.
    """
    if not path.is_dir():
        raise WrongKindOfFile(path, f"a folder of Markdown files with {QUESTIONS_FILE} is needed")
    questions_file = path / QUESTIONS_FILE
    files = read_documents(path, max_bytes=max_bytes)
    if not files:
        raise WrongKindOfFile(path, "no Markdown document was found in it")
    items = {item.id: item for item in files.values()}
    rarity = WordRarity(item.text for item in items.values())
    problems: list[str] = []
    questions = []
    for line in read_json_lines(questions_file, max_bytes=max_bytes):
        if line.refusal is not None:
            raise line.refusal
        node = JsonNode(line.value, questions_file, line.place)
        questions.append(_question(node, items, rarity, problems))
    card = card_for(
        path,
        family="scientific",
        format_name="folder of Markdown",
        files=[*files, questions_file],
        slug=slug,
        title=title,
        licence=licence,
        slice_file=slice_file,
        max_bytes=max_bytes,
    )
    scenario = LoadedScenario("corpus", tuple(items.values()), tuple(questions))
    return assemble(card, [scenario], path=questions_file, problems=problems, slice_file=slice_file)


def _question(
    node: JsonNode, items: Mapping[str, SourceItem], rarity: WordRarity, problems: list[str]
) -> LoadedQuestion:
    if unknown := sorted(set(node.fields()) - set(_FIELDS)):
        raise node.refuse(f"unknown field “{unknown[0]}” (known: {', '.join(_FIELDS)})")
    question_id = node.field("id").label()
    abstain = _flag(node, "abstain")
    answer = node.find("answer")
    if answer is None and not abstain:
        raise node.refuse(f"question “{question_id}” has no gold answer (“answer” is missing)")
    gold = NOT_IN_DOCUMENTS if answer is None else answer.label()
    source_ids = _sources(node, items)
    facts, placements = facts_of(
        node, gold=gold, abstain=abstain, source_ids=source_ids, items=items, rarity=rarity
    )
    problems.extend(
        f"{node.place}: a quote of question “{question_id}” does not stand in its documents"
        for placement in placements
        if placement.status == "missing"
    )
    slices: dict[str, tuple[str, ...]] = {}
    if (tier := node.find("tier")) is not None:
        if tier.value not in TIERS:
            raise tier.refuse(f"a tier is one of {', '.join(TIERS)}")
        slices["tier"] = (tier.text(),)
    if types := _labels(node, "types"):
        slices["type"] = types
    expectation = Expectation(gold, facts, _labels(node, "penalties"), abstain)
    question = Question(
        id=question_id,
        text=node.field("question").label(),
        expectations={MAIN_PHASE: expectation},
        slices=slices,
        source_ids=source_ids,
        holdout=_flag(node, "holdout"),
    )
    return LoadedQuestion(question, node.place, SpanCounts.of(placements))


def _sources(node: JsonNode, items: Mapping[str, SourceItem]) -> tuple[str, ...]:
    names = _labels(node, "sources")
    for name in names:
        if name not in items:
            raise node.refuse(f"the source “{name}” is not among the documents")
    return names


def _labels(node: JsonNode, name: str) -> tuple[str, ...]:
    values = node.find(name)
    if values is None:
        return ()
    return tuple(dict.fromkeys(value.label() for value in values.each()))


def _flag(node: JsonNode, name: str) -> bool:
    flag = node.find(name)
    return flag is not None and flag.flag()
