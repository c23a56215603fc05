"""The counted votes that a report is computed from, as columns: read from the database, carried by
the report's bundle, and read from there again to verify it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.calibration.pairs import Outcome, PairTable
from evaluation.statistics.calibration.votes import VoteTable

BOTH_BAD = 3
"""The label of a vote beside those of ``Outcome``."""

Column = NDArray[np.int64]


class BundleUnreadable(ValueError):
    """The columns of a bundle are missing, of unequal length, or name what is not there."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationData:
    """``pair_*`` have the shape (n_pairs,), one row a pair with a counted vote, ``vote_*`` the
    shape (n_votes,). Scores are the judge's, in hundredths, -1 where it has none; lengths are in
    characters, -1 where not known. ``pair_probability`` is 0 for a pair that was not drawn by us.
    ``vote_label``: an ``Outcome`` or BOTH_BAD, of first and second as drawn once a pair.
    """

    systems: tuple[str, ...]
    questions: tuple[str, ...]
    raters: tuple[str, ...]
    pair_id: Column
    pair_question: Column
    pair_first: Column
    pair_second: Column
    pair_first_score: Column
    pair_second_score: Column
    pair_first_chars: Column
    pair_second_chars: Column
    pair_probability: NDArray[np.float64]
    vote_pair: Column
    vote_rater: Column
    vote_label: Column
    vote_left_is_first: Column
    vote_reveals: Column

    def __post_init__(self) -> None:
        for kind in ("pair_", "vote_"):
            lengths = {
                name: len(getattr(self, name)) for name in column_names() if name.startswith(kind)
            }
            if len(set(lengths.values())) != 1:
                told = ", ".join(f"{name} has {n:,}" for name, n in lengths.items())
                raise BundleUnreadable(f"the columns {kind}… differ in length: {told}")
        for name, n_known in (
            ("pair_question", len(self.questions)),
            ("pair_first", len(self.systems)),
            ("pair_second", len(self.systems)),
            ("vote_pair", len(self.pair_id)),
            ("vote_rater", len(self.raters)),
            ("vote_label", BOTH_BAD + 1),
        ):
            column = getattr(self, name)
            if len(column) and not 0 <= column.min() <= column.max() < n_known:
                raise BundleUnreadable(f"the column {name} names what is not there")

    @property
    def is_drawn(self) -> bool:
        """Whether every pair has an inclusion probability."""
        return bool(len(self.pair_id)) and bool((self.pair_probability > 0.0).all())

    def tables(self) -> tuple[PairTable, VoteTable]:
        """The columns as statistics read them; pairs that were not drawn by us weigh alike."""
        counts = np.bincount(
            self.vote_pair * (BOTH_BAD + 1) + self.vote_label,
            minlength=len(self.pair_id) * (BOTH_BAD + 1),
        ).reshape(-1, BOTH_BAD + 1)
        is_judged = (self.pair_first_score >= 0) & (self.pair_second_score >= 0)
        has_length = (self.pair_first_chars >= 0) & (self.pair_second_chars >= 0)
        pairs = PairTable(
            systems=self.systems,
            pair_id=self.pair_id,
            question=self.pair_question,
            system_first=self.pair_first,
            system_second=self.pair_second,
            gap_hundredths=np.where(is_judged, self.pair_first_score - self.pair_second_score, 0),
            is_judged=is_judged,
            n_first=counts[:, Outcome.FIRST],
            n_second=counts[:, Outcome.SECOND],
            n_tie=counts[:, Outcome.TIE] + counts[:, BOTH_BAD],
            n_both_bad=counts[:, BOTH_BAD],
            inclusion_probability=(
                self.pair_probability if self.is_drawn else np.ones(len(self.pair_id))
            ),
            length_difference=(
                self.pair_first_chars - self.pair_second_chars
                if len(has_length) and has_length.all()
                else None
            ),
        )
        votes = VoteTable(
            pair=self.vote_pair,
            rater=self.vote_rater,
            label=np.minimum(self.vote_label, int(Outcome.TIE)).astype(np.int8),
            left_is_first=self.vote_left_is_first.astype(bool),
            n_reveals_seen=self.vote_reveals,
        )
        return pairs, votes

    def as_json(self) -> dict[str, Any]:
        return {
            "systems": list(self.systems),
            "questions": list(self.questions),
            "raters": list(self.raters),
            **{name: getattr(self, name).tolist() for name in column_names()},
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Raises BundleUnreadable."""
        columns: dict[str, Any] = {}
        try:
            for name in ("systems", "questions", "raters"):
                columns[name] = tuple(str(one) for one in stored[name])
            unknown = [name for name in stored if name not in {*columns, *_KINDS}]
            if unknown:
                raise BundleUnreadable(f"the bundle's data have no column {', '.join(unknown)}")
            for name, kind in _KINDS.items():
                columns[name] = np.array(_numbers(name, stored[name], kind), dtype=kind)
            return cls(**columns)
        except BundleUnreadable:
            raise
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise BundleUnreadable(f"the bundle's data cannot be read: {error}") from error

    @property
    def sha256(self) -> str:
        """Of everything above, whatever the machine."""
        names = json.dumps([self.systems, self.questions, self.raters]).encode()
        digest = hashlib.sha256(names)
        for name in column_names():
            column = getattr(self, name)
            kind = "<f8" if name == "pair_probability" else "<i8"
            digest.update(name.encode() + column.astype(kind).tobytes())
        return digest.hexdigest()


def column_names() -> tuple[str, ...]:
    return tuple(_KINDS)


_KINDS: Mapping[str, type] = {
    field.name: np.float64 if field.name == "pair_probability" else np.int64
    for field in fields(CalibrationData)
    if field.name.startswith(("pair_", "vote_"))
}


def _numbers(name: str, stored: Any, kind: type) -> list[Any]:
    """Raises BundleUnreadable for anything that would have to be rounded or converted."""
    if not isinstance(stored, list):
        raise BundleUnreadable(f"data.{name} is no list")
    allowed = (int, float) if kind is np.float64 else (int,)
    for place, value in enumerate(stored):
        if isinstance(value, bool) or not isinstance(value, allowed):
            raise BundleUnreadable(
                f"data.{name}[{place}] is {value!r:.40}, which is no number here"
            )
    return stored
