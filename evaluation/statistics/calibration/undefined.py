"""A part of a result that has no value, beside parts that have one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from evaluation.statistics.refusals import StatisticUndefined

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Undefined:
    """Stands where a value would; ``reason`` says in one sentence why there is none."""

    reason: str


def value_or_reason(compute: Callable[[], Value]) -> Value | Undefined:
    """What ``compute`` returns, or the reason with which it refused."""
    try:
        return compute()
    except StatisticUndefined as refusal:
        return Undefined(str(refusal))
