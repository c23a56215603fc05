"""The generated scientific benchmarks: papers about invented systems, with gold by construction.

Facts are sampled first and rendered by a varied grammar; where each fact is stated is recorded
while writing and verified after. The same name, size and seed give the same bytes everywhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evaluation.benchmarks.scholia.citations import choose_citations
from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.grammar import Grammar, sentence
from evaluation.benchmarks.scholia.lexicon import Lexicon, read_lexicon
from evaluation.benchmarks.scholia.manuscript import Statement
from evaluation.benchmarks.scholia.paper_writing import WrittenPaper, write_paper
from evaluation.benchmarks.scholia.plans import PaperPlan
from evaluation.benchmarks.scholia.question_writing import QuestionWriter
from evaluation.benchmarks.scholia.sampling import sample_papers
from evaluation.benchmarks.scholia.verification import verify
from evaluation.records import (
    Ask,
    Benchmark,
    Card,
    Ingest,
    LoaderReport,
    Question,
    Scenario,
    Span,
    Step,
)
from memory_systems.base import SourceItem

GENERATOR_VERSION = 1
# Readers who ask about a paper reuse most of its words: in COVID-QA the sentence with the answer
# holds 71 % of the question's content words (median). Plain questions paraphrase more than that;
# questions of scholia-terms use the exact names, and paraphrase what is not a name.
OWN_WORDS_PERCENT: Mapping[CorpusName, int] = {"scholia-prose": 75, "scholia-terms": 0}
DEFAULT_SEED = 1

CorpusName = Literal["scholia-prose", "scholia-terms"]
Size = Literal["small", "standard"]


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """``tiers``: how many counted questions of L1, L2 and L3; holdout questions come on top."""

    n_papers: int
    tiers: tuple[int, int, int]
    holdout_tiers: tuple[int, int, int]


SIZES: dict[tuple[str, str], CorpusSize] = {
    ("scholia-prose", "small"): CorpusSize(12, (4, 14, 6), (1, 2, 1)),
    ("scholia-prose", "standard"): CorpusSize(80, (9, 39, 18), (2, 5, 3)),
    ("scholia-terms", "small"): CorpusSize(12, (8, 10, 6), (1, 2, 1)),
    ("scholia-terms", "standard"): CorpusSize(240, (34, 41, 23), (3, 4, 3)),
}
_TITLES = {
    "scholia-prose": "Scholia Prose: papers in plain words, questions that paraphrase",
    "scholia-terms": "Scholia Terms: papers dense with names, questions that use them",
}


class UnknownCorpus(ValueError):
    """No generated corpus has this name and size."""


def generate(name: CorpusName, *, size: Size = "standard", seed: int = DEFAULT_SEED) -> Benchmark:
    """The benchmark ``name``: every paper, then every question, in a stable order.

    Raises UnknownCorpus, and FactNotStated if a span does not carry its fact (a defect of the
    grammar, never of the caller).
    """
    if (name, size) not in SIZES:
        known = ", ".join(f"{corpus} ({of_size})" for corpus, of_size in SIZES)
        raise UnknownCorpus(f"no generated corpus {name!r} of size {size!r}; known: {known}")
    shape = SIZES[name, size]
    lexicon = read_lexicon(name.removeprefix("scholia-"))
    plans = sample_papers(lexicon, n_papers=shape.n_papers, seed=seed)
    papers = write_corpus(lexicon, plans, seed=seed)
    spans = {plan.id: spans_of(plan.id, papers[plan.id]) for plan in plans}
    writer = QuestionWriter(
        lexicon.grammar,
        plans,
        spans,
        Dice(lexicon.corpus, seed, "questions"),
        OWN_WORDS_PERCENT[name],
    )
    prefix = lexicon.id_prefix.upper()
    questions = writer.write(shape.tiers, id_prefix=prefix)
    questions += writer.write(shape.holdout_tiers, id_prefix=f"{prefix}H", holdout=True)
    items = [SourceItem(id=p.id, text=papers[p.id].text, title=papers[p.id].title) for p in plans]
    verify(items, questions)
    return _benchmark(name, size, seed, items, questions)


def scholia_prose(*, size: Size = "standard", seed: int = DEFAULT_SEED) -> Benchmark:
    return generate("scholia-prose", size=size, seed=seed)


def scholia_terms(*, size: Size = "standard", seed: int = DEFAULT_SEED) -> Benchmark:
    return generate("scholia-terms", size=size, seed=seed)


def write_corpus(lexicon: Lexicon, plans: list[PaperPlan], *, seed: int) -> dict[str, WrittenPaper]:
    """Every planned paper written out, by id. Each paper has its own stream of choices."""
    titles: dict[str, str] = {}
    authors: dict[str, str] = {}
    grammar: Grammar = lexicon.grammar
    for plan in plans:
        dice = Dice(lexicon.corpus, seed, "title", plan.id)
        title = sentence(grammar.clause("title", plan.scene, dice), end="")
        titles[plan.id] = title
        authors[plan.id] = _authors(lexicon, dice)
    entries = {plan.id: f"{authors[plan.id]}. {titles[plan.id]}." for plan in plans}
    papers = {}
    for plan in plans:
        dice = Dice(lexicon.corpus, seed, "text", plan.id)
        papers[plan.id] = write_paper(
            plan,
            choose_citations(plan, plans, dice),
            title=titles[plan.id],
            authors=authors[plan.id],
            titles=entries,
            grammar=grammar,
            dice=dice,
        )
    return papers


def spans_of(paper_id: str, paper: WrittenPaper) -> dict[str, tuple[Span, ...]]:
    """Where the paper states each of its own facts: with their qualifiers first, in the order of
    the text, then the bare restatements."""
    stated: dict[str, list[Statement]] = defaultdict(list)
    for statement in paper.statements:
        if not statement.is_citation:
            stated[statement.fact_id].append(statement)
    return {
        fact_id: tuple(
            Span(paper_id, statement.start, statement.end)
            for statement in sorted(statements, key=lambda s: (s.is_bare, s.start))
        )
        for fact_id, statements in stated.items()
    }


def _authors(lexicon: Lexicon, dice: Dice) -> str:
    rules = lexicon.name_rules
    people = [
        f"{dice.pick(rules['given'])} {dice.pick(rules['family_start'])}"
        f"{dice.pick(rules['family_end'])}"
        for _ in range(dice.between(2, 5))
    ]
    return ", ".join(people)


def _benchmark(
    name: CorpusName, size: Size, seed: int, items: list[SourceItem], questions: list[Question]
) -> Benchmark:
    steps: list[Step] = [Ingest(item) for item in items]
    steps += [Ask(question.id) for question in questions]
    facts = [fact for question in questions for fact in question.expectations["main"].facts]
    return Benchmark(
        card=Card(
            slug=name,
            title=_TITLES[name],
            family="scientific",
            licence="MIT (generated by MemJury)",
            citation="",
            source=f"generated: version {GENERATOR_VERSION}, size {size}, seed {seed}",
            description=(
                f"{len(items)} invented full-text papers and "
                f"{sum(not question.holdout for question in questions)} questions with gold by "
                "construction; facts, figures, names and people are made up."
            ),
            is_generated=True,
        ),
        scenarios=(Scenario(name, tuple(steps)),),
        questions=tuple(questions),
        report=LoaderReport(
            n_documents=len(items),
            n_questions=len(questions),
            n_facts=len(facts),
            n_spans_found=sum(len(fact.spans) for fact in facts),
        ),
    )
