"""The Markdown tables of a paper."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.benchmarks.scholia.citations import Citation
from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.manuscript import Manuscript, Sentence, row_of
from evaluation.benchmarks.scholia.plans import PaperPlan
from evaluation.benchmarks.scholia.wording import Wording

_VERDICTS = ("ahead", "behind", "level", "slightly ahead", "slightly behind", "not compared")
_CHANGES = ("lower", "much lower", "slightly lower", "unchanged", "slightly higher", "unstable")


def results_table(paper: Manuscript, plan: PaperPlan, wording: Wording, dice: Dice) -> None:
    """Rows of measure, condition and value. Some quantities stand here and nowhere else."""
    facts = [fact for fact in plan.of_kind("quantity") if fact.only_in_table or dice.chance(55)]
    rows = [wording.row(fact, after=(dice.pick(_VERDICTS),)) for fact in dice.shuffled(facts)]
    paper.block(
        f"Table 1: Main figures of {plan.name}; the last column compares with the baseline."
    )
    paper.table(("Measure", "Condition", plan.name, "Against the baseline"), rows)


def comparison_table(paper: Manuscript, citations: Sequence[Citation], wording: Wording) -> None:
    """What other papers report, as they report it."""
    rows = [
        wording.row(
            citation.fact, before=(f"{citation.paper.name} {citation.mark}",), is_citation=True
        )
        for citation in citations
        if citation.fact.kind == "quantity"
    ]
    if rows:
        paper.block("Table 2: Figures quoted from other papers.")
        paper.table(("System", "Measure", "Condition", "Reported"), rows)


def ablation_table(paper: Manuscript, plan: PaperPlan, wording: Wording, dice: Dice) -> None:
    """The direction in which each measure moves when a part is removed; no figures."""
    metrics = list(dict.fromkeys(f.wordings["metric"][0] for f in plan.of_kind("quantity")))[:3]
    removed = [f.wordings["part"][0] for f in plan.of_kind("mechanism")]
    rows = [
        Sentence(row_of([f"without the {part}", *(dice.pick(_CHANGES) for _ in metrics)]))
        for part in removed
    ]
    rows.append(
        Sentence(row_of([wording.clause("activity"), *(dice.pick(_CHANGES) for _ in metrics)]))
    )
    paper.block("Table 3: Change of each measure when one part is left out.")
    paper.table(("Variant", *metrics), rows)
