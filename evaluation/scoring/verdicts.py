"""Reading a judge's reply: strictly, for what is half read is wrongly read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

MAX_REASON_CHARS = 2000


class VerdictUnreadable(Exception):
    """The reply is not the one JSON object that was asked for. The message says why."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Scores on the scale 0–10, by dimension."""

    scores: Mapping[str, float]
    reason: str


def read_verdict(text: str, *, case: str, dimensions: tuple[str, ...]) -> Verdict:
    """The verdict that ``text`` is. Raises VerdictUnreadable for anything but one JSON object with
    exactly the keys asked for, the case's own name, and finite numbers from 0 to 10."""
    read = _read_json(text)
    if not isinstance(read, dict):
        raise VerdictUnreadable("the reply is JSON but no object")
    expected = {"case", "reason", *dimensions}
    if missing := sorted(expected - read.keys()):
        raise VerdictUnreadable(f"the reply lacks {', '.join(missing)}")
    if extra := sorted(read.keys() - expected):
        raise VerdictUnreadable(f"the reply has keys nobody asked for: {', '.join(extra)[:200]}")
    if read["case"] != case:
        raise VerdictUnreadable("the reply names another case than the one that was judged")
    if not isinstance(read["reason"], str):
        raise VerdictUnreadable("the reason is no text")
    scores = {dimension: _score(dimension, read[dimension]) for dimension in dimensions}
    return Verdict(scores, read["reason"].strip()[:MAX_REASON_CHARS])


def _read_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except VerdictUnreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise VerdictUnreadable("the reply is not JSON alone") from error


def _refuse_constant(constant: str) -> NoReturn:
    raise VerdictUnreadable(f"the reply holds {constant}, which is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise VerdictUnreadable("the reply gives a key twice")
    return read


def _score(dimension: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise VerdictUnreadable(f"{dimension} is no number")
    if not 0 <= value <= 10 or not isfinite(value):
        raise VerdictUnreadable(f"{dimension} is outside 0 to 10")
    return float(value)
