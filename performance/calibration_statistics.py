"""Speed of calibration: ``python -m performance.calibration_statistics [--seed N]``.

One million votes on 20 systems. Each line is a median of three runs with its limit in seconds, and
how many times longer it takes than one pass that sums the votes into labels (measured in the same
run). Ratings also show how many times faster all their draws are than evalica drawing by drawing.
Ends with status 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import evalica
import numpy as np

from evaluation.statistics.calibration.decisive import decisive_agreement
from evaluation.statistics.calibration.length import length_bias
from evaluation.statistics.calibration.outcomes import OutcomeCounts, Unit, count_outcomes
from evaluation.statistics.calibration.pairs import Outcome, PairTable
from evaluation.statistics.calibration.position import agreement_by_reveals, left_share
from evaluation.statistics.calibration.rank_agreement import rank_agreement
from evaluation.statistics.calibration.raters import rater_agreement, raters_against_others
from evaluation.statistics.calibration.ratings import Model, rate_systems
from evaluation.statistics.calibration.records import system_records
from evaluation.statistics.calibration.resolution import resolution
from evaluation.statistics.calibration.tolerance import tolerance_curve
from evaluation.statistics.calibration.votes import VoteTable

N_RUNS = 3
N_VOTES, VOTES_A_PAIR = 1_000_000, 3
N_SYSTEMS, N_QUESTIONS, N_RATERS = 20, 1000, 500
N_DRAWS = 200
N_BY_EVALICA = 10
RATINGS = f"ratings by both models, {N_DRAWS} draws"
RATINGS_LIMIT = 0.5
PAGE_LIMIT = 4.0


def made_votes(seed: int) -> tuple[PairTable, VoteTable]:
    """Votes and judge that follow the same strengths, with noise of their own."""
    rng = np.random.default_rng(seed)
    n_pairs = N_VOTES // VOTES_A_PAIR
    first = rng.integers(0, N_SYSTEMS, n_pairs)
    second = (first + rng.integers(1, N_SYSTEMS, n_pairs)) % N_SYSTEMS
    lead = (first - second) / 4.0
    pair = np.repeat(np.arange(n_pairs), VOTES_A_PAIR)
    felt = lead[pair] + rng.normal(0, 2, len(pair))
    sides = np.where(felt > 0, Outcome.FIRST, Outcome.SECOND)
    label = np.where(np.abs(felt) < 0.5, Outcome.TIE, sides).astype(np.int8)
    start = rng.integers(0, N_RATERS, n_pairs)
    rater = (start[:, None] + np.array([0, 7, 19])) % N_RATERS
    votes = VoteTable(
        pair, rater.ravel(), label, rng.random(len(pair)) < 0.5, rng.integers(0, 40, len(pair))
    )
    n_first, n_second, n_tie = votes.label_counts(n_pairs).T
    gap = np.clip(np.rint(25 * (lead + rng.normal(0, 2, n_pairs))) * 4, -1000, 1000)
    pairs = PairTable(
        tuple(f"system-{i}" for i in range(N_SYSTEMS)),
        np.arange(n_pairs),
        rng.integers(0, N_QUESTIONS, n_pairs),
        first,
        second,
        gap.astype(np.int64),
        rng.random(n_pairs) < 0.99,
        n_first,
        n_second,
        n_tie,
        np.zeros(n_pairs, dtype=np.int64),
        rng.choice([0.2, 0.5, 1.0], n_pairs),
        rng.integers(-2000, 2000, n_pairs),
    )
    return pairs, votes


def seconds(work: Callable[[], object], n_runs: int = N_RUNS) -> float:
    taken = []
    for _ in range(n_runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def ratings(counts: OutcomeCounts, seed: int) -> None:
    for model in Model:
        rng = np.random.default_rng(seed)
        rate_systems(counts, model=model, rng=rng, n_resamples=N_DRAWS)


def evalica_draw_by_draw(counts: OutcomeCounts, seed: int) -> None:
    outcomes = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
    winners = [winner for winner in outcomes for _ in counts.low]
    first, second = counts.low.tolist() * len(outcomes), counts.high.tolist() * len(outcomes)
    for row in counts.draws(np.random.default_rng(seed), N_BY_EVALICA):
        weights = np.concatenate([side[0] for side in counts.sums(row[None])])
        evalica.bradley_terry(first, second, winners, weights=weights)
        evalica.newman(first, second, winners, weights=weights)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20_260)
    seed = parser.parse_args().seed
    pairs, votes = made_votes(seed)
    counts = count_outcomes(pairs, unit=Unit.VOTE)

    def rng() -> np.random.Generator:
        return np.random.default_rng(seed)

    parts: tuple[tuple[str, Callable[[], object]], ...] = (
        ("agreement by gap, questions and raters", lambda: decisive_agreement(
            pairs, votes=votes, rng=rng())),
        ("agreement over the tolerance", lambda: tolerance_curve(pairs, rng=rng())),
        ("resolution", lambda: resolution(pairs, rng=rng())),
        ("counts of outcomes", lambda: count_outcomes(pairs, unit=Unit.VOTE)),
        ("records of systems", lambda: system_records(counts, rng=rng())),
        (RATINGS, lambda: ratings(counts, seed)),
        ("ranks by people and judge", lambda: rank_agreement(
            pairs, rng=rng())),
        ("raters among each other", lambda: rater_agreement(votes, n_pairs=pairs.n_pairs)),
        ("each rater against the others", lambda: raters_against_others(
            votes, n_pairs=pairs.n_pairs)),
        ("left share", lambda: left_share(votes)),
        ("agreement by reveals", lambda: agreement_by_reveals(pairs, votes)),
        ("length", lambda: length_bias(pairs)),
    )  # fmt: skip
    one_pass = seconds(lambda: votes.label_counts(pairs.n_pairs))
    print(
        f"calibration: {votes.n_votes:,} votes, {pairs.n_pairs:,} pairs, {N_SYSTEMS} systems, "
        f"{N_QUESTIONS:,} questions, {N_RATERS} raters, seed {seed}; "
        f"one pass over the votes {1000 * one_pass:.0f} ms"
    )
    taken = {name: seconds(work) for name, work in parts}
    for name, cost in taken.items():
        print(f"  {name}: {cost:.3f} s, {cost / one_pass:.1f} passes")
    rated = taken[RATINGS]
    by_evalica = N_DRAWS / N_BY_EVALICA * seconds(lambda: evalica_draw_by_draw(counts, seed), 1)
    whole = sum(taken.values())
    print(f"  ratings are {by_evalica / rated:.0f} times faster than evalica draw by draw")
    too_slow = 0
    for name, cost, limit in (("ratings", rated, RATINGS_LIMIT), ("all", whole, PAGE_LIMIT)):
        too_slow += cost > limit
        said = "over" if cost > limit else "within"
        print(f"  {name}: {cost:.2f} s ({said} the limit of {limit:g} s)")
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
