"""Claims that belong together are told together."""

from __future__ import annotations

import numpy as np

from memory_systems.evidence.nearest import steady
from memory_systems.evidence.raptor import MAX_SUMMARY_CHARS, cluster_claims


def two_bundles() -> tuple[np.ndarray, list[str]]:
    rng = np.random.default_rng(7)
    centres = np.eye(2, 16, dtype=np.float32)
    rows = np.repeat(centres, 8, axis=0) + rng.normal(0, 0.02, (16, 16)).astype(np.float32)
    vectors = steady(rows / np.linalg.norm(rows, axis=1, keepdims=True))
    return vectors, [f"Claim {number} of bundle {number // 8}." for number in range(16)]


def test_two_bundles_give_two_summaries_of_their_central_claims() -> None:
    vectors, texts = two_bundles()
    clusters = cluster_claims(vectors, texts)
    assert [cluster.members for cluster in clusters] == [tuple(range(8)), tuple(range(8, 16))]
    for cluster in clusters:
        assert len(cluster.quoted) == 3
        centre = vectors[list(cluster.members)].mean(axis=0)
        closest = sorted(cluster.members, key=lambda row: -float(vectors[row] @ centre))[:3]
        assert set(cluster.quoted) == set(closest)


def test_few_claims_have_one_summary_and_fewer_none() -> None:
    vectors, texts = two_bundles()
    assert [one.members for one in cluster_claims(vectors[:4], texts)] == [(0, 1, 2, 3)]
    assert cluster_claims(vectors[:2], texts) == []
    assert cluster_claims(vectors[:0], []) == []


def test_a_summary_quotes_nothing_twice_and_keeps_its_length() -> None:
    vectors, _ = two_bundles()
    same = cluster_claims(vectors[:8], ["The same."] * 8)
    assert len(same[0].quoted) == 1
    long = cluster_claims(vectors[:8], [str(number) * 500 for number in range(8)])
    assert sum(501 for _ in long[0].quoted) <= MAX_SUMMARY_CHARS
