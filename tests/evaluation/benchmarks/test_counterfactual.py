from __future__ import annotations

import pytest

from evaluation.benchmarks.counterfactual import FactNotRemovable, without_fact
from evaluation.benchmarks.revision import revision_of
from evaluation.benchmarks.scholia.generator import generate
from evaluation.benchmarks.toys.scientific import toy_scientific
from evaluation.benchmarks.toys.staleness import toy_staleness
from evaluation.records import Benchmark, Ingest


def texts_of(benchmark: Benchmark) -> dict[str, str]:
    steps = benchmark.scenarios[0].steps
    return {step.item.id: step.item.text for step in steps if isinstance(step, Ingest)}


@pytest.mark.parametrize("name", ["scholia-prose", "scholia-terms"])
def test_a_fact_taken_out_of_its_paper_is_gone_and_all_others_are_still_there(name: str) -> None:
    whole = generate(name, size="small")  # type: ignore[arg-type]
    question = next(q for q in whole.questions if "quantitative" in q.slices["type"])
    fact = question.expectations["main"].facts[0]
    cut = without_fact(whole, question.id, 0)
    texts, whole_texts = texts_of(cut), texts_of(whole)
    changed = {item_id for item_id in texts if texts[item_id] != whole_texts[item_id]}
    assert changed == {span.item_id for span in fact.spans}
    for span in fact.spans:
        assert whole_texts[span.item_id][span.start : span.end] not in texts[span.item_id]
    after = {q.id: q for q in cut.questions}
    assert after[question.id].expectations["main"].facts[0].spans == ()
    for other in whole.questions:
        pairs = zip(
            other.expectations["main"].facts,
            after[other.id].expectations["main"].facts,
            strict=True,
        )
        for before, moved in pairs:
            if not set(before.spans) & set(fact.spans):
                assert [whole_texts[s.item_id][s.start : s.end] for s in before.spans] == [
                    texts[s.item_id][s.start : s.end] for s in moved.spans
                ]


def test_the_revision_changes_with_the_text() -> None:
    assert revision_of(without_fact(toy_scientific(), "T1", 0)) != revision_of(toy_scientific())


def test_what_has_no_certain_span_is_refused() -> None:
    with pytest.raises(FactNotRemovable, match="mail-1 is revised"):
        without_fact(toy_staleness(), "S1", 0)
    with pytest.raises(LookupError, match="no question T9"):
        without_fact(toy_scientific(), "T9", 0)
