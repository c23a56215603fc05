"""Which answer of a pair stands on the left."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

MOST_SYSTEMS_WITH_WIDE_COIN: Final = 7


def draw_left_is_first(
    balance: Mapping[str, int], first: str | None, second: str | None, rng: random.Random
) -> bool:
    """A fair coin, unless a side would take a system's left minus right too far.

    ``balance``: system → left − right over what counts and what is being decided. The coin decides
    while both outcomes stay within 2 (within 1 from 8 systems up). Where only one does, it is
    taken; where none does, the side that lowers the larger imbalance, by a coin when they are
    equal. From balance, |left − right| stays within 4 for up to 9 systems whatever the order of
    pairs and coins (all states were enumerated); for more see docs/decisions/0014-sides.md.

    A system compared with nobody known (a check) is None: then the coin alone decides.
    """
    if first is None or second is None:
        return rng.random() < 0.5
    one, other = balance.get(first, 0), balance.get(second, 0)
    widest = 2 if len(balance) <= MOST_SYSTEMS_WITH_WIDE_COIN else 1
    first_left_fits = max(abs(one + 1), abs(other - 1)) <= widest
    second_left_fits = max(abs(one - 1), abs(other + 1)) <= widest
    if first_left_fits != second_left_fits:
        return first_left_fits
    if first_left_fits or one == other:
        return rng.random() < 0.5
    if abs(one) == abs(other):
        # Opposite signs: one side lowers both.
        return one < 0
    return one < 0 if abs(one) > abs(other) else other > 0


def moved(balance: dict[str, int], left: str | None, right: str | None, by: int) -> None:
    """Add ``by`` sightings with ``left`` on the left; -1 takes one back."""
    if left is None or right is None:
        return
    balance[left] = balance.get(left, 0) + by
    balance[right] = balance.get(right, 0) - by
