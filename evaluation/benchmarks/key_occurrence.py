"""Whether a key of the rubric really occurs in a piece of text.

A number occurs where the text prints it (commas in thousands ignored; "1.8 million" is also
1800000) within the key's relative tolerance and followed by the key's unit. A term occurs as a
whole phrase, letter case and white space ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from evaluation.records import Key

_NUMBER = re.compile(r"(?<![\w.,])[-−]?\d+(?:,\d{3})*(?:\.\d+)?")
_DECIMAL = re.compile(r"-?\d+(\.\d+)?")
_SCALE = re.compile(
    r"[\s-]?(?P<word>hundred|thousand|million|billion|trillion)\b|(?P<letter>[kKMBT])(?!\w)",
    re.IGNORECASE,
)
_ZEROS = {
    "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12,
    "k": 3, "m": 6, "b": 9, "t": 12,
}  # fmt: skip
_SPACE = re.compile(r"\s+")
_BEFORE_UNIT = " $\\-"
_UNIT_FORMS = {"%": ("%", "percent", "per cent"), "x": ("x", "×", "times", "fold")}
_SHORTEST_PLURAL = 4


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number as a text prints it: its value, its decimal text, and where it stands."""

    value: Decimal
    text: str
    start: int
    end: int


def numbers_in(text: str) -> Iterator[PrintedNumber]:
    """Every number of the text in order; one with a scale ("94 million", "19K") twice, first
    without and then with its scale, which then belongs to it."""
    for match in _NUMBER.finditer(text):
        printed = match.group().replace(",", "").replace("−", "-")
        yield PrintedNumber(Decimal(printed), printed, match.start(), match.end())
        scale = _SCALE.match(text, match.end())
        if scale:
            zeros = _ZEROS[scale[scale.lastgroup or "word"].casefold()]
            scaled = Decimal(printed).scaleb(zeros)
            yield PrintedNumber(scaled, f"{scaled:f}", match.start(), scale.end())


def key_occurs(key: Key, text: str) -> bool:
    """Raises ValueError for a number key whose value is not a decimal number."""
    if key.kind == "term":
        folded = _folded(text)
        return any(_phrase(wording).search(folded) for wording in (key.value, *key.aliases))
    wanted = decimal_of(key)
    allowed = abs(wanted) * Decimal(str(key.tolerance))
    return any(
        abs(number.value - wanted) <= allowed and _has_unit(key.unit, text[number.end :])
        for number in numbers_in(text)
    )


def decimal_of(key: Key) -> Decimal:
    """The value of a number key. Raises ValueError."""
    if not _DECIMAL.fullmatch(key.value):
        raise ValueError(f"the number key “{key.value}” is not a decimal number")
    return Decimal(key.value)


def _has_unit(unit: str, rest: str) -> bool:
    wanted = _folded(unit)
    if not wanted:
        return True
    forms = _UNIT_FORMS.get(wanted, (wanted,))
    if wanted.endswith("s") and len(wanted) >= _SHORTEST_PLURAL:
        forms = (wanted[:-1],)
    return _folded(rest).lstrip(_BEFORE_UNIT).startswith(forms)


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _phrase(wording: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(_folded(wording))}(?!\w)")
