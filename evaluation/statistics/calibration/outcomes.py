"""Who won against whom, summed a question and two systems: what ratings and records start from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from evaluation.statistics.bootstrap import resample_counts
from evaluation.statistics.calibration.clusters import FEWEST_QUESTIONS, N_RESAMPLES, codes_of
from evaluation.statistics.calibration.pairs import Integers, Outcome, PairTable, Reals
from evaluation.statistics.refusals import StatisticUndefined


class Unit(StrEnum):
    """What is counted: each pair once by its majority, each vote, or each pair by the judge."""

    PAIR = "pairs by majority"
    VOTE = "votes"
    JUDGE = "pairs by the judge"


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeCounts:
    """Outcomes of q questions and k pairings of two compared systems.

    ``low`` and ``high`` (k,): the two systems as indices of ``systems``, low < high. ``low_wins``,
    ``high_wins`` and ``ties``: (q, k), counts or sums of weights. Only compared systems are named.
    """

    systems: tuple[str, ...]
    low: Integers
    high: Integers
    low_wins: Reals
    high_wins: Reals
    ties: Reals
    unit: Unit

    @property
    def n_questions(self) -> int:
        return len(self.ties)

    @property
    def n_systems(self) -> int:
        return len(self.systems)

    def sums(self, drawn: Reals) -> tuple[Reals, Reals, Reals]:
        """Wins of low, wins of high and ties, each (B, k), when question i counts
        ``drawn[b, i]`` times."""
        return drawn @ self.low_wins, drawn @ self.high_wins, drawn @ self.ties

    def totals(self) -> tuple[Reals, Reals, Reals]:
        """The same in the data: each (1, k)."""
        low_wins, high_wins, ties = (
            side.sum(axis=0, keepdims=True) for side in (self.low_wins, self.high_wins, self.ties)
        )
        return low_wins, high_wins, ties

    def draws(self, rng: np.random.Generator, n_resamples: int = N_RESAMPLES) -> Reals:
        """How often each question is drawn: (B, q). Raises StatisticUndefined under 2 questions."""
        if self.n_questions < FEWEST_QUESTIONS:
            raise StatisticUndefined(
                f"An interval by resampling needs at least {FEWEST_QUESTIONS} questions; "
                f"there is {self.n_questions}."
            )
        return resample_counts(self.n_questions, n_resamples, rng).astype(np.float64)


def count_outcomes(
    pairs: PairTable,
    *,
    unit: Unit = Unit.PAIR,
    weighted: bool = False,
    tolerance_hundredths: int = 0,
) -> OutcomeCounts:
    """The outcomes in ``pairs`` by ``unit``; each pair or vote counts 1, or 1 / inclusion
    probability when ``weighted``. ``tolerance_hundredths`` is the judge's tie tolerance.

    Unjudged pairs are left out when the judge is counted. Raises StatisticUndefined when nothing
    is left to count.
    """
    if unit is Unit.JUDGE:
        pairs = pairs.judged()
    if pairs.n_pairs == 0:
        raise StatisticUndefined("There is no counted vote yet.")
    if unit is Unit.VOTE:
        first, second, tie = (
            column.astype(np.float64) for column in (pairs.n_first, pairs.n_second, pairs.n_tie)
        )
    else:
        label = pairs.majority if unit is Unit.PAIR else pairs.judged_outcome(tolerance_hundredths)
        first, second, tie = ((label == outcome).astype(np.float64) for outcome in Outcome)
    if weighted:
        first, second, tie = (column * pairs.weight for column in (first, second, tie))
    n_named = len(pairs.systems)
    is_ordered = pairs.system_first < pairs.system_second
    lower = np.minimum(pairs.system_first, pairs.system_second)
    upper = np.maximum(pairs.system_first, pairs.system_second)
    pairing, k = np.unique(lower * n_named + upper, return_inverse=True)
    question, n_questions = codes_of(pairs.question)
    present = np.unique(np.concatenate(np.divmod(pairing, n_named)))
    low, high = (np.searchsorted(present, index) for index in np.divmod(pairing, n_named))
    cells, shape = question * len(pairing) + k, (n_questions, len(pairing))

    def summed(amount: Reals) -> Reals:
        sums = np.bincount(cells, amount, minlength=shape[0] * shape[1])
        return sums.reshape(shape).astype(np.float64)

    return OutcomeCounts(
        tuple(pairs.systems[index] for index in present),
        low,
        high,
        summed(np.where(is_ordered, first, second)),
        summed(np.where(is_ordered, second, first)),
        summed(tie),
        unit,
    )
