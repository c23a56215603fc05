from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.benchmarks.srb import load
from evaluation.benchmarks.srb_markdown import read_pointers, read_tier, read_types
from evaluation.records import Ask, Ingest, Span
from evaluation.source_files.refusals import WrongKindOfFile

HINDSIGHT = """# Hindsight

Recall is capped at 19K characters. The server rejects   the largest
three papers, and “nothing can raise the cap”.
"""
LONGMEMEVAL = "# LongMemEval\nIt has 500 questions in five abilities.\n"

SEPARATE_LINES = """# Queries

| id | tier |
|----|------|
| PQ1 | L1 |
| PQ2 | L2 |

## L1 — Easy (1 query)

### PQ1
- **Query:** What does Hindsight cap,
  and at what?
- **Type:** factual + quantitative
- **Difficulty:** L1 (easy)
- **Source notes:** #15 Hindsight, #19 LongMemEval

## L2 — Medium (1 query)

### PQ2
- **Query:** Who raised the cap?
- **Type:** negative
- **Difficulty:** medium
- **Source notes:** #15 Hindsight
"""
ONE_LINE = """# Queries
## L1 — Easy (1 query)
**PQ1** | **Query:** What does Hindsight cap, and at what? | **Type:** factual + quantitative | \
**Difficulty:** L1 | **Source notes:** #15 Hindsight, #19 LongMemEval
## L2 — Medium (1 query)
PQ2 | Query: Who raised the cap? | Type: negative | Source notes: #15 Hindsight
"""
RUBRICS = """# Ground truth

## L1
### PQ1
**Gold answer:** Recall, at 19K characters; three papers are rejected.

**Must-have facts:**
1. The cap is 19K characters. (#15)
   > Recall is capped at 19K characters.
2. The largest papers are rejected — "the server rejects the largest three papers" [#15 §2]
   - Source: #15
3. There are five abilities. Quote: "It has 500 questions … five abilities"

**Nice-to-have:**
- The page number

**Penalties:**
- Saying that the cap is 30K

## L2
### PQ2
**Gold answer:** Nobody; the paper reports no such thing.
**Must-have facts:**
- Nothing raises the cap. Evidence: nothing can raise the cap
"""
RUBRICS_ONE_LINE = """
PQ1 | Gold: Recall, at 19K characters; three papers are rejected. | Must-have facts: \
(1) The cap is 19K characters. “Recall is capped at 19K characters.” \
(2) The largest papers are rejected “the server rejects the largest three papers” \
(3) There are five abilities “It has 500 questions … five abilities” | \
Penalties: Saying that the cap is 30K
PQ2 | Gold: Nobody; the paper reports no such thing. | \
Must-have: Nothing raises the cap “nothing can raise the cap”
"""


def release(
    folder: Path, *, queries=SEPARATE_LINES, truth=RUBRICS, holdout=None, corpus="full_text"
) -> Path:
    benchmark = folder / "benchmarks" / "mini"
    papers = folder / "datasets" / "mini" / corpus
    benchmark.mkdir(parents=True)
    papers.mkdir(parents=True)
    (papers / "15_hindsight.md").write_text(HINDSIGHT)
    (papers / "19_longmemeval.md").write_text(LONGMEMEVAL)
    (benchmark / "corpus_spec.md").write_text("# Mini\n\nTwo papers\non memory.\n")
    (benchmark / "queries.md").write_text(queries)
    (benchmark / "ground_truth.md").write_text(truth)
    if holdout is not None:
        (benchmark / "queries_holdout.md").write_text(holdout[0])
        (benchmark / "ground_truth_holdout.md").write_text(holdout[1])
    return folder


@pytest.mark.parametrize("queries", [SEPARATE_LINES, ONE_LINE])
@pytest.mark.parametrize("truth", [RUBRICS, RUBRICS_ONE_LINE])
def test_both_layouts_of_the_fields_are_read_alike(tmp_path, queries, truth):
    benchmark = load(release(tmp_path, queries=queries, truth=truth))
    first, second = benchmark.questions
    assert first.text == "What does Hindsight cap, and at what?"
    assert first.slices == {"tier": ("L1",), "type": ("factual", "quantitative")}
    assert first.source_ids == ("15_hindsight", "19_longmemeval")
    expectation = first.expectations["main"]
    assert expectation.gold_answer == "Recall, at 19K characters; three papers are rejected."
    assert expectation.penalties == ("Saying that the cap is 30K",)
    assert [fact.text.rstrip(".") for fact in expectation.facts] == [
        "The cap is 19K characters",
        "The largest papers are rejected",
        "There are five abilities",
    ]
    one, two, three = (fact.spans for fact in expectation.facts)
    assert one == (Span("15_hindsight", 13, 48),)
    assert two == (Span("15_hindsight", 49, 94),)
    assert [LONGMEMEVAL[span.start : span.end] for span in three] == [
        "It has 500 questions",
        "five abilities",
    ]
    first_key = expectation.facts[0].keys[0]
    assert (first_key.kind, first_key.value) == ("number", "19000")
    assert second.slices == {"tier": ("L2",), "type": ("negative",)}
    assert second.expectations["main"].abstain
    report = benchmark.report
    assert (report.n_documents, report.n_questions, report.n_facts) == (2, 2, 4)
    assert (report.n_spans_found, report.n_spans_relocated, report.n_spans_missing) == (4, 1, 0)
    assert report.problems == ()


def test_the_card_names_the_slice_its_description_and_the_paper(tmp_path):
    card = load(release(tmp_path)).card
    assert (card.slug, card.family, card.description) == (
        "mini",
        "scientific",
        "Two papers on memory.",
    )
    assert "arXiv:2607.16848" in card.citation


def test_the_folder_of_a_slice_can_be_named_itself(tmp_path):
    root = release(tmp_path)
    assert load(root / "benchmarks" / "mini").questions == load(root).questions


def test_holdout_questions_are_kept_apart_and_asked_last(tmp_path):
    queries = ONE_LINE.replace("PQ1", "PQH1").replace("PQ2", "PQH2")
    truth = RUBRICS.replace("PQ1", "PQH1").replace("PQ2", "PQH2")
    benchmark = load(release(tmp_path, holdout=(queries, truth)))
    assert [question.holdout for question in benchmark.questions] == [False, False, True, True]
    asked = [step.question_id for step in benchmark.scenarios[0].steps if isinstance(step, Ask)]
    assert asked == ["PQ1", "PQ2", "PQH1", "PQH2"]


def test_the_notes_are_the_corpus_only_where_there_is_no_full_text(tmp_path):
    benchmark = load(release(tmp_path, corpus="papers"))
    assert benchmark.report.problems == (
        "there is no full_text folder: the corpus is the notes in papers",
    )
    steps = benchmark.scenarios[0].steps
    assert [step.item.id for step in steps if isinstance(step, Ingest)] == [
        "15_hindsight",
        "19_longmemeval",
    ]


def test_each_question_that_cannot_be_read_is_named_with_line_and_reason(tmp_path):
    queries = SEPARATE_LINES.replace("#19 LongMemEval", "#77 Lost").replace(
        "negative", "negative + odd"
    )
    queries += """
### PQ3
- **Type:** factual
### PQ4
- **Query:** Which tier has no rubric?
- **Source notes:** #15
### PQ5
- **Query:** What has no facts?
"""
    truth = RUBRICS.replace("nothing can raise the cap", "it was raised by hand").replace(
        '"It has 500 questions … five abilities"', ""
    )
    truth += "\n### PQ5\n**Gold answer:** nothing\n"
    benchmark = load(release(tmp_path, queries=queries, truth=truth))
    assert [question.id for question in benchmark.questions] == ["PQ1", "PQ2"]
    at = {name: queries.splitlines().index(f"### {name}") + 1 for name in ("PQ3", "PQ4")}
    in_truth = truth.splitlines().index("### PQ5") + 1
    assert benchmark.report.problems == (
        f"queries.md, line {at['PQ3']}: PQ3 has no query text",
        "queries.md, line 10: PQ1 points to #77, which the corpus lacks",
        "queries.md, line 10: PQ1, fact 3: it has no quote",
        "queries.md, line 19: PQ2 has unknown types: odd",
        "queries.md, line 19: PQ2, fact 1: its quote stands in no document",
        f"queries.md, line {at['PQ4']}: PQ4 is left out: it has no gold in ground_truth.md",
        f"ground_truth.md, line {in_truth}: PQ5 is left out: it lists no must-have facts",
    )
    assert benchmark.report.n_spans_missing == 2


def test_a_tier_comes_from_the_field_then_its_words_then_the_heading():
    assert read_tier("L3 (hard)", "L1") == "L3"
    assert read_tier("medium", "") == "L2"
    assert read_tier("", "L2") == "L2"
    assert read_tier("?", "") == ""


def test_types_and_pointers_are_read_as_they_are_written():
    assert read_types("enumeration + cross-document synthesis") == (
        ["enumeration", "cross-document"],
        [],
    )
    assert read_types("Factual, mechanistic / odd") == (["factual", "mechanistic"], ["odd"])
    assert read_pointers("#15 Hindsight, #019, [7], note 3, #15") == [15, 19, 7, 3]


@pytest.mark.parametrize(
    ("queries", "reason"),
    [
        (ONE_LINE.replace("PQ2", "PQ1"), "queries.md, line 5: the question id “PQ1” occurs twice"),
        ("# Queries\nnothing here\n", "no question id such as PQ1 or TX1 begins a block"),
        (
            ONE_LINE.replace("PQ", "TX"),
            "no question could be read; queries.md, line 3: TX1 is left",
        ),
    ],
)
def test_files_without_readable_questions_are_refused(tmp_path, queries, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        load(release(tmp_path, queries=queries))
    assert reason in str(refusal.value)


def test_other_layouts_are_refused(tmp_path):
    with pytest.raises(WrongKindOfFile, match="a folder is needed"):
        load(tmp_path / "absent")
    with pytest.raises(WrongKindOfFile, match="there is neither"):
        load(tmp_path)
    root = release(tmp_path)
    other = root / "benchmarks" / "other"
    other.mkdir()
    (other / "queries.md").write_text(ONE_LINE)
    with pytest.raises(WrongKindOfFile, match="name one of benchmarks/mini, benchmarks/other"):
        load(root)
    with pytest.raises(WrongKindOfFile, match="its documents are missing"):
        load(other)
