"""What a reader can choose on a page, and the refusal of what nobody offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a filter. ``count`` is how many rows (or questions) choosing it gives; None
    where counting says nothing."""

    value: str
    label: str
    count: int | None = None
    is_active: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """Something a reader must know about a row: a short name and one sentence."""

    code: str
    sentence: str


class UnknownChoice(ValueError):
    """The value is not among those that exist; the message lists them."""

    def __init__(self, field: str, value: str, known: Iterable[str]) -> None:
        self.field = field
        self.value = value
        self.known = tuple(known)
        listed = ", ".join(self.known) if self.known else "none yet"
        super().__init__(f"unknown {field} '{value}'; known: {listed}")


class NotFound(LookupError):
    """What the address names is not in the database."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"there is no {kind} '{name}'")


def choose(field: str, value: str, known: Sequence[str], *, default: str = "") -> str:
    """``value`` where it is known, ``default`` where it is empty. Raises UnknownChoice."""
    if not value:
        return default
    if value not in known:
        raise UnknownChoice(field, value, known)
    return value


def choices(
    counts: Iterable[tuple[str, int | None]], active: str, *, any_label: str = ""
) -> tuple[Choice, ...]:
    """Choices in the given order; ``any_label`` puts the choice of no filter first."""
    listed = [Choice(value, value, count, value == active) for value, count in counts]
    if any_label:
        listed.insert(0, Choice("", any_label, None, not active))
    return tuple(listed)
