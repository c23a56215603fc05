"""Randomness that is the same on every platform and in every version of Python."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A stream of choices named by its parts: equal parts give equal choices.

    Only ``random.Random.random`` is used, whose sequence Python guarantees for a given integer
    seed; nothing depends on hashing, on the order of sets or on the formatting of floats.
    """

    def __init__(self, *parts: str | int) -> None:
        name = "\x1f".join(str(part) for part in parts).encode()
        seed = int.from_bytes(hashlib.sha256(name).digest()[:16], "big")
        self._next = random.Random(seed).random

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self._next() * n)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        return self._next() * 100 < percent

    def pick(self, options: Sequence[T]) -> T:
        return options[int(self._next() * len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        order = list(options)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def sample(self, options: Sequence[T], n: int) -> list[T]:
        """``n`` different options; all of them, shuffled, where there are fewer."""
        return self.shuffled(options)[:n]
