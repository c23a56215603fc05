"""Small tables of voted pairs for the tests of calibration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from evaluation.statistics.calibration.pairs import Outcome, PairTable
from evaluation.statistics.calibration.votes import VoteTable

SYSTEMS = ("theoria", "mem0", "simple-rag", "hindsight")
Table = TypeVar("Table")
Row = tuple[int, int, int, int | None, int, int, int]


def pair_table(
    rows: Iterable[Row],
    *,
    systems: tuple[str, ...] = SYSTEMS,
    probability: Iterable[float] | None = None,
    lengths: Iterable[int] | None = None,
) -> PairTable:
    """Rows of (question, first system, second system, gap in hundredths or None, votes for first,
    votes for second, ties)."""
    listed = list(rows)
    gaps = [row[3] for row in listed]
    columns = np.array(
        [[0 if cell is None else cell for cell in row] for row in listed], dtype=np.int64
    ).reshape(-1, 7)
    question, first, second, gap, n_first, n_second, n_tie = columns.T
    return PairTable(
        systems,
        np.arange(len(listed)),
        question,
        first,
        second,
        gap,
        np.array([gap is not None for gap in gaps], dtype=np.bool_),
        n_first,
        n_second,
        n_tie,
        np.zeros(len(listed), dtype=np.int64),
        np.ones(len(listed)) if probability is None else np.array(list(probability)),
        None if lengths is None else np.array(list(lengths), dtype=np.int64),
    )


def labelled(labels: Iterable[tuple[int | None, Outcome]], *, n_questions: int = 10) -> PairTable:
    """One vote a pair: (gap in hundredths, label), two systems, questions in turn."""
    return pair_table(
        (i % n_questions, 0, 1, gap, *one_vote(label)) for i, (gap, label) in enumerate(labels)
    )


def one_vote(label: Outcome) -> tuple[int, int, int]:
    """Counts for first, second and tie."""
    return int(label == Outcome.FIRST), int(label == Outcome.SECOND), int(label == Outcome.TIE)


def swapped(pairs: PairTable) -> PairTable:
    """The same pairs with first and second exchanged."""
    return replace(
        pairs,
        system_first=pairs.system_second,
        system_second=pairs.system_first,
        gap_hundredths=-pairs.gap_hundredths,
        n_first=pairs.n_second,
        n_second=pairs.n_first,
        length_difference=None if pairs.length_difference is None else -pairs.length_difference,
    )


def shuffled(pairs: PairTable, seed: int) -> PairTable:
    """The same pairs in another order."""
    order = np.random.default_rng(seed).permutation(pairs.n_pairs)
    names = [
        name
        for name in PairTable.__dataclass_fields__
        if name != "systems" and getattr(pairs, name) is not None
    ]
    columns: dict[str, Any] = {name: getattr(pairs, name)[order] for name in names}
    return replace(pairs, **columns)


def joined(one: PairTable, other: PairTable) -> PairTable:
    """The pairs of both tables, which share their systems."""
    names = [
        name
        for name in PairTable.__dataclass_fields__
        if name != "systems" and getattr(one, name) is not None
    ]
    columns: dict[str, Any] = {
        name: np.concatenate((getattr(one, name), getattr(other, name))) for name in names
    }
    return replace(one, **columns)


def changed(table: Table, column: str, values: Any) -> Table:
    """The table with another column, unchecked by types."""
    columns: dict[str, Any] = {column: np.asarray(values)}
    return replace(table, **columns)  # type: ignore[type-var]


def votes_of(pairs: PairTable, *, n_raters: int, seed: int = 0) -> VoteTable:
    """One vote table behind the counts, raters drawn without repeating one on a pair."""
    rng = np.random.default_rng(seed)
    counts = np.column_stack((pairs.n_first, pairs.n_second, pairs.n_tie))
    pair = np.repeat(np.arange(pairs.n_pairs), pairs.n_votes)
    label = np.concatenate([np.repeat(np.arange(3), row) for row in counts])
    rater = np.concatenate([rng.permutation(n_raters)[:n] for n in pairs.n_votes])
    return VoteTable(
        pair,
        rater,
        label.astype(np.int8),
        rng.random(len(pair)) < 0.5,
        rng.integers(0, 30, len(pair)),
    )


@st.composite
def pair_tables(
    draw: st.DrawFn, *, min_size: int = 1, max_size: int = 16, max_votes: int = 3
) -> PairTable:
    """Any table: gaps missing, zero or on an edge; any counts of votes; any probability."""
    n_pairs = draw(st.integers(min_size, max_size))
    systems = st.permutations(range(len(SYSTEMS))).map(lambda order: order[:2])
    gaps = st.one_of(st.none(), st.sampled_from([0, 200, -200, 400]), st.integers(-1000, 1000))
    counts = st.tuples(*[st.integers(0, max_votes)] * 3).filter(any)
    rows = st.tuples(st.integers(0, 8), systems, gaps, counts).map(
        lambda row: (row[0], *row[1], row[2], *row[3])
    )
    return pair_table(
        draw(st.lists(rows, min_size=n_pairs, max_size=n_pairs)),
        probability=draw(
            st.lists(st.sampled_from([0.1, 0.3, 1.0]), min_size=n_pairs, max_size=n_pairs)
        ),
        lengths=draw(st.lists(st.integers(-900, 900), min_size=n_pairs, max_size=n_pairs)),
    )
