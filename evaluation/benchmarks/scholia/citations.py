"""Which true facts of other papers a paper cites: honest statements that distract a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.manuscript import Sentence
from evaluation.benchmarks.scholia.plans import PaperPlan, PlannedFact
from evaluation.benchmarks.scholia.wording import Wording

_N_CITED_PAPERS = (7, 12)


@dataclass(frozen=True, slots=True)
class Citation:
    """One fact of another paper, and the number of that paper in the list of references."""

    number: int
    paper: PaperPlan
    fact: PlannedFact

    @property
    def mark(self) -> str:
        return f"[{self.number}]"

    def sentence(self, wording: Wording) -> Sentence:
        return wording.cited(self.fact, self.paper.name, self.mark)


def choose_citations(
    plan: PaperPlan, papers: Sequence[PaperPlan], dice: Dice
) -> tuple[Citation, ...]:
    """Two facts each of seven to twelve other papers (all others where there are fewer); facts
    about the citing paper's own topics come first."""
    own_topics = {fact.topic for fact in plan.facts}
    others = dice.sample([other for other in papers if other is not plan], len(papers))
    others = others[: dice.between(*_N_CITED_PAPERS)]
    citations = []
    for number, other in enumerate(others, start=1):
        facts = dice.shuffled(
            other.of_kind(
                "quantity", "threshold", "mechanism", "reason", "enumeration", "failure", "remedy"
            )
        )
        facts.sort(key=lambda fact: (fact.topic not in own_topics, fact.only_in_table))
        citations += [Citation(number, other, fact) for fact in facts[:2]]
    return tuple(dice.shuffled(citations))


def reference_list(citations: Sequence[Citation], entries: Mapping[str, str]) -> str:
    """``entries`` maps a paper's id to its authors and title."""
    papers = {citation.number: citation.paper.id for citation in citations}
    return "\n".join(f"[{number}] {entries[papers[number]]}" for number in sorted(papers))
