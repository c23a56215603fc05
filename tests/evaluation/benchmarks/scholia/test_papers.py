from __future__ import annotations

import pytest

from evaluation.benchmarks.key_occurrence import key_occurs
from evaluation.benchmarks.scholia.generator import spans_of, write_corpus
from evaluation.benchmarks.scholia.lexicon import Lexicon, read_lexicon
from evaluation.benchmarks.scholia.paper_writing import WrittenPaper
from evaluation.benchmarks.scholia.plans import PaperPlan
from evaluation.benchmarks.scholia.sampling import sample_papers

N_PAPERS = 30


@pytest.fixture(scope="module", params=["prose", "terms"])
def lexicon(request: pytest.FixtureRequest) -> Lexicon:
    return read_lexicon(request.param)


@pytest.fixture(scope="module")
def plans(lexicon: Lexicon) -> list[PaperPlan]:
    return sample_papers(lexicon, n_papers=N_PAPERS, seed=5)


@pytest.fixture(scope="module")
def papers(lexicon: Lexicon, plans: list[PaperPlan]) -> dict[str, WrittenPaper]:
    return write_corpus(lexicon, plans, seed=5)


def test_every_planned_fact_is_stated_with_its_qualifier(
    plans: list[PaperPlan], papers: dict[str, WrittenPaper]
) -> None:
    for plan in plans:
        full = {
            statement.fact_id
            for statement in papers[plan.id].statements
            if not statement.is_bare and not statement.is_citation
        }
        assert full == {fact.id for fact in plan.facts}


def test_facts_are_restated_without_their_qualifier_too(papers: dict[str, WrittenPaper]) -> None:
    bare = [paper for paper in papers.values() if any(s.is_bare for s in paper.statements)]
    assert len(bare) > N_PAPERS / 2


def test_papers_cite_true_facts_of_other_papers_as_distractors(
    plans: list[PaperPlan], papers: dict[str, WrittenPaper]
) -> None:
    facts = {fact.id: fact for plan in plans for fact in plan.facts}
    names = {plan.id: plan.name for plan in plans}
    for paper_id, paper in papers.items():
        cited = [statement for statement in paper.statements if statement.is_citation]
        assert len({facts[statement.fact_id].paper_id for statement in cited}) >= 7
        for statement in cited:
            fact = facts[statement.fact_id]
            sentence = paper.text[statement.start : statement.end]
            assert fact.paper_id != paper_id
            assert f"{names[fact.paper_id]} [" in sentence
            assert all(key_occurs(key, sentence) for must in fact.must_haves for key in must.keys)


def test_what_a_paper_is_silent_about_is_not_in_it(
    plans: list[PaperPlan], papers: dict[str, WrittenPaper]
) -> None:
    for plan in plans:
        assert [silence.is_said for silence in plan.silences] == [True, False, False]
        text = papers[plan.id].text.casefold()
        for silence in plan.silences:
            assert any(word in text for word in silence.words) == silence.is_said


def test_some_quantities_stand_in_a_table_and_nowhere_else(
    plans: list[PaperPlan], papers: dict[str, WrittenPaper]
) -> None:
    for plan in plans:
        paper = papers[plan.id]
        hidden = [fact for fact in plan.facts if fact.only_in_table]
        assert len(hidden) == 2
        for fact in hidden:
            spans = spans_of(plan.id, paper)[fact.id]
            assert all(paper.text[span.start] == "|" for span in spans)


def test_spans_with_qualifiers_come_before_bare_ones(
    plans: list[PaperPlan], papers: dict[str, WrittenPaper]
) -> None:
    for plan in plans:
        paper = papers[plan.id]
        bare = {(s.start, s.end) for s in paper.statements if s.is_bare}
        for spans in spans_of(plan.id, paper).values():
            flags = [(span.start, span.end) in bare for span in spans]
            assert flags == sorted(flags)


def test_no_two_papers_can_be_meant_by_one_reference(plans: list[PaperPlan]) -> None:
    assert len({plan.name for plan in plans}) == N_PAPERS
    subjects = {(plan.scene["records"], plan.scene["idea"]) for plan in plans}
    assert len(subjects) == N_PAPERS


def test_a_wording_of_the_lexicon_has_its_key_marked(lexicon: Lexicon) -> None:
    for mechanism in lexicon.mechanisms:
        assert all("[{choice}]" in wording for wording in mechanism["does"])
        assert all(wording.count("[") == 1 for wording in mechanism["why"])
