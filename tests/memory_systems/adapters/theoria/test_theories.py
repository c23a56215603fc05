"""The life of a theory: seeded by a finding, promoted by support, demoted by contradiction, never
there twice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memory_systems.adapters.theoria.system import Theoria
from memory_systems.adapters.theoria.theories import Theory, TheoryLayer
from memory_systems.evidence.features import features_of
from memory_systems.evidence.nearest import steady
from tests.memory_systems.adapters.theoria.papers import filled, opened
from tests.memory_systems.hashing_embedder import HashingEmbedder

SEEDING = "Zyphron crystals glow at 40 kelvin because their lattice vibrates."
SUPPORTING = (
    "Zyphron crystals glow at 40 kelvin because the lattice vibrates.",
    "Because their lattice vibrates, zyphron crystals glow at 40 kelvin.",
    "Zyphron crystals glow at 40 kelvin, since lattice vibrates, because of it.",
    "The zyphron crystals glow at 40 kelvin because their own lattice vibrates.",
)
CONTRADICTING = (
    "Zyphron crystals do not glow at 40 kelvin because their lattice vibrates.",
    "Zyphron crystals glow at 90 kelvin because their lattice vibrates.",
)


def seeded(memory: Theoria) -> Theory:
    (theory,) = [one for one in memory.theories() if one.statement == SEEDING]
    return theory


def test_a_theory_is_seeded_promoted_demoted_and_not_repeated(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    n_before = len(memory.theories())

    first = memory.observe(SEEDING)
    assert first.is_new
    assert [theory.statement for theory in first.seeded] == [SEEDING]
    assert first.bearings == ()
    assert seeded(memory).confidence == "low"
    assert len(memory.theories()) == n_before + 1

    again = memory.observe(SEEDING)
    assert not again.is_new
    assert again.seeded == again.bearings == ()

    seen = []
    for finding in SUPPORTING:
        told = memory.observe(finding)
        assert told.seeded == ()
        assert [(one.theory, one.relation) for one in told.bearings] == [
            (seeded(memory).id, "supports")
        ]
        seen.append(seeded(memory).confidence)
    assert seen == ["low", "medium", "medium", "high"]
    assert memory.theories(confidence="high")[-1] == seeded(memory) or seeded(
        memory
    ) in memory.theories(confidence="high")

    told = memory.observe(CONTRADICTING[0])
    assert [one.relation for one in told.bearings] == ["contradicts"]
    assert seeded(memory).confidence == "medium"
    memory.observe(CONTRADICTING[1])
    assert (seeded(memory).support, seeded(memory).contradiction) == (4, 2)
    assert seeded(memory).confidence == "low"

    assert len(memory.theories()) == n_before + 1
    told_now = memory.theories()
    memory.close()
    reopened = opened(tmp_path)
    assert reopened.theories() == told_now
    reopened.close()


def test_a_planted_contradiction_demotes_a_theory_of_the_corpus(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    theory = max(memory.theories(), key=lambda one: (one.support, -one.id))
    assert theory.support > 0
    planted = memory.observe(theory.statement.replace(" because", " never because"))
    assert theory.id in {one.theory for one in planted.bearings if one.relation == "contradicts"}
    (now,) = [one for one in memory.theories() if one.id == theory.id]
    assert now.contradiction == theory.contradiction + 1
    memory.close()


def test_deriving_anew_gives_what_observing_one_by_one_gave(tmp_path: Path) -> None:
    observed = filled(tmp_path / "observed")
    for finding in (SEEDING, *SUPPORTING, *CONTRADICTING):
        observed.observe(finding)
    expected = observed.layers()
    stats = observed.stats()
    observed.close()
    folder = tmp_path / "observed"
    anew = opened(folder)
    anew._store.replace_derived("", [], lambda _: None)
    found = anew.layers()
    assert found.theories == expected.theories
    assert found.bearings == expected.bearings
    assert sorted(found.links, key=str) == sorted(expected.links, key=str)
    assert np.array_equal(found.memberships, expected.memberships)
    assert np.array_equal(found.weights, expected.weights)
    assert anew.stats() == stats
    anew.close()


def test_a_finding_that_repeats_itself_counts_once(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    memory.observe(SEEDING)
    told = memory.observe("\n\n".join((*SUPPORTING, *SUPPORTING)))
    assert [(one.theory, one.relation) for one in told.bearings] == [
        (seeded(memory).id, "supports")
    ]
    assert told.seeded == ()
    assert (seeded(memory).support, seeded(memory).confidence) == (1, "low")
    both = memory.observe(f"{SUPPORTING[0]}\n\n{CONTRADICTING[0]}\n\n{CONTRADICTING[1]}")
    assert {one.relation for one in both.bearings} == {"supports", "contradicts"}
    assert (seeded(memory).support, seeded(memory).contradiction) == (2, 1)
    own = memory.observe("\n\n".join(["Quorl dust sinks at 7 bar because it is damp."] * 30))
    (theory,) = own.seeded
    assert theory.support <= 1
    memory.close()


def test_an_empty_memory_can_observe(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    told = memory.observe(SEEDING)
    assert [(one.community, one.confidence) for one in told.seeded] == [(-1, "low")]
    assert memory.observe(SUPPORTING[0]).bearings[0].relation == "supports"
    nothing = memory.observe(" ")
    assert (nothing.seeded, nothing.bearings, nothing.outcome.units) == ((), (), 0)
    memory.close()


@pytest.mark.parametrize(
    ("support", "contradiction", "confidence"),
    [(0, 0, "low"), (1, 0, "low"), (2, 0, "medium"), (3, 0, "medium"), (4, 0, "high"),
     (4, 1, "medium"), (6, 1, "high"), (4, 2, "low"), (0, 3, "low")],
)  # fmt: skip
def test_confidence_follows_from_the_counts(
    support: int, contradiction: int, confidence: str
) -> None:
    assert Theory(0, 0, 0, "", support, contradiction).confidence == confidence


def layer_of(texts: list[str]) -> tuple[TheoryLayer, np.ndarray]:
    """Two communities far apart that are no neighbours, and units with these texts."""
    vectors = steady(HashingEmbedder().encode(texts))
    layer = TheoryLayer(
        centres=vectors[:2],
        neighbours={0: [1]},
        features=lambda unit: features_of(texts[unit]),
        text=texts.__getitem__,
    )
    return layer, vectors


def test_a_finding_that_repeats_a_theory_without_a_rule_supports_it() -> None:
    texts = ["red apples taste", "blue stones roll", "Grue?", "Grue?"]
    layer, vectors = layer_of(texts)
    assert layer.observe(2, vectors[2]).seeded == 0
    told = layer.observe(3, vectors[3])
    assert told.seeded == -1
    assert [(one.theory, one.relation) for one in told.bearings] == [(0, "supports")]
    assert layer.theories[0].support == 1


def test_a_theory_too_far_to_match_is_left_alone() -> None:
    texts = ["red apples taste", "blue stones roll", SEEDING, "Quite other wholly strange words."]
    layer, vectors = layer_of(texts)
    layer.observe(2, vectors[2])
    assert float(vectors[2] @ vectors[3]) < 0.25
    assert layer.observe(3, vectors[3]).seeded == 1
    assert [one.support for one in layer.theories] == [0, 0]
