"""Speed of the statistics of a table: ``python -m performance.statistics [--seed N]``.

Each line is a median of five runs, with two ratios measured in the same run: how many times
faster than a plain loop over pairs and draws (timed on a share of the draws and scaled up), and
how many times slower than the bare numpy product of the draws with the scores, which no exact
implementation can do without. Ends with status 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.board import BoardInput, board_statistics
from evaluation.statistics.bootstrap import resample_counts
from evaluation.statistics.simultaneous import simultaneous_contrasts

N_RUNS = 5
N_RESAMPLES = 10_000
SHARE_LOOPED = 500
Table = NDArray[np.float64]


def made_table(n_rows: int, n_units: int, share_missing: float, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    table = rng.normal(6, 2, size=n_units) + rng.normal(0, 2, size=(n_rows, n_units))
    table = np.clip(table, 0, 10).round(2)
    table[rng.random(table.shape) < share_missing] = np.nan
    return table


def seconds(work: Callable[[], object], n_runs: int = N_RUNS) -> float:
    taken = []
    for _ in range(n_runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def looped(table: Table, seed: int) -> None:
    """The first draws of every pair, one at a time, as one would write it without thought."""
    rng = np.random.default_rng(seed)
    for a, b in combinations(table, 2):
        difference = (a - b)[~np.isnan(a - b)]
        for _ in range(N_RESAMPLES // SHARE_LOOPED):
            rng.choice(difference, size=len(difference)).mean()


def bare_product(table: Table, seed: int) -> None:
    counts = resample_counts(table.shape[1], N_RESAMPLES, np.random.default_rng(seed))
    np.nan_to_num(table) @ counts.T.astype(np.float64)


def contrasts(table: Table, seed: int) -> None:
    simultaneous_contrasts(table, rng=np.random.default_rng(seed), n_resamples=N_RESAMPLES)


def board(table: Table, seed: int) -> None:
    names = ["simple-rag", "simple-rag+bm25", *(f"row-{i}" for i in range(2, len(table)))]
    units = [f"q{i}" for i in range(table.shape[1])]
    rows = [
        BoardInput(
            name,
            {u: float(x) for u, x in zip(units, scores, strict=True) if not np.isnan(x)},
            len(units),
        )
        for name, scores in zip(names, table, strict=True)
    ]
    board_statistics(rows, seed=seed, units=units, n_resamples=N_RESAMPLES)


CASES: tuple[tuple[str, Callable[[Table, int], None], int, int, float, float], ...] = (
    ("all contrasts", contrasts, 12, 98, 0.0, 1.0),
    ("whole board", board, 12, 66, 0.0, 0.3),
    ("whole board, 2 % missing", board, 12, 66, 0.02, 0.3),
    ("whole board", board, 30, 1235, 0.0, 3.0),
    ("whole board, 2 % missing", board, 30, 1235, 0.02, 3.0),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20_260)
    seed = parser.parse_args().seed
    print(f"statistics: {N_RESAMPLES:,} draws, medians of {N_RUNS}, seed {seed}")
    too_slow = 0
    for name, work, n_rows, n_units, share_missing, limit in CASES:
        table = made_table(n_rows, n_units, share_missing, seed)
        taken = seconds(partial(work, table, seed))
        loop = SHARE_LOOPED * seconds(partial(looped, table, seed), n_runs=1)
        product = seconds(partial(bare_product, table, seed))
        too_slow += taken > limit
        print(
            f"  {name}, {n_rows} rows x {n_units} units: {taken:.3f} s "
            f"({'over' if taken > limit else 'within'} the limit of {limit:g} s), "
            f"{loop / taken:,.0f} times faster than a loop, "
            f"{taken / product:.1f} times the bare product"
        )
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
