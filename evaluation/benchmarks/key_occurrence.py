"""Whether a key of the rubric really occurs in a piece of text.

A number occurs where the text prints it (commas in thousands ignored) within the key's relative
tolerance and followed by the key's unit. A term occurs as a whole phrase, letter case and white
space ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from evaluation.records import Key

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?")
_SPACE = re.compile(r"\s+")


def numbers_in(text: str) -> Iterator[tuple[str, str]]:
    """Each number of the text, as its decimal text without commas and the text that follows."""
    for match in _NUMBER.finditer(text):
        yield match.group().replace(",", ""), text[match.end() :]


def key_occurs(key: Key, text: str) -> bool:
    """Raises ValueError for a number key whose value is not a decimal number."""
    if key.kind == "term":
        folded = _folded(text)
        return any(_phrase(wording).search(folded) for wording in (key.value, *key.aliases))
    wanted = _decimal(key.value)
    allowed = abs(wanted) * Decimal(str(key.tolerance))
    unit = _folded(key.unit)
    return any(
        abs(Decimal(number) - wanted) <= allowed and _folded(rest).startswith(unit)
        for number, rest in numbers_in(text)
    )


def _decimal(value: str) -> Decimal:
    if not re.fullmatch(r"-?\d+(\.\d+)?", value):
        raise ValueError(f"the number key {value!r} is not a decimal number")
    return Decimal(value)


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _phrase(wording: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(_folded(wording))}(?!\w)")
