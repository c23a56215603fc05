from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.benchmarks.audit.auditing import audit_benchmark
from evaluation.benchmarks.audit.report import AuditReport
from evaluation.benchmarks.registry import load_files
from evaluation.benchmarks.scholia.generator import generate
from evaluation.records import (
    Ask,
    Benchmark,
    Card,
    Expectation,
    Fact,
    Ingest,
    Key,
    Question,
    Scenario,
    Span,
    Step,
)
from memory_systems.base import SourceItem
from tests.evaluation.real_files import real_file

TEXT = "The kettle holds about 3 litres. It boils in 71.4 s. It is 1.8 million cups old."
KETTLE = SourceItem("kettle", TEXT)
CARD = Card("kettles", "Kettles", "scientific", "", "", "")


def span_of(piece: str) -> Span:
    return Span("kettle", TEXT.index(piece), TEXT.index(piece) + len(piece))


BOILS = Fact(
    "It boils in 71.4 s.", (Key("number", "71.4", "s"),), (span_of("It boils in 71.4 s."),)
)


def question(
    name: str = "q1",
    *facts: Fact,
    text: str = "",
    sources: tuple[str, ...] = ("kettle",),
    tier: str = "L1",
    gold: str = "71.4 s",
    abstain: bool = False,
) -> Question:
    expectation = Expectation(gold, facts, abstain=abstain)
    return Question(
        name, text or f"What of {name}?", {"main": expectation}, {"tier": (tier,)}, sources
    )


def audited(*questions: Question, **given) -> AuditReport:
    return audit_benchmark(benchmark_of(*questions), **given)


def benchmark_of(*questions: Question, items: tuple[SourceItem, ...] = (KETTLE,)) -> Benchmark:
    steps: list[Step] = [Ingest(item) for item in items]
    steps += [Ask(one.id) for one in questions]
    return Benchmark(CARD, (Scenario("s", tuple(steps)),), questions)


def found(report: AuditReport, check: str) -> list[tuple[str, str, str]]:
    return [(f.audit_class, f.question_id, f.sentence) for f in report.findings if f.check == check]


@pytest.mark.parametrize("name", ["scholia-prose", "scholia-terms"])
def test_the_generated_benchmarks_are_clean(name: str) -> None:
    first, second = (generate(name, size="small") for _ in range(2))  # type: ignore[arg-type]
    report = audit_benchmark(first, second_load=second)
    assert report.findings == ()
    assert {check.name: check.refusal for check in report.checks if check.refusal} == {
        "answerable without the corpus": "no scores of a base model were given"
    }


def test_a_sound_question_has_no_finding() -> None:
    assert audited(question("q1", BOILS)).findings == ()


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (replace(BOILS, spans=()), "it has no span in a source"),
        (replace(BOILS, spans=(Span("kettle", 0, 9999),)), "lies outside its source's text"),
        (replace(BOILS, spans=(Span("pan", 0, 5),)), "lies in pan, which the question does not"),
        (replace(BOILS, keys=(Key("number", "80", "s"),)), "“80 s” does not occur in its span"),
        (replace(BOILS, keys=(Key("term", "whistle"),)), "“whistle” does not occur"),
    ],
)
def test_class_a_is_a_fact_that_its_source_does_not_state(fact: Fact, words: str) -> None:
    (finding,) = found(audited(question("q1", fact)), "fact spans")
    assert finding[:2] == ("A", "q1")
    assert words in finding[2]


def test_class_b_is_a_source_outside_the_corpus_or_none_at_all() -> None:
    report = audited(
        question("q1", BOILS, sources=("kettle", "readme")),
        question("q2", sources=()),
        question("q3", sources=(), abstain=True),
    )
    assert [finding[:2] for finding in found(report, "source pointers")] == [
        ("B", "q1"),
        ("B", "q2"),
    ]
    assert "readme is not in the corpus" in found(report, "source pointers")[0][2]


def test_a_question_that_no_scenario_asks_is_said() -> None:
    benchmark = replace(
        benchmark_of(question("q1", BOILS)), scenarios=(Scenario("s", (Ingest(KETTLE),)),)
    )
    (finding,) = found(audit_benchmark(benchmark), "source pointers")
    assert finding == ("", "q1", "no scenario asks it.")


def test_class_c_is_what_a_second_load_gives_otherwise() -> None:
    first = benchmark_of(question("q1", BOILS), question("q2", BOILS, sources=("pan",)))
    same_text = audit_benchmark(first, second_load=first)
    assert found(same_text, "stable across two loads") == []
    moved = benchmark_of(question("q1", BOILS, gold="72 s"), question("q3", BOILS))
    report = audit_benchmark(first, second_load=moved)
    assert [finding[:2] for finding in found(report, "stable across two loads")] == [
        ("C", "q1"),
        ("C", "q2"),
        ("C", "q3"),
    ]
    edited = benchmark_of(*first.questions, items=(replace(KETTLE, text=TEXT + " New."),))
    (finding,) = found(audit_benchmark(first, second_load=edited), "stable across two loads")
    assert finding == ("C", "q1", "the text of its source kettle differs in the second load.")


@pytest.mark.parametrize(
    ("key", "piece", "words"),
    [
        (
            Key("number", "71.43", "s", 0.01),
            "It boils in 71.4 s.",
            "71.43 where the source says 71.4",
        ),
        (Key("number", "3", "litres"), "The kettle holds about 3 litres.", "says “about 3”"),
    ],
)
def test_class_d_is_precision_that_the_source_does_not_claim(
    key: Key, piece: str, words: str
) -> None:
    report = audited(question("q1", Fact("x", (key,), (span_of(piece),))))
    (finding,) = found(report, "claimed precision")
    assert finding[:2] == ("D", "q1")
    assert words in finding[2]


@pytest.mark.parametrize(
    ("key", "piece"),
    [
        (Key("number", "71.4", "s"), "It boils in 71.4 s."),
        (Key("number", "71", "s", 0.01), "It boils in 71.4 s."),
        (Key("number", "3", "litres", 0.1), "The kettle holds about 3 litres."),
        (Key("number", "1800000", "cups"), "It is 1.8 million cups old."),
    ],
)
def test_a_rubric_as_precise_as_its_source_is_sound(key: Key, piece: str) -> None:
    report = audited(question("q1", Fact("x", (key,), (span_of(piece),))))
    assert report.findings == ()


def test_class_e_is_what_a_model_knows_without_the_corpus() -> None:
    report = audited(
        question("q1", BOILS),
        question("q2", BOILS),
        question("q3", abstain=True),
        question("q4", BOILS),
        base_model_scores={"q1": 9.5, "q2": 2.0, "q3": 10.0},
    )
    assert found(report, "answerable without the corpus") == [
        ("E", "q1", "without the corpus it is answered with a score of 9.5 of 10.")
    ]
    check = next(c for c in report.checks if c.name == "answerable without the corpus")
    assert check.n_checked == 2


@pytest.mark.parametrize(
    ("tier", "sources", "words"),
    [
        ("L1", ("kettle", "pan"), "it is L1, which needs one source, and cites 2."),
        ("L2", ("kettle", "pan", "pot"), "it is L2, which needs one or two sources, and cites 3."),
        ("L3", ("kettle",), "it is L3, which needs two sources or more, and cites 1."),
    ],
)
def test_a_tier_must_agree_with_the_number_of_sources(
    tier: str, sources: tuple[str, ...], words: str
) -> None:
    items = tuple(SourceItem(name, TEXT) for name in ("kettle", "pan", "pot"))
    report = audit_benchmark(benchmark_of(question("q1", tier=tier, sources=sources), items=items))
    assert found(report, "tier against sources") == [("", "q1", words)]


def test_duplicates_are_found_word_for_word_and_nearly() -> None:
    long = "how long does the old copper kettle on the stove take to boil in the morning"
    report = audited(
        question("q1", BOILS, text="How long does it take?"),
        question("q2", BOILS, text="how long does it TAKE"),
        question("q3", BOILS, text=long),
        question("q4", BOILS, text=long + " really"),
        question("q5", BOILS, text=long + " really?", gold="another"),
        question("q1", BOILS, text="Something else entirely?"),
    )
    assert [finding[1:] for finding in found(report, "duplicate questions")] == [
        ("q2", "it repeats q1 word for word."),
        ("q4", "it is nearly the same as q3."),
        ("q5", "it repeats q4 word for word."),
        ("q1", "its id occurs twice."),
    ]


def test_the_report_counts_questions_by_class_and_gives_rows() -> None:
    wrong = Fact("x", (Key("number", "71.43", "s"),), (span_of("It boils in 71.4 s."),))
    report = audited(question("q1", wrong), question("q2", sources=("readme",)))
    assert report.questions_by_class() == {"A": 1, "B": 1, "C": 0, "D": 1, "E": 0}
    assert report.classes_of("q1") == ("A", "D")
    rows = report.to_rows()
    assert len(rows) == len(report.findings)
    assert rows[0].keys() == {"check", "class", "meaning", "question", "sentence"}
    assert rows[0]["meaning"] == "rubric fact not verifiable in the cited paper"


def test_real_questions_about_real_papers_are_audited_with_few_findings() -> None:
    path = real_file("data", "covidqa", "covidqa_ccby_only.json")
    report = audit_benchmark(load_files("squad", path))
    counts = report.questions_by_class()
    assert counts["A"] == counts["B"] == 0
    assert 0 < counts["D"] < 40
    assert len(found(report, "duplicate questions")) == 21
