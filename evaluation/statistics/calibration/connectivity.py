"""When strengths exist: every system must be reachable from every other by wins and ties.

Without that the likelihood has no maximum: a system that never wins is rated ever lower without
end, and two groups that never met have no common scale.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from evaluation.statistics.calibration.outcomes import OutcomeCounts
from evaluation.statistics.calibration.pairs import Flags, Integers, Reals
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.sentences import listed

HELP = "More pairs would help, or a declared prior."


def beaten(
    low: Integers, high: Integers, sums: tuple[Reals, Reals, Reals], n_systems: int
) -> Flags:
    """Whether i won against or tied with j, in each draw: shape (B, n_systems, n_systems)."""
    low_wins, high_wins, ties = sums
    arrows = np.zeros((len(ties), n_systems, n_systems), dtype=np.bool_)
    arrows[:, low, high] = (low_wins > 0.0) | (ties > 0.0)
    arrows[:, high, low] = (high_wins > 0.0) | (ties > 0.0)
    return arrows


def strongly_connected(arrows: Flags) -> Flags:
    """For each graph (B, s, s) whether arrows lead from every system to every other: (B,)."""
    n_systems = arrows.shape[1]
    reach = (arrows | np.eye(n_systems, dtype=np.bool_)).astype(np.float32)
    length = 1
    while length < n_systems - 1:
        reach = (reach @ reach > 0.0).astype(np.float32)
        length *= 2
    return np.asarray((reach > 0.0).all(axis=(1, 2)))


def wins_go_round(
    low: Integers, high: Integers, sums: tuple[Reals, Reals, Reals], n_systems: int
) -> Flags:
    """Whether each table (B,) has a closed way along wins and ties, either way along a tie, with
    more wins than ties.

    Only then, or without ties, has a model with a tie parameter a maximum: else stronger systems
    and more likely ties explain the table ever better together. Found as a negative circle of
    lengths -1 a win and 1 a tie. Source: Albert and Anderson (1984), Biometrika 71, on when
    logits have a maximum; Floyd (1962), Communications of the ACM 5, for the search.
    """
    low_wins, high_wins, ties = sums
    found: Flags = np.asarray(((low_wins > 0.0) & (high_wins > 0.0)).any(axis=1))
    at = np.flatnonzero(~found)
    lengths = np.full((len(at), n_systems, n_systems), np.inf)
    for start, stop, wins in ((low, high, low_wins), (high, low, high_wins)):
        lengths[:, start, stop] = np.where(
            wins[at] > 0.0, -1.0, np.where(ties[at] > 0.0, 1.0, np.inf)
        )
    for middle in range(n_systems):
        by_way = lengths[:, :, middle, None] + lengths[:, None, middle, :]
        lengths = np.maximum(np.minimum(lengths, by_way), -float(n_systems))
    found[at] = (lengths[:, range(n_systems), range(n_systems)] < 0.0).any(axis=1)
    return found


def require_tie_parameter(counts: OutcomeCounts) -> None:
    """Raises StatisticUndefined when ties leave a model of ties without a maximum."""
    sums = counts.totals()
    if sums[2].any() and not wins_go_round(counts.low, counts.high, sums, counts.n_systems)[0]:
        raise StatisticUndefined(
            "No wins go round in a circle, so a model of ties can make strengths and ties grow "
            f"together without end. {HELP} Bradley and Terry's model needs less."
        )


def require_strengths(counts: OutcomeCounts) -> None:
    """Raises StatisticUndefined, naming the systems to blame, when no strengths exist.

    Source: Ford (1957), The American Mathematical Monthly 64, 28-33.
    """
    if counts.n_systems < 2:
        raise StatisticUndefined("Ratings compare systems, and there is only one.")
    arrows = beaten(counts.low, counts.high, counts.totals(), counts.n_systems)[0]
    graph = csr_array(arrows)
    n_groups, group = connected_components(graph, directed=False)
    if n_groups > 1:
        parts = [named(counts.systems, group == index) for index in range(n_groups)]
        raise StatisticUndefined(
            f"The systems fall into {n_groups} groups that no pair connects "
            f"({'; '.join(parts)}), so they have no common scale. Pairs across the groups would "
            "connect them."
        )
    if connected_components(graph, connection="strong")[0] == 1:
        return
    never_won, never_lost = ~arrows.any(axis=1), ~arrows.any(axis=0)
    if never_won.any() or never_lost.any():
        said = [
            f"{named(counts.systems, which)} never {verb}, nor tied"
            for which, verb in ((never_won, "won"), (never_lost, "lost"))
            if which.any()
        ]
        raise StatisticUndefined(f"{' and '.join(said)}, so no strength fits everyone. {HELP}")
    _, strong = connected_components(graph, connection="strong")
    top = next(
        strong == index
        for index in range(strong.max() + 1)
        if not arrows[np.ix_(strong != index, strong == index)].any()
    )
    raise StatisticUndefined(
        f"No other system won against or tied with {named(counts.systems, top)}, so the two "
        f"groups have no common scale. {HELP}"
    )


def named(systems: Sequence[str], chosen: Flags) -> str:
    """The chosen systems as a list in words; ``chosen``: (n_systems,)."""
    return listed([system for system, is_in in zip(systems, chosen, strict=True) if is_in])
