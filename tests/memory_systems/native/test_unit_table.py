from __future__ import annotations

from typing import Any

from memory_systems.native.unit_table import UnitTable


def row(name: str, source: str, text: str = "text", **more: Any) -> dict[str, Any]:
    return {"id": name, "text": text, "kind": "fact", "source": source, **more}


def table_of(*rows: dict[str, Any]) -> UnitTable:
    return UnitTable.of(rows, {"first": 0, "second": 1})


def test_units_come_by_item_then_part_then_identifier() -> None:
    table = table_of(
        row("d", "second"), row("c", "first", part=1), row("b", "first"), row("a", "first", part=1)
    )
    assert table.ids == ("b", "a", "c", "d")


def test_units_without_text_or_of_an_item_that_is_not_stored_are_left_out() -> None:
    table = table_of(row("a", "first", text=""), row("b", "elsewhere"), row("c", "second"))
    assert table.ids == ("c",)


def test_a_ranking_has_each_unit_once_best_first_and_equals_by_index() -> None:
    table = table_of(row("a", "first"), row("b", "first"), row("c", "second"))
    found = [("c", 0.5), ("b", 0.5000000001), ("unknown", 0.9), ("a", 0.1), ("a", 0.7)]
    assert table.ranking(found) == [(0, 0.7), (1, 0.5), (2, 0.5)]


def test_units_are_given_with_the_scores_of_their_ranking() -> None:
    table = table_of(row("a", "first", text="one"), row("b", "second", text="two"))
    assert [(unit.text, unit.score) for unit in table.at([(1, 0.9), (0, 0.2)])] == [
        ("two", 0.9),
        ("one", 0.2),
    ]


def test_only_the_kinds_that_are_named_stay_and_all_where_none_is() -> None:
    table = table_of(row("a", "first"), row("b", "first", kind="node"))
    assert table.only(["node"]).ids == ("b",)
    assert table.only([]) is table


def test_the_fingerprint_follows_identifiers_and_texts() -> None:
    same = table_of(row("a", "first")), table_of(row("a", "first"))
    assert same[0].fingerprint == same[1].fingerprint
    others = (table_of(row("b", "first")), table_of(row("a", "first", text="other")))
    assert same[0].fingerprint not in {other.fingerprint for other in others}
