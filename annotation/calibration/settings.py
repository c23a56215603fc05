"""What a reader chooses of a calibration report; the same choices give the same numbers."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


class InvalidCalibrationSetting(ValueError):
    """A setting is unknown or out of its range; ``option`` names it."""

    def __init__(self, option: str, sentence: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(f"{option}: {sentence}")
        self.option = option
        self.known = known


@dataclass(frozen=True, slots=True)
class CalibrationSettings:
    """``edges``: lower edges of the buckets of |gap|, in points. ``agreement``: the decisive
    agreement that the resolution stands for (0–1). ``target_width``: of a bucket's interval
    (0–1), for the hint when to stop. ``with_excluded``: votes of excluded raters are read too, to
    show what the exclusion changes."""

    edges: tuple[float, ...] = (0.0, 2.0, 4.0)
    agreement: float = 0.75
    target_width: float = 0.2
    n_resamples: int = 1000
    seed: int = 1
    with_excluded: bool = False

    def __post_init__(self) -> None:
        for name in ("agreement", "target_width"):
            value = getattr(self, name)
            if not (math.isfinite(value) and 0.0 < value < 1.0):
                raise InvalidCalibrationSetting(name, f"between 0 and 1, not {value}.")
        if not 200 <= self.n_resamples <= 20_000:
            raise InvalidCalibrationSetting("n_resamples", "from 200 to 20000.")
        hundredths = self.edges_hundredths
        if not hundredths or hundredths[0] != 0 or list(hundredths) != sorted(set(hundredths)):
            raise InvalidCalibrationSetting("edges", "rising lower edges of gaps, from 0.")

    @property
    def edges_hundredths(self) -> tuple[int, ...]:
        return tuple(round(edge * 100) for edge in self.edges)

    @property
    def key(self) -> str:
        """SHA-256 of the settings."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "edges": list(self.edges)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Raises InvalidCalibrationSetting for a setting that does not exist."""
        known = tuple(field.name for field in fields(cls))
        for name in stored:
            if name not in known:
                raise InvalidCalibrationSetting(name, "there is no such setting.", known)
        edges = {"edges": tuple(stored["edges"])} if "edges" in stored else {}
        return cls(**{**stored, **edges})


def edges_of(text: str) -> tuple[float, ...]:
    """``0,2,4`` as edges. Raises InvalidCalibrationSetting."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InvalidCalibrationSetting("edges", f"numbers with commas, not '{text}'.") from None
