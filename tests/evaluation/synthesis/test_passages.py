from hypothesis import given
from hypothesis import strategies as st

from evaluation.synthesis.passages import MAX_CHARS, MIN_CHARS, passages


def test_prose_is_split_into_sentences_across_line_breaks():
    text = (
        "The pump is old. It fails, e.g. Because of\ncavitation, often.\n\nAnother matter entirely"
    )
    assert list(passages(text)) == [
        "The pump is old.",
        "It fails, e.g. Because of cavitation, often.",
        "Another matter entirely",
    ]


def test_decimals_and_abbreviations_end_no_sentence():
    text = "A pass takes 12.5 ms (Fig. 3) as Smith et al. Found in J. Keldan's report."
    assert list(passages(text)) == [text]


def test_headings_rules_and_numbered_header_lines_are_left_out():
    text = "[1] a\n# Results\nThe pump fails often.\n\n---\n\n[12] b\nThe valve never fails."
    assert list(passages(text)) == ["The pump fails often.", "The valve never fails."]


def test_a_table_row_is_read_with_its_header_and_unit():
    text = (
        "Times follow:\n| Model | Latency (ms) | Note |\n|---|:--:|---|\n"
        "| Ostro | 14.2 | slow |\n| Keldan | n/a | |"
    )
    assert list(passages(text)) == [
        "Times follow:",
        "Model: Ostro; Latency: 14.2 ms; Note: slow.",
        "Model: Keldan; Latency (ms): n/a.",
    ]


def test_a_piece_that_begins_inside_a_table_takes_no_row_for_a_header():
    assert list(passages("| Ostro | 14.2 ms |\n| Keldan | 9.9 ms |")) == [
        "Ostro; 14.2 ms.",
        "Keldan; 9.9 ms.",
    ]


def test_the_mark_of_a_cut_is_not_quoted():
    assert list(passages("The pump fails often. […]")) == ["The pump fails often."]


@given(st.text(alphabet="ab. |#-\n[1]", max_size=3000))
def test_every_passage_keeps_to_its_bounds(text):
    for passage in passages(text):
        assert passage.strip() == passage
        assert MIN_CHARS <= len(passage) <= MAX_CHARS + 1


def test_a_sentence_without_spaces_is_cut_hard():
    assert [len(part) for part in passages("x" * 1300)] == [600, 600, 100]
