"""Numbers with units, drawn as whole steps so that their text never depends on float printing."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from evaluation.benchmarks.scholia.dice import Dice

MEASURED_TOLERANCE = 0.01
_SPACED_PERCENT = ("{n} %", "{n}%")


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a quantity lives: the decimal texts of its ends, the unit and the step in units of
    the last decimal."""

    low: str
    high: str
    unit: str
    step: int = 1

    @property
    def decimals(self) -> int:
        return len(self.low.partition(".")[2])


@dataclass(slots=True)
class NumberPool:
    """Draws values for one paper: two of the same unit always differ by more than 3 %, so that
    one can never pass for the other."""

    dice: Dice
    _taken: dict[str, list[Decimal]] = field(default_factory=dict)

    def draw(self, scale: Scale) -> str:
        factor = 10**scale.decimals
        low = int(Decimal(scale.low) * factor)
        high = int(Decimal(scale.high) * factor)
        n_steps = (high - low) // scale.step
        taken = self._taken.setdefault(scale.unit, [])
        for attempt in range(400):
            whole = low + scale.step * self.dice.between(0, n_steps)
            value = Decimal(whole).scaleb(-scale.decimals)
            gap = Decimal("0.03") if attempt < 300 else Decimal("0.0")
            if all(abs(value - other) > gap * max(value, other) for other in taken):
                break
        taken.append(value)
        return f"{value:f}"


def wordings_of(number: str, unit: str) -> tuple[str, ...]:
    """How a paper may print the number: with or without the comma, close to a percent sign."""
    whole = number
    if "." not in number and len(number) > 3:
        whole = f"{number[:-3]},{number[-3:]}"
    if unit == "%":
        return tuple(form.replace("{n}", whole) for form in _SPACED_PERCENT)
    forms = (whole,) if whole == number else (whole, number)
    return tuple(f"{form} {unit}".rstrip() for form in forms)
