"""Questions that need several papers."""

from __future__ import annotations

from decimal import Decimal

from evaluation.benchmarks.scholia.fact_pool import FactPool, NothingLeftToAsk
from evaluation.benchmarks.scholia.phrasing import Draft, Phrasing, gold_of
from evaluation.benchmarks.scholia.plans import Kind, PlannedFact

_DOWNWARD = ("lowest", "shortest", "smallest")


def pair(pool: FactPool, phrasing: Phrasing) -> Draft:
    """One measure in two papers, each under its own condition, and which is better."""
    facts = pool.take_group("quantity", 2, alike=True)
    first, second = facts
    best = first.asked["best"][0]
    text = phrasing.ask(
        "ask_pair",
        metric=phrasing.asked(first, "metric"),
        best=best,
        ref=phrasing.reference(pool.paper(first)),
        cond=phrasing.asked(first, "cond"),
        ref_2=phrasing.reference(pool.paper(second)),
        cond_2=phrasing.asked(second, "cond"),
    )
    return _compared(pool, text, ("cross-document", "quantitative"), facts, best)


def ranking(pool: FactPool, phrasing: Phrasing) -> Draft:
    """One measure in three or four papers, and which is best."""
    facts = _group(pool, phrasing, "quantity")
    best = facts[0].asked["best"][0]
    text = phrasing.ask(
        "ask_ranking",
        metric=phrasing.asked(facts[0], "metric"),
        best=best,
        list=_conditions_listed(pool, phrasing, facts),
    )
    return _compared(pool, text, ("cross-document", "quantitative"), facts, best)


def thresholds(pool: FactPool, phrasing: Phrasing) -> Draft:
    """The same threshold in three or four papers, and where it is lowest."""
    facts = _group(pool, phrasing, "threshold")
    refs = [phrasing.reference(pool.paper(fact)) for fact in facts]
    text = phrasing.ask(
        "ask_thresholds",
        topic=facts[0].asked["topic"][0],
        list=phrasing.listed(refs),
    )
    types = ("synthesis", "quantitative", "cross-document")
    return _compared(pool, text, types, facts, "lowest")


def remedies(pool: FactPool, phrasing: Phrasing) -> Draft:
    """What three papers do, each about its own failure."""
    facts = pool.take_group("remedy", 3, alike=False)
    cases = [
        f"{phrasing.reference(pool.paper(fact))} when {phrasing.asked(fact, 'asked')}"
        for fact in facts
    ]
    text = phrasing.ask("ask_remedies", list=phrasing.listed(cases))
    return Draft(text, ("synthesis", "conditional"), _sources(facts), tuple(facts), gold_of(*facts))


def winner(pool: FactPool, phrasing: Phrasing) -> Draft:
    """The best of three papers by one measure, and a second fact of that paper alone."""
    facts, twins = pool.take_twin_group("quantity", 3, twin="setup")
    best = facts[0].asked["best"][0]
    text = phrasing.ask(
        "ask_winner",
        metric=phrasing.asked(facts[0], "metric"),
        best=best,
        list=_conditions_listed(pool, phrasing, facts),
        topic=twins[0].asked["topic"][0],
    )
    winning = _best(facts, best)
    twin = next(pool.mark(twin) for twin in twins if twin.paper_id == winning.paper_id)
    draft = _compared(pool, text, ("synthesis", "cross-document", "quantitative"), facts, best)
    return Draft(
        draft.text,
        draft.types,
        draft.source_ids,
        (*draft.facts, twin),
        f"{draft.gold} {gold_of(twin)}",
        draft.penalties,
    )


def enumerations(pool: FactPool, phrasing: Phrasing) -> Draft:
    """The lists that three papers give under one heading."""
    facts = pool.take_group("enumeration", 3, alike=True)
    refs = [phrasing.reference(pool.paper(fact)) for fact in facts]
    text = phrasing.ask(
        "ask_enumerations", topic=facts[0].asked["topic"][0], list=phrasing.listed(refs)
    )
    return Draft(text, ("synthesis", "enumeration"), _sources(facts), tuple(facts), gold_of(*facts))


def _group(pool: FactPool, phrasing: Phrasing, kind: Kind) -> list[PlannedFact]:
    if phrasing.dice.chance(40):
        try:
            return pool.take_group(kind, 4, alike=True)
        except NothingLeftToAsk:
            return pool.take_group(kind, 3, alike=True)
    return pool.take_group(kind, 3, alike=True)


def _compared(
    pool: FactPool, text: str, types: tuple[str, ...], facts: list[PlannedFact], best: str
) -> Draft:
    """Gold names the best; claiming it for the worst is penalised."""
    winning = _best(facts, best)
    losing = next(fact for fact in reversed(facts) if fact is not winning)
    verdict = f"The {best} figure is that of {pool.paper(winning).name}."
    penalty = f"The {best} figure is that of {pool.paper(losing).name}."
    gold = f"{gold_of(*facts)} {verdict}"
    return Draft(text, types, _sources(facts), tuple(facts), gold, (penalty,))


def _best(facts: list[PlannedFact], best: str) -> PlannedFact:
    ordered = sorted(facts, key=lambda fact: Decimal(fact.value))
    return ordered[0] if best in _DOWNWARD else ordered[-1]


def _conditions_listed(pool: FactPool, phrasing: Phrasing, facts: list[PlannedFact]) -> str:
    return phrasing.listed(
        [f"{phrasing.reference(pool.paper(fact))} {phrasing.asked(fact, 'cond')}" for fact in facts]
    )


def _sources(facts: list[PlannedFact]) -> tuple[str, ...]:
    return tuple(fact.paper_id for fact in facts)
