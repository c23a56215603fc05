from __future__ import annotations

from memory_systems.evidence.claims import MAX_CLAIM_CHARS
from memory_systems.evidence.tables import table_claims

TABLE = "| Kettle | Volume (l) | Note |\n|---|---|---|\n| Ada | 3 | |\n| Bea | 4.5 | old |"


def told(text: str, heading: str = "") -> list[str]:
    return [claim.text for claim in table_claims(text, 0, len(text), heading=heading)]


def test_each_row_is_a_claim_with_the_columns_names_and_units() -> None:
    assert told(TABLE) == ["Kettle: Ada; Volume: 3 l.", "Kettle: Bea; Volume: 4.5 l; Note: old."]


def test_a_row_begins_with_the_caption_above_or_below_else_with_the_heading() -> None:
    above, below = f"Table 2: Kettles\n\n{TABLE}", f"{TABLE}\n\nTable 2: Kettles"
    assert told(above, "Results")[0].startswith("Table 2: Kettles: Kettle: Ada")
    assert told(below, "Results") == told(above, "Results")
    assert told(TABLE, "Results")[0].startswith("Results: Kettle: Ada")


def test_a_claim_points_at_its_row() -> None:
    text = f"Before.\n\n{TABLE}\n\nAfter."
    places = [text[one.start : one.end] for one in table_claims(text, 0, len(text))]
    assert places == ["| Ada | 3 | |", "| Bea | 4.5 | old |"]


def test_without_a_rule_under_it_the_first_row_is_a_row_like_others() -> None:
    assert told("| Ada | 3 |\n| Bea | 4 |") == ["Ada; 3.", "Bea; 4."]


def test_a_border_that_is_escaped_belongs_to_its_cell() -> None:
    assert told("| a | b |\n|--|--|\n| x\\|y | 1 |") == ["a: x\\|y; b: 1."]


def test_a_long_row_is_cut_to_the_length_of_a_claim() -> None:
    (claim,) = told(f"| a |\n|--|\n| {'word ' * 300}|")
    assert len(claim) == MAX_CLAIM_CHARS
