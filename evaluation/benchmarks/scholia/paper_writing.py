"""Writes a planned paper: sections, tables and citations, with every fact's sentences recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.benchmarks.scholia.citations import Citation, reference_list
from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.equations import equation_block
from evaluation.benchmarks.scholia.grammar import Grammar
from evaluation.benchmarks.scholia.manuscript import Manuscript, Sentence, Statement
from evaluation.benchmarks.scholia.plans import PaperPlan, PlannedFact
from evaluation.benchmarks.scholia.tables import ablation_table, comparison_table, results_table
from evaluation.benchmarks.scholia.wording import Wording

MIN_CHARS, MAX_CHARS = 25_000, 60_000
_SHORTEST_PROSE, _LONGEST_PROSE = 26_000, 49_000
_SHARES = {
    "intro": 15,
    "related": 17,
    "method": 24,
    "setup": 11,
    "results": 14,
    "ablation": 9,
    "limits": 7,
    "conclusion": 3,
}


@dataclass(frozen=True, slots=True)
class WrittenPaper:
    title: str
    text: str
    statements: tuple[Statement, ...]


def write_paper(
    plan: PaperPlan,
    citations: Sequence[Citation],
    *,
    title: str,
    authors: str,
    titles: Mapping[str, str],
    grammar: Grammar,
    dice: Dice,
) -> WrittenPaper:
    """The full text of ``plan`` in Markdown, 25 to 60 thousand characters."""
    wording = Wording(grammar, plan.scene, dice)
    writer = _PaperWriter(plan, citations, wording, dice)
    paper = writer.paper
    paper.block(f"# {title}")
    paper.block(authors)
    writer.abstract()
    for section in (
        writer.introduction,
        writer.related_work,
        writer.method,
        writer.setup,
        writer.results,
        writer.ablations,
        writer.limitations,
        writer.conclusion,
    ):
        section()
    paper.block("## References")
    paper.block(reference_list(citations, titles))
    return WrittenPaper(title, paper.text().rstrip("\n") + "\n", tuple(paper.statements))


class _PaperWriter:
    def __init__(
        self, plan: PaperPlan, citations: Sequence[Citation], wording: Wording, dice: Dice
    ) -> None:
        self.paper = Manuscript()
        self._plan = plan
        self._citations = citations
        self._wording = wording
        self._dice = dice
        self._prose_chars = dice.between(_SHORTEST_PROSE, _LONGEST_PROSE)
        self._n_equations = 0
        self._quantities = [f for f in plan.of_kind("quantity") if not f.only_in_table]

    def abstract(self) -> None:
        wording, dice = self._wording, self._dice
        sentences = [wording.opening()]
        sentences += [wording.background("c_intro") for _ in range(dice.between(2, 4))]
        sentences += self._some(self._quantities, 30, wording.bare)
        sentences += self._some(self._plan.of_kind("mechanism"), 35, wording.full)
        sentences.append(wording.background("c_conclusion"))
        self.paper.block("## Abstract")
        self.paper.paragraph(sentences)

    def introduction(self) -> None:
        wording = self._wording
        facts = self._some(self._plan.of_kind("mechanism", "reason"), 35, wording.restated)
        facts += self._some(self._quantities, 15, wording.restated)
        facts += [citation.sentence(wording) for citation in self._citations[:2]]
        self._heading("intro")
        self._prose("intro", facts)

    def related_work(self) -> None:
        facts = [citation.sentence(self._wording) for citation in self._citations[2:]]
        self._heading("related")
        self._prose("related", facts)

    def method(self) -> None:
        wording, plan = self._wording, self._plan
        self._heading("method")
        parts = plan.of_kind("mechanism")
        others = plan.of_kind("threshold") + plan.of_kind("enumeration")[:1]
        share = self._share("method") // (len(parts) + 1)
        self._fill("c_method", [wording.full(fact) for fact in others], share)
        self._equation()
        for part in parts:
            self.paper.block(f"### The {part.wordings['part'][0]}")
            reason = plan.fact(part.partner)
            self._fill("c_method", [wording.full(part), wording.full(reason)], share)
            for _ in range(self._dice.between(0, 2)):
                self._equation()

    def setup(self) -> None:
        facts = self._plan.of_kind("setup") + self._plan.of_kind("enumeration")[1:]
        self._heading("setup")
        self._prose("setup", [self._wording.full(fact) for fact in facts])

    def results(self) -> None:
        wording, plan, dice = self._wording, self._plan, self._dice
        self._heading("results")
        facts = [wording.full(fact) for fact in self._quantities]
        facts += self._some(plan.of_kind("threshold", "failure"), 35, wording.restated)
        share = self._share("results") // 2
        half = len(facts) // 2
        self._fill("c_results", facts[:half], share)
        results_table(self.paper, plan, wording, dice)
        self._fill("c_results", facts[half:], share)
        comparison_table(self.paper, self._citations, wording)

    def ablations(self) -> None:
        wording = self._wording
        self._heading("ablation")
        facts = self._some(self._quantities, 30, wording.restated)
        facts += self._some(self._plan.of_kind("reason"), 30, wording.restated)
        self._prose("ablation", facts)
        ablation_table(self.paper, self._plan, wording, self._dice)

    def limitations(self) -> None:
        facts = self._plan.of_kind("failure", "remedy", "silence")
        self._heading("limits")
        self._prose("limits", [self._wording.full(fact) for fact in facts])

    def conclusion(self) -> None:
        self._heading("conclusion")
        facts = self._some(self._quantities, 25, self._wording.bare)
        self._prose("conclusion", facts)

    def _heading(self, section: str) -> None:
        self.paper.block(f"## {self._wording.clause(f'section_{section}')}")

    def _share(self, section: str) -> int:
        return self._prose_chars * _SHARES[section] // 100

    def _prose(self, section: str, facts: list[Sentence]) -> None:
        self._fill(f"c_{section}", facts, self._share(section))

    def _fill(self, symbol: str, facts: list[Sentence], n_chars: int) -> None:
        """Paragraphs of background with ``facts`` strewn among them, ``n_chars`` in all."""
        written = sum(len(fact.text) + 1 for fact in facts)
        sentences: list[Sentence] = []
        while written < n_chars:
            sentences.append(self._wording.background(symbol))
            written += len(sentences[-1].text) + 1
        for fact in facts:
            sentences.insert(self._dice.between(0, len(sentences)), fact)
        while sentences:
            n = self._dice.between(4, 8)
            self.paper.paragraph(sentences[:n])
            sentences = sentences[n:]

    def _some(
        self, facts: Sequence[PlannedFact], percent: int, write: Callable[[PlannedFact], Sentence]
    ) -> list[Sentence]:
        return [write(fact) for fact in facts if self._dice.chance(percent)]

    def _equation(self) -> None:
        self._n_equations += 1
        for block in equation_block(self._dice, self._n_equations):
            self.paper.block(block)
