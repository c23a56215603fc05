"""Scores as whole hundredths, in which gaps and tolerances are compared exactly."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def hundredths(composite: float | None) -> int | None:
    """A composite from 0 to 10 in hundredths: its shortest decimal text, rounded half up (6.125
    is 613, 6.1 is 610). None where there is no score."""
    if composite is None:
        return None
    return int((Decimal(repr(composite)) * 100).to_integral_value(rounding=ROUND_HALF_UP))
