"""Reading parts of a result that may have no value."""

from __future__ import annotations

from typing import TypeVar

from evaluation.statistics.calibration.undefined import Undefined

Value = TypeVar("Value")


def defined(value: Value | Undefined | None) -> Value:
    assert value is not None
    assert not isinstance(value, Undefined)
    return value


def reason(value: object) -> str:
    assert isinstance(value, Undefined)
    return value.reason
