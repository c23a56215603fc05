"""Writes the questions of a corpus: which are asked, in which order, under which id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from evaluation.benchmarks.scholia import cross_paper_recipes as cross
from evaluation.benchmarks.scholia import single_paper_recipes as single
from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.fact_pool import FactPool, NothingLeftToAsk
from evaluation.benchmarks.scholia.grammar import Grammar
from evaluation.benchmarks.scholia.phrasing import Draft, Phrasing
from evaluation.benchmarks.scholia.plans import PaperPlan
from evaluation.records import MAIN_PHASE, Expectation, Fact, Question, Span

_Recipe = Callable[[FactPool, Phrasing], Draft]

RECIPES: dict[str, tuple[_Recipe, ...]] = {
    "L1": (
        single.value,
        single.setup,
        single.table,
        single.absent,
        single.threshold,
        single.value,
        single.setup,
        single.value,
    ),
    "L2": (
        single.mechanism,
        single.conditions,
        single.enumeration,
        cross.pair,
        single.failure,
        single.absent_two,
        single.threshold_mechanism,
        single.conditions,
        single.mechanism,
        single.failure,
        cross.pair,
        single.enumeration,
    ),
    "L3": (
        cross.thresholds,
        cross.winner,
        cross.remedies,
        cross.ranking,
        cross.enumerations,
        cross.thresholds,
        cross.winner,
    ),
}


class QuestionWriter:
    """Draws questions so that facts are asked once and papers are used evenly."""

    def __init__(
        self,
        grammar: Grammar,
        plans: Sequence[PaperPlan],
        spans: Mapping[str, Mapping[str, tuple[Span, ...]]],
        dice: Dice,
        own_words_percent: int,
    ) -> None:
        self._pool = FactPool(plans, dice)
        self._phrasing = Phrasing(grammar, dice, own_words_percent)
        self._spans = spans
        self._texts: set[str] = set()

    def write(
        self, tiers: tuple[int, int, int], *, id_prefix: str, holdout: bool = False
    ) -> list[Question]:
        """``tiers`` questions of L1, L2 and L3, numbered from 1 in that order."""
        questions: list[Question] = []
        for (tier, recipes), n_questions in zip(RECIPES.items(), tiers, strict=True):
            for number in range(n_questions):
                first = number % len(recipes)
                draft = self._draft(recipes[first:] + recipes[:first])
                question_id = f"{id_prefix}{len(questions) + 1}"
                questions.append(self._question(question_id, tier, draft, holdout))
        return questions

    def _draft(self, recipes: tuple[_Recipe, ...]) -> Draft:
        """A draft by the first recipe that still finds facts, worded like no earlier one."""
        for recipe in recipes:
            try:
                draft = recipe(self._pool, self._phrasing)
            except NothingLeftToAsk:
                continue
            if draft.text not in self._texts:
                self._texts.add(draft.text)
                return draft
        raise NothingLeftToAsk("the corpus is too small for the questions of its size")

    def _question(self, question_id: str, tier: str, draft: Draft, holdout: bool) -> Question:
        facts = tuple(
            Fact(must_have.text, must_have.keys, self._spans[fact.paper_id][fact.id])
            for fact in draft.facts
            for must_have in fact.must_haves
        )
        return Question(
            id=question_id,
            text=draft.text,
            expectations={
                MAIN_PHASE: Expectation(
                    gold_answer=draft.gold,
                    facts=facts,
                    penalties=draft.penalties,
                    abstain=draft.abstain,
                )
            },
            slices={"tier": (tier,), "type": draft.types},
            source_ids=draft.source_ids,
            holdout=holdout,
        )
