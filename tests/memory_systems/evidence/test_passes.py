"""The five passes find what they are for, word for word and in place."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_systems.evidence.claims import MAX_CLAIM_CHARS, gist_of
from memory_systems.evidence.passes import aspects_of, extract_by_rule
from tests.evaluation.real_files import real_file

PAPER = """# Kettles: a study

Abstract text without anything to tell.

## 2 Boiling

The kettle boils in 3.5 minutes. It is quiet because the lid is sealed. Nothing else was seen.
The valve opens when the pressure passes a threshold. The old valve fails at night.

Table 1: Times of two kettles.

| Kettle | Time (min) | Note |
|---|---|---|
| Ostro | 3.5 | |
| Brel \\| B | 4 | loud |
"""


@pytest.mark.parametrize(
    ("sentence", "aspects"),
    [
        ("The kettle holds 3 litres.", ("numbers",)),
        ("The rate rose to 34.5 % of all cases.", ("numbers",)),
        ("It is quiet because the lid is sealed.", ("mechanisms",)),
        ("The valve opens only when the pressure is high.", ("conditions",)),
        ("The old valve fails.", ("failures",)),
        ("The cause of the noise is unclear.", ("failures",)),
        ("If it overheats, 2 of 5 valves fail.", ("numbers", "failures", "conditions")),
        ("See Figure 3 and Table 2.", ()),
        ("Smith and others [3, 4] looked at this in 2019.", ()),
        ("The sky was blue that day.", ()),
    ],
)
def test_a_sentence_is_found_by_the_passes_that_it_is_for(
    sentence: str, aspects: tuple[str, ...]
) -> None:
    assert aspects_of(sentence) == aspects


def test_a_paper_gives_claims_with_headings_and_table_rows_that_can_be_read_alone() -> None:
    told = {claim.text: claim for claim in extract_by_rule(PAPER)}
    assert list(told) == [
        "The kettle boils in 3.5 minutes.",
        "The kettle boils in 3.5 minutes. It is quiet because the lid is sealed.",
        "The valve opens when the pressure passes a threshold.",
        "The old valve fails at night.",
        "Table 1: Times of two kettles: Kettle: Ostro; Time: 3.5 min.",
        "Table 1: Times of two kettles: Kettle: Brel \\| B; Time: 4 min; Note: loud.",
    ]
    assert {claim.heading for claim in told.values()} == {"2 Boiling"}
    row = told["Table 1: Times of two kettles: Kettle: Ostro; Time: 3.5 min."]
    assert PAPER[row.start : row.end] == "| Ostro | 3.5 | |"
    assert row.aspects == ("tables",)
    assert not row.is_verbatim


def test_a_text_in_which_no_pass_finds_anything_is_kept_all_the_same() -> None:
    text = "The sky was blue. The sea was too."
    claims = extract_by_rule(text)
    assert [claim.text for claim in claims] == ["The sky was blue.", "The sea was too."]
    assert {claim.aspects for claim in claims} == {("passage",)}
    assert extract_by_rule(" \n\t ") == []


@given(st.text(max_size=400))
def test_any_text_gives_claims_that_are_where_they_say(text: str) -> None:
    for claim in extract_by_rule(text):
        assert 0 <= claim.start < claim.end <= len(text)
        assert 0 < len(claim.text) <= MAX_CLAIM_CHARS
        assert not claim.is_verbatim or text[claim.start : claim.end] == claim.text


def test_claims_that_say_the_same_in_another_order_have_one_gist() -> None:
    assert gist_of("The lid, sealed: 3.5 min!") == gist_of("3.5 min the sealed LID")
    assert gist_of("The lid is sealed: 3.5 min.") != gist_of("The lid is sealed: 4.5 min.")
    assert gist_of("") != gist_of(" ")


def test_real_papers_are_not_empty_to_the_passes() -> None:
    file = real_file("data", "covidqa", "covidqa_ccby_only.json")
    papers = [
        paragraph["context"]
        for entry in json.loads(file.read_text(encoding="utf-8"))["data"]
        for paragraph in entry["paragraphs"]
    ]
    counts: Counter[str] = Counter()
    for paper in papers:
        claims = extract_by_rule(paper)
        assert claims
        counts.update(aspect for claim in claims for aspect in claim.aspects)
        counts["all"] += len(claims)
    print(f"\n{len(papers)} papers: {dict(counts)}")
    assert counts["all"] > 50 * len(papers)
    assert min(counts[one] for one in ("numbers", "mechanisms", "failures", "conditions")) > 1000
