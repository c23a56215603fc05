"""What a formula may ask for in space: its widths, heights and shifts, counted together in em.

A few characters of LaTeX can ask for a rule as large as a city. The bounds are far above what a
formula needs to be read, and hold for the sum, so that many small spaces make no large one.
"""

from __future__ import annotations

import re
from typing import Final

MAX_ACROSS_EM: Final = 60.0
MAX_UPWARD_EM: Final = 15.0
MAX_ONE_EM: Final = 5.0

ACROSS: Final = frozenset({"width", "lspace", "rspace", "columnspacing"})
UPWARD: Final = frozenset({"height", "depth", "voffset", "rowspacing"})
ONE: Final = frozenset({"minsize", "maxsize", "linethickness"})
"""Sizes of one sign or line, which do not add up."""

_EM_OF: Final = {
    "em": 1.0, "ex": 0.5, "px": 1 / 16, "pt": 1 / 12, "pc": 1.0, "in": 6.0, "cm": 2.4, "mm": 0.24,
    "q": 0.06, "mu": 1 / 18, "%": 0.01, "rem": 1.0, "ch": 0.5, "vw": 1.0, "vh": 0.6,
}  # fmt: skip
_LENGTH: Final = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([a-z%]*)")
_WORD: Final = re.compile(
    r"(?:negative)?(?:very){0,2}(?:thin|medium|thick)mathspace|thin|medium|thick"
)


class LengthTooLarge(Exception):
    """The formula asks for more room than an answer has."""


class FormulaRoom:
    """Counts the lengths of one formula."""

    def __init__(self) -> None:
        self._across = self._upward = 0.0

    def kept(self, name: str, value: str) -> str | None:
        """The attribute's value; None for a length that is none, which is left out. Raises
        LengthTooLarge."""
        if name not in ACROSS | UPWARD | ONE:
            return value
        lengths = [_in_em(part) for part in value.split()]
        if not lengths or None in lengths:
            return None
        total = sum(length for length in lengths if length is not None)
        if name in ACROSS:
            self._across += total
        elif name in UPWARD:
            self._upward += total
        elif total > MAX_ONE_EM:
            raise LengthTooLarge
        if self._across > MAX_ACROSS_EM or self._upward > MAX_UPWARD_EM:
            raise LengthTooLarge
        return value


def _in_em(text: str) -> float | None:
    """Without its sign: to shift left by much is as bad as to the right. A bare number is a
    multiple; None where it is no length."""
    if _WORD.fullmatch(text):
        return 0.4
    found = _LENGTH.fullmatch(text.lower())
    if found is None:
        return None
    number, unit = found.groups()
    scale = 1.0 if not unit else _EM_OF.get(unit)
    return None if scale is None else float(number) * scale
