"""Words for facts and for the prose between them, in the scene of one paper."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluation.benchmarks.scholia.dice import Dice
from evaluation.benchmarks.scholia.grammar import Grammar, sentence, with_articles
from evaluation.benchmarks.scholia.manuscript import Sentence, row_of
from evaluation.benchmarks.scholia.plans import PlannedFact, Wordings

_FRESH_ATTEMPTS = 30
_GENERAL_PERCENT = 30


@dataclass(slots=True)
class Wording:
    """Writes sentences of one paper; no background sentence is written twice."""

    grammar: Grammar
    scene: Wordings
    dice: Dice
    _written: set[str] = field(default_factory=set)
    _decks: dict[str, list[str]] = field(default_factory=dict)

    def background(self, symbol: str) -> Sentence:
        """A sentence of discourse around an alternative of ``symbol`` or of the general pool."""
        if self.dice.chance(_GENERAL_PERCENT):
            symbol = "c_any"
        text = ""
        for _ in range(_FRESH_ATTEMPTS):
            clause = self._next_clause(symbol)
            patterns = "pattern" if "{" in clause else "pattern_of_fixed_clause"
            pattern = self.dice.pick(self.grammar.alternatives(patterns))
            template = pattern.replace("{clause}", clause)
            text = self.grammar.expand(template, self.scene, self.dice)
            if text not in self._written:
                break
        self._written.add(text)
        return Sentence(sentence(text, end=""))

    def _next_clause(self, symbol: str) -> str:
        """The alternatives in a shuffled order, all of them before any comes again."""
        deck = self._decks.get(symbol)
        if not deck:
            deck = self._decks[symbol] = self.dice.shuffled(self.grammar.alternatives(symbol))
        return deck.pop()

    def opening(self) -> Sentence:
        """The first sentence of the abstract."""
        return Sentence(sentence(self.grammar.clause("abstract_open", self.scene, self.dice)))

    def clause(self, symbol: str) -> str:
        return with_articles(self.grammar.clause(symbol, self.scene, self.dice))

    def full(self, fact: PlannedFact) -> Sentence:
        """The fact with its qualifiers."""
        return Sentence(sentence(self._fact_clause(fact)), fact.id)

    def restated(self, fact: PlannedFact) -> Sentence:
        """The fact again, in other words, with its qualifiers."""
        again = {"statement": (self._fact_clause(fact),)}
        text = self.grammar.clause("restate", again, self.dice)
        return Sentence(sentence(text), fact.id)

    def bare(self, fact: PlannedFact) -> Sentence:
        """A quantity without the condition it was measured under."""
        text = self.grammar.clause("quantity_bare", {**self.scene, **fact.wordings}, self.dice)
        return Sentence(sentence(text), fact.id, is_bare=True)

    def cited(self, fact: PlannedFact, name: str, mark: str) -> Sentence:
        """A true fact of another paper, attributed to it."""
        bindings: Wordings = {
            **fact.wordings,
            "name": (name,),
            "mark": (mark,),
            "subj": (f"{name} {mark}",),
        }
        if fact.templates:
            text = self.grammar.expand(self.dice.pick(fact.templates), bindings, self.dice)
        else:
            text = self.grammar.clause(f"{fact.kind}_cited", bindings, self.dice)
        return Sentence(sentence(text), fact.id, is_citation=True)

    def row(
        self,
        fact: PlannedFact,
        *,
        before: tuple[str, ...] = (),
        after: tuple[str, ...] = (),
        is_citation: bool = False,
    ) -> Sentence:
        """A quantity as a table row: measure, condition and value between other cells."""
        cells = [self.dice.pick(fact.wordings[name]) for name in ("metric", "cond", "value")]
        return Sentence(row_of([*before, *cells, *after]), fact.id, is_citation=is_citation)

    def _fact_clause(self, fact: PlannedFact) -> str:
        bindings = {**self.scene, **fact.wordings}
        if fact.templates:
            return self.grammar.expand(self.dice.pick(fact.templates), bindings, self.dice)
        return self.grammar.clause(fact.kind, bindings, self.dice)
