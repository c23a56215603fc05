"""Items that several people rated: what the readers of ratings give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NOMINAL, ORDINAL, INTERVAL = "nominal", "ordinal", "interval"
SCALES: Final = (NOMINAL, ORDINAL, INTERVAL)
LONGEST_NAME: Final = 200

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Metric:
    """``level``: nominal, ordinal or interval. ``scale``: the labels, or worst and best.
    ``ratings``: one tuple an item of the values that people gave it, in no order of raters."""

    name: str
    level: str
    scale: tuple[Value, ...]
    ratings: tuple[tuple[Value, ...], ...]

    @property
    def n_ratings(self) -> int:
        return sum(map(len, self.ratings))


@dataclass(frozen=True, slots=True)
class RatedItems:
    name: str
    url: str
    item_ids: tuple[str, ...]
    metrics: tuple[Metric, ...]
