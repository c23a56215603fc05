"""Theoria routes a question through its communities and follows one hop of links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memory_systems.adapters.theoria.communities import assign, community_edges, near_graph
from memory_systems.adapters.theoria.layers import Layers
from memory_systems.adapters.theoria.overview import overview_of
from memory_systems.adapters.theoria.routing import level_scores
from memory_systems.adapters.theoria.system import Theoria
from memory_systems.base import Budget, SourceItem, SystemConfig
from memory_systems.embedding import get_embedder
from memory_systems.evidence.memory import ModelRequired
from memory_systems.evidence.nearest import steady
from memory_systems.evidence.retrieval import said_once, with_linked
from memory_systems.evidence.store import EvidenceTable
from memory_systems.registry import open_system
from tests.memory_systems.adapters.theoria.papers import SUBJECTS, filled, opened, papers
from tests.memory_systems.hashing_embedder import HashingEmbedder


def layers_equal(a: Layers, b: Layers) -> bool:
    return (
        (a.links, a.communities, a.edges, a.theories, a.bearings)
        == (b.links, b.communities, b.edges, b.theories, b.bearings)
    ) and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("centres", "memberships", "weights")
    )


@pytest.fixture
def memory(tmp_path: Path) -> Theoria:
    return filled(tmp_path)


def test_the_layers_are_counted_and_the_same_when_opened_again(
    memory: Theoria, tmp_path: Path
) -> None:
    layers, stats = memory.layers(), memory.stats()
    assert stats.layers["claims"] == 6 * 16
    assert stats.layers["claims: mechanisms"] >= 6 * 8
    assert stats.layers["fine communities"] == len(layers.communities) >= 3
    assert stats.layers["theories"] == len(layers.theories) > 0
    assert stats.layers["links: supports"] > 0
    memory.close()
    again = opened(tmp_path)
    assert layers_equal(again.layers(), layers)
    assert again.stats() == stats
    again.close()


def test_communities_keep_to_their_subject(memory: Theoria) -> None:
    layers = memory.layers()
    for community in layers.communities:
        found = {term for term in community.terms if term in SUBJECTS}
        assert len(found) <= 1
    assert sum(one.size for one in layers.communities) == 6 * 16
    weights = layers.weights.sum(axis=1)
    assert np.allclose(weights, 1)
    memory.close()


def test_a_question_is_routed_and_its_links_followed(memory: Theoria) -> None:
    found = memory.retrieve(
        "q", "At how many litres does the kettle of type 3 boil?", budget=Budget()
    )
    assert found.units[0].source_id.startswith("kettle")
    assert found.knobs["k"] == 25
    assert 25 <= len(found.units) <= 50
    assert found.knobs["communities_routed"] == min(5, len(memory.layers().communities))
    assert found.knobs["claim_weight"] + found.knobs["summary_weight"] == pytest.approx(1)  # type: ignore[operator]
    memory.close()


def test_verbatim_claims_of_a_paper_come_once_though_two_papers_say_them(memory: Theoria) -> None:
    found = memory.retrieve("q", "kettle", budget=Budget(k=20))
    texts = [unit.text for unit in found.units if unit.kind == "claim"]
    assert len(texts) == len(set(texts))
    memory.close()


def test_the_hybrid_adds_bm25_over_the_same_units(memory: Theoria, tmp_path: Path) -> None:
    memory.close()
    hybrid = opened(tmp_path, "hybrid")
    found = hybrid.retrieve("q", "moraine of type 7", budget=Budget(k=5))
    assert found.knobs["rrf_k"] == 60
    assert found.knobs["n_lexical"] > 0  # type: ignore[operator]
    assert found.units[0].source_id.startswith("glacier")
    hybrid.close()


def test_without_expansion_fewer_communities_are_opened(memory: Theoria, tmp_path: Path) -> None:
    wide = memory.retrieve("q", "violin", budget=Budget(k=2)).knobs["communities_opened"]
    memory.close()
    config = SystemConfig("dense", HashingEmbedder(), {"expand_communities": False})
    narrow = open_system("theoria", config, tmp_path)
    assert narrow.retrieve("q", "violin", budget=Budget(k=2)).knobs["communities_opened"] <= wide  # type: ignore[operator]
    narrow.close()


def test_a_kill_before_the_layers_are_kept_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = filled(tmp_path / "undisturbed")
    expected = undisturbed.layers()
    undisturbed.close()
    memory = opened(tmp_path / "killed")
    for paper in papers():
        memory.ingest(paper)

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("memory_systems.adapters.theoria.layers.write", dies)
        with pytest.raises(KeyboardInterrupt):
            memory.settle()
    memory.close()
    again = opened(tmp_path / "killed")
    assert again._store.derived_from() == ""
    assert layers_equal(again.layers(), expected)
    again.close()


def test_a_change_derives_the_layers_anew(memory: Theoria) -> None:
    before = memory.layers()
    memory.ingest(
        SourceItem(id="new", text="The comet returns every 76 years because of its orbit.")
    )
    assert memory.layers().communities != before.communities
    memory.delete("new")
    assert layers_equal(memory.layers(), before)
    memory.close()


def test_an_item_without_a_claim_is_stored_empty(tmp_path: Path) -> None:
    embedder = get_embedder("static", tmp_path / "vectors")
    memory = open_system("theoria", SystemConfig("dense", embedder), tmp_path / "memory")
    assert memory.ingest(SourceItem(id="blank", text=" \n ")).units == 0
    memory.ingest(SourceItem(id="told", text="The kettle boils in 3.5 minutes."))
    assert memory.stored_item_ids() == {"blank", "told"}
    assert len(memory.retrieve("q", "kettle", budget=Budget()).units) == 1
    memory.close()
    embedder.close()


def test_a_named_model_that_was_not_given_is_refused(tmp_path: Path) -> None:
    config = SystemConfig("dense", HashingEmbedder(), {"model": "openai:gpt"})
    memory = open_system("theoria", config, tmp_path)
    with pytest.raises(ModelRequired, match="'theoria' works with openai:gpt here"):
        memory.ingest(papers()[0])
    assert memory.stored_item_ids() == frozenset()
    memory.close()


def test_the_overview_shows_communities_theories_and_links(memory: Theoria) -> None:
    shown = overview_of(memory, shown=2, examples=1)
    assert shown.n_items == 6
    assert [one.id for one in shown.communities] == [0, 1]
    assert all(one.terms and one.n_items > 0 for one in shown.communities)
    assert sum(shown.n_theories.values()) == shown.layers["theories"]
    for level, theories in shown.theories.items():
        assert all(one.confidence == level and one.source_id for one in theories)
    assert shown.n_links["supports"] == shown.layers["links: supports"]
    (example,) = shown.links["supports"]
    assert example.source_id != example.target_id
    assert example.source_text
    memory.close()


def test_the_overview_of_an_empty_memory_is_empty(tmp_path: Path) -> None:
    empty = opened(tmp_path / "empty")
    shown = overview_of(empty)
    assert shown.communities == ()
    assert shown.layers == {}
    assert sum(shown.n_links.values()) == sum(shown.n_theories.values()) == 0
    empty.close()


def table_of(level: list[int], summary: list[int], gists: list[tuple[int, ...]]) -> EvidenceTable:
    n = len(level)
    return EvidenceTable(
        np.zeros(n, np.int64), np.array(level), np.array(summary), gists, np.zeros(n, np.bool_)
    )


def test_the_level_that_tells_units_apart_weighs_more() -> None:
    table = table_of([0, 0, 0, 0, 1, 1], [4, 4, 5, 5, -1, -1], [(n,) for n in range(6)])
    cosines = np.array([0.9, 0.1, 0.1, 0.1, 0.3, 0.3], np.float32)
    scores, (claim, summary) = level_scores(cosines, np.arange(6), table)
    assert claim > summary
    assert int(np.argmax(scores)) == 0
    assert scores[4] == pytest.approx(claim * 0.5 + summary * 0.3)
    alike, weights = level_scores(np.full(6, 0.5, np.float32), np.arange(6), table)
    assert weights == pytest.approx((0.5, 0.5))
    assert np.allclose(alike, 0.5)
    assert np.isfinite(level_scores(np.zeros(6, np.float32), np.arange(6), table)[0]).all()


def test_a_summary_of_claims_that_came_before_is_left_out() -> None:
    table = table_of([0, 0, 0, 1], [3, 3, -1, -1], [(1,), (2,), (1,), (1, 2)])
    assert said_once([(0, 0.9), (1, 0.8), (3, 0.7), (2, 0.6)], table) == [(0, 0.9), (1, 0.8)]
    assert said_once([(3, 0.9), (0, 0.8), (1, 0.7)], table) == [(3, 0.9)]


def test_a_linked_unit_comes_after_the_one_that_brought_it() -> None:
    table = table_of([0] * 4, [-1] * 4, [(1,), (2,), (3,), (4,)])
    ranked = [(0, 0.9), (1, 0.5), (2, 0.4)]
    found, n_linked = with_linked(ranked, 1, {0: [(3, 0.8), (2, 0.1)]}, table)
    assert found == [(0, 0.9), (3, pytest.approx(0.72)), (1, 0.5), (2, 0.4)]
    assert n_linked == 1


def test_units_are_assigned_by_weight_and_claims_stay_where_leiden_put_them() -> None:
    centres = steady(np.eye(3, 4, dtype=np.float32))
    vectors = steady(np.array([[1, 0, 0, 0], [0.7, 0.7, 0, 0], [0, 0, 0, 1]], np.float32))
    found, weights = assign(vectors, centres, np.array([1, -1, -1]))
    assert set(found[0, :2]) == {0, 1}
    assert found[1].tolist() == [0, 1, -1]
    assert weights[1, :2] == pytest.approx([0.5, 0.5])
    assert (found[2, 0], weights[2, 0]) == (0, 1)
    assert assign(vectors, centres[:0], np.full(3, -1))[0].max() == -1


def test_community_edges_add_up_the_cosines_between_them() -> None:
    vectors = steady(HashingEmbedder().encode([f"word{n % 3} word{n % 5} same" for n in range(12)]))
    graph = near_graph(vectors)
    fine = np.array([0] * 6 + [1] * 6)
    edges = community_edges(fine, graph)
    across = fine[graph.a] != fine[graph.b]
    total = pytest.approx(float(graph.cosine[across].sum()), abs=1e-5)
    assert [(a, b) for a, b, _ in edges] == [(0, 1), (1, 0)]
    assert edges[0][2] == edges[1][2] == total
