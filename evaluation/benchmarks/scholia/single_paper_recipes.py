"""Questions that one paper answers."""

from __future__ import annotations

from evaluation.benchmarks.scholia.fact_pool import FactPool
from evaluation.benchmarks.scholia.phrasing import Draft, Phrasing, gold_of
from evaluation.benchmarks.scholia.plans import Kind


def value(pool: FactPool, phrasing: Phrasing, *, only_in_table: bool = False) -> Draft:
    """One figure under one condition."""
    fact = pool.take("quantity", only_in_table=only_in_table)
    text = phrasing.ask(
        "ask_value",
        metric=phrasing.asked(fact, "metric"),
        cond=phrasing.asked(fact, "cond"),
        ref=phrasing.reference(pool.paper(fact)),
    )
    types = ("quantitative",) if only_in_table else ("quantitative", "conditional")
    return Draft(text, types, (fact.paper_id,), (fact,), gold_of(fact))


def table(pool: FactPool, phrasing: Phrasing) -> Draft:
    """A figure that stands in a table and nowhere else."""
    return value(pool, phrasing, only_in_table=True)


def setup(pool: FactPool, phrasing: Phrasing) -> Draft:
    return _clause_question(pool, phrasing, "setup", ("factual", "quantitative"))


def threshold(pool: FactPool, phrasing: Phrasing) -> Draft:
    return _clause_question(pool, phrasing, "threshold", ("factual", "conditional"))


def absent(pool: FactPool, phrasing: Phrasing) -> Draft:
    """Something the paper does not report."""
    return _absent(pool, phrasing, 1)


def absent_two(pool: FactPool, phrasing: Phrasing) -> Draft:
    """Something that neither of two papers reports."""
    return _absent(pool, phrasing, 2)


def mechanism(pool: FactPool, phrasing: Phrasing) -> Draft:
    """What a part does and why it is there."""
    part = pool.take_secondary_part()
    reason = pool.take_partner(part)
    text = phrasing.ask(
        "ask_mechanism",
        ref=phrasing.reference(pool.paper(part)),
        **{slot: words[0] for slot, words in part.asked.items() if words},
    )
    gold = gold_of(part, reason)
    return Draft(text, ("mechanistic",), (part.paper_id,), (part, reason), gold)


def conditions(pool: FactPool, phrasing: Phrasing) -> Draft:
    """One measure under both of its conditions."""
    fact = pool.take("quantity")
    other = pool.take_partner(fact)
    text = phrasing.ask(
        "ask_conditions",
        metric=phrasing.asked(fact, "metric"),
        cond_a=phrasing.asked(fact, "cond"),
        cond_b=phrasing.asked(other, "cond"),
        ref=phrasing.reference(pool.paper(fact)),
    )
    types = ("conditional", "quantitative")
    return Draft(text, types, (fact.paper_id,), (fact, other), gold_of(fact, other))


def enumeration(pool: FactPool, phrasing: Phrasing) -> Draft:
    fact = pool.take("enumeration")
    text = phrasing.ask(
        "ask_enumeration",
        asks=phrasing.asked(fact, "asks"),
        count=fact.asked["count"][0],
        ref=phrasing.reference(pool.paper(fact)),
    )
    return Draft(text, ("enumeration", "factual"), (fact.paper_id,), (fact,), gold_of(fact))


def failure(pool: FactPool, phrasing: Phrasing) -> Draft:
    """What goes wrong under a circumstance, and the remedy."""
    fact = pool.take("failure")
    remedy = pool.take_partner(fact)
    text = phrasing.ask(
        "ask_failure",
        asked=phrasing.asked(fact, "asked"),
        ref=phrasing.reference(pool.paper(fact)),
    )
    gold = gold_of(fact, remedy)
    return Draft(text, ("conditional", "mechanistic"), (fact.paper_id,), (fact, remedy), gold)


def threshold_mechanism(pool: FactPool, phrasing: Phrasing) -> Draft:
    """A threshold, and what one of the parts does."""
    fact = pool.take("threshold")
    part = pool.take_part_of(pool.paper(fact))
    text = phrasing.ask(
        "ask_threshold_mechanism",
        asks=phrasing.asked(fact, "asks"),
        and_mechanism=phrasing.about_part("and_mechanism", part),
        ref=phrasing.reference(pool.paper(fact)),
    )
    types = ("quantitative", "mechanistic")
    return Draft(text, types, (fact.paper_id,), (fact, part), gold_of(fact, part))


def _clause_question(
    pool: FactPool, phrasing: Phrasing, kind: Kind, types: tuple[str, ...]
) -> Draft:
    fact = pool.take(kind)
    ref = phrasing.reference(pool.paper(fact))
    text = phrasing.ask("ask_clause", asks=phrasing.asked(fact, "asks"), ref=ref)
    return Draft(text, types, (fact.paper_id,), (fact,), gold_of(fact))


def _absent(pool: FactPool, phrasing: Phrasing, n_papers: int) -> Draft:
    silences = pool.take_silences(n_papers)
    papers = [paper for paper, _ in silences]
    matter, asked = silences[0][1].matter, silences[0][1].asked
    slots = {"ref": phrasing.reference(papers[0]), "asked": asked}
    if n_papers == 2:
        slots["ref_2"] = phrasing.reference(papers[1])
    text = phrasing.ask("ask_absent" if n_papers == 1 else "ask_absent_two", **slots)
    said = tuple(
        fact
        for paper in papers
        for fact in paper.of_kind("silence")
        if fact.topic == f"silence/{silences[0][1].topic}"
    )
    names = " and ".join(paper.name for paper in papers)
    gold = f"This is not reported: the work on {names} gives no information about {matter}."
    types = ("negative",) if n_papers == 1 else ("negative", "cross-document")
    return Draft(text, types, tuple(p.id for p in papers), said, gold, abstain=True)
