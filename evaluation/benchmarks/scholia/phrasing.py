"""Words for questions."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.grammar import Grammar, sentence, with_articles
from evaluation.benchmarks.scholia.plans import PaperPlan, PlannedFact

# Where a fact keeps its own words for what a question calls by another name.
_OWN_WORDS = {"asked": "when"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A question before it has an id and spans."""

    text: str
    types: tuple[str, ...]
    source_ids: tuple[str, ...]
    facts: tuple[PlannedFact, ...]
    gold: str
    penalties: tuple[str, ...] = ()
    abstain: bool = False


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Fills the question grammar. ``own_words_percent``: how often a question repeats the paper's
    own words for a thing where it could paraphrase them."""

    grammar: Grammar
    dice: Dice
    own_words_percent: int

    def ask(self, symbol: str, **slots: str) -> str:
        bindings = {name: (text,) for name, text in slots.items()}
        return sentence(self.grammar.clause(symbol, bindings, self.dice), end="")

    def reference(self, plan: PaperPlan) -> str:
        bindings = dict(plan.reference)
        own_setting = bindings.pop("own_setting", ())
        if own_setting and self.dice.chance(self.own_words_percent):
            bindings["setting"] = own_setting
        return with_articles(self.grammar.clause("ref", bindings, self.dice))

    def asked(self, fact: PlannedFact, slot: str) -> str:
        own = fact.wordings.get(_OWN_WORDS.get(slot, slot), ())
        if own and self.dice.chance(self.own_words_percent):
            return self.dice.pick(own)
        return self.dice.pick(fact.asked[slot])

    def about_part(self, symbol: str, part: PlannedFact) -> str:
        return self.grammar.clause(symbol, part.asked, self.dice)

    def listed(self, items: list[str]) -> str:
        """``a; b; and c``: the items may contain commas."""
        return f"{'; '.join(items[:-1])}; and {items[-1]}"


def gold_of(*facts: PlannedFact) -> str:
    return " ".join(must_have.text for fact in facts for must_have in fact.must_haves)
