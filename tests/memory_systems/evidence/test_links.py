"""What one claim is to another is read from both, by rule."""

from __future__ import annotations

import numpy as np
import pytest

from memory_systems.evidence.features import features_of, spelled_out, words_of
from memory_systems.evidence.links import Link, by_relation, find_links, relation_of
from memory_systems.evidence.nearest import steady
from tests.memory_systems.hashing_embedder import HashingEmbedder

CLAIM = "The sealed kettle boils one litre of water in 3.5 minutes."


@pytest.mark.parametrize(
    ("new", "old", "relation"),
    [
        ("The sealed kettle boils a litre of water in 3.5 minutes.", CLAIM, "supports"),
        ("The sealed kettle boils one litre of water in 5 minutes.", CLAIM, "contradicts"),
        ("The sealed kettle never boils one litre of water.", "The sealed kettle boils one litre "
         "of water.", "contradicts"),
        ("Salt increases the boiling point of water.", "Salt decreases the boiling point of water.",
         "contradicts"),
        ("The boiling point of sea water is reached late.", "The boiling point of sea water is "
         "reached late.", "supports"),
        ("OstroBoil outperforms earlier kettles.", "OstroBoil is a kettle of brass.", "extends"),
        ("Its speed requires the OstroBoil lid.", "OstroBoil is a kettle of brass.", "depends-on"),
        ("Cats sleep a lot.", CLAIM, None),
        ("The kettle weighs 2 kg.", CLAIM, None),
    ],
)  # fmt: skip
def test_the_relation_follows_from_words_quantities_and_cues(
    new: str, old: str, relation: str | None
) -> None:
    assert relation_of(features_of(new), features_of(old)) == relation


def test_another_condition_is_no_contradiction() -> None:
    new = features_of("The sealed kettle boils 2 litres of water in 6 minutes.")
    old = features_of("The sealed kettle boils 1 litre of water in 3.5 minutes.")
    assert relation_of(new, old) is None


def test_features_are_read_from_any_text() -> None:
    features = features_of("FlashKettle-2 needs 1,024 litres and 40 % less; it does not rise.")
    assert features.quantities["litre"] == {1024.0}
    assert features.quantities["%"] == {40.0}
    assert "flashkettle-2" in features.names
    assert features.is_negated
    assert features.depends
    assert features_of("").words == frozenset()


def test_a_stem_is_spelled_as_it_stands_in_the_texts() -> None:
    (stem,) = words_of("measured")
    assert spelled_out(stem, ["Nothing here.", "It Measures well."]) == "measures"
    assert spelled_out("zzz", []) == "zzz"


def test_links_go_to_claims_of_earlier_items_only() -> None:
    texts = [CLAIM, "Cats sleep a lot.", CLAIM, "Dogs sleep a lot too.", CLAIM]
    vectors = steady(HashingEmbedder().encode(texts))
    items = np.array([0, 0, 1, 1, 2])
    features = {unit: features_of(texts[unit // 10]) for unit in range(0, 50, 10)}
    links = find_links(vectors, items, np.arange(0, 50, 10), features.__getitem__)
    assert Link(20, 0, "supports", 1.0) in links
    assert {(one.source, one.target) for one in links if one.relation == "supports"} >= {
        (20, 0), (40, 0), (40, 20),
    }  # fmt: skip
    assert all(one.target < one.source for one in links)
    assert len(by_relation(links)["supports"]) >= 3
    newer = find_links(vectors, items, np.arange(0, 50, 10), features.__getitem__, since=4)
    assert newer == [one for one in links if one.source == 40]
