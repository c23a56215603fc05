"""How many units a budget asks for. Shared code packs and cuts them to the budget afterwards.

``capped`` over-fetches: overlapping windows are merged when they are packed, which shrinks their
text by about a fifth, so units are taken until their text adds up to 1.6 times the budget, and
one more. ``targeted`` sets k from the store's mean characters a unit and takes exactly that. A
token limit counts as four characters a token, for fetching only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory_systems.base import Budget

CHARS_PER_TOKEN = 4
OVERFETCH = 1.6

Ranking = Sequence[tuple[int, float]]
Knobs = dict[str, int | float | str]


def fetch_ranked(
    rank: Callable[[int], Ranking],
    budget: Budget,
    *,
    native_k: int,
    n_chars: NDArray[np.int64],
) -> tuple[Ranking, Knobs]:
    """The leading (unit index, score) that the budget asks for, and the knobs that were set.

    ``rank(k)`` gives at least ``k`` units, best first, where so many can be ranked; ``n_chars``
    holds every unit's length. In ``capped`` mode fewer come back only where no more rank.
    """
    k = native_k if budget.is_native else budget.k
    if k is not None:
        return rank(k)[:k], {"k": k}
    chars = budget.chars if budget.chars is not None else (budget.tokens or 0) * CHARS_PER_TOKEN
    mean = float(n_chars.mean()) if len(n_chars) else 1.0
    if budget.mode == "targeted":
        k = max(1, round(chars / mean))
        return rank(k)[:k], {"k": k, "mean_unit_chars": round(mean, 3)}
    enough = OVERFETCH * chars
    depth = math.ceil(enough / mean) + 1
    ranked = rank(depth)
    while sum_chars(ranked, n_chars) < enough and depth < len(n_chars):
        depth *= 2
        ranked = rank(depth)
    kept = _leading(ranked, n_chars, enough)
    return kept, {"k": len(kept), "overfetch": OVERFETCH}


def sum_chars(ranked: Ranking, n_chars: NDArray[np.int64]) -> int:
    """Characters of the ranked units, overlaps counted twice."""
    return int(n_chars[[index for index, _ in ranked]].sum()) if ranked else 0


def _leading(ranked: Ranking, n_chars: NDArray[np.int64], enough: float) -> Ranking:
    total = 0
    for place, (index, _) in enumerate(ranked):
        total += int(n_chars[index])
        if total >= enough:
            return ranked[: place + 2]
    return ranked


def estimated_tokens(n_chars: int) -> int:
    """Tokens of a text of so many characters, at four characters a token, rounded up."""
    return math.ceil(n_chars / CHARS_PER_TOKEN)
