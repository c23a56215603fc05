"""Numbers with their units, read from prose and compared as exact decimals."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import lru_cache
from itertools import pairwise

from evaluation.scoring.normalisation import clean, stem
from evaluation.scoring.units import canonical_unit, known_unit

_NUMBER = re.compile(
    r"(?P<digits>\d{1,40}(?:\.\d{1,40})?|\.\d{1,40})(?!\.?\d)"
    r"(?:[eE](?P<exponent>[-+]?\d{1,3})(?!\w)"
    r"|\s?[×x*]\s?10\s?\^\s?\{?(?P<power>[-+]?\d{1,3})\}?"
    r"|\^\{?(?P<raised>[-+]?\d{1,3})\}?)?"
    r"(?:(?P<letter>[kKMBT])(?![\w/])|[\s-](?P<scale>hundred|thousand|million|billion|trillion)\b)?"
)
_SCALES = {
    "k": "1e3", "K": "1e3", "M": "1e6", "B": "1e9", "T": "1e12",
    "hundred": "1e2", "thousand": "1e3", "million": "1e6", "billion": "1e9", "trillion": "1e12",
}  # fmt: skip
_WORDS_TO_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_NUMBER_WORDS = {word: Decimal(value) for value, word in enumerate(_WORDS_TO_TWENTY.split())}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b(?!-)", re.IGNORECASE)
_UNIT = re.compile(
    r"[ \u00a0]{0,2}-?(?P<unit>%|‰|°\s?[CF]|×(?!\s?\d)|[^\W\d_]+)"
    r"(?P<ratio>(?:\s?/\s?|\s+per\s+)[^\W\d_]+)?"
)
_FOLLOWING = re.compile(r"[ -]*(?:[^\W\d_]+[ \-/]*){1,3}")
_LETTERS = re.compile(r"[^\W\d_]+")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_LIST_MARKER = re.compile(r"^[ \t]*(?:\(?\d{1,3}[.)]|\[\d{1,3}\])[ \t]+", re.MULTILINE)
_CITATION = re.compile(r"\[\d{1,3}(?:\s?[,-]\s?\d{1,3})*\]")
_JOINED = re.compile(r" *(?:-|to|and|or|,|±|\+/-) *")


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number as written: its value, the unit's name and factor ("" and 1 for a bare number),
    the stems of up to three words that follow, where it stands, and whether it was a word."""

    value: Decimal
    unit: str
    factor: Decimal
    following: tuple[str, ...]
    start: int
    end: int
    is_word: bool = False

    @property
    def base_value(self) -> Decimal:
        return multiply(self.value, self.factor)

    def has_unit(self, unit: str) -> bool:
        """Whether it is written with this canonical unit, or counts things of that name."""
        if self.unit == unit:
            return True
        return not self.unit and f" {unit} " in f" {' '.join(self.following)} "


def multiply(left: Decimal, right: Decimal) -> Decimal:
    with localcontext() as context:
        context.prec = 90
        return left * right


def read_quantities(text: str) -> list[Quantity]:
    """Every number of ``text`` in order. Digits inside names (GPT-4, H3), version numbers, list
    markers, citations and ordinals are not numbers."""
    text = _CITATION.sub(lambda mark: " " * len(mark[0]), clean(text))
    text = _LIST_MARKER.sub(lambda mark: " " * len(mark[0]), text)
    found = [_read(text, match) for match in _NUMBER.finditer(text)]
    found += [_read_word(text, match) for match in _NUMBER_WORD.finditer(text)]
    ordered = sorted((one for one in found if one is not None), key=lambda one: one.start)
    return _share_units(ordered, text)


@lru_cache(maxsize=4096)
def read_number(text: str) -> Decimal:
    """The decimal that ``text`` is. ValueError when it is not one number and nothing else."""
    quantities = read_quantities(text)
    if len(quantities) != 1 or quantities[0].following:
        raise ValueError(f"not a number: {text[:60]!r}")
    return quantities[0].value


def is_rounding_of(value: Decimal, exact: Decimal) -> bool:
    """Whether ``value`` is ``exact`` rounded, with at least two significant digits left."""
    if exact.adjusted() != value.adjusted() and abs(exact.adjusted() - value.adjusted()) > 1:
        return False
    digits = value.as_tuple()
    exponent = digits.exponent
    if not isinstance(exponent, int) or len(digits.digits) < 2:
        return False
    with localcontext() as context:
        context.prec = 90
        return abs(value - exact) * 2 <= Decimal(1).scaleb(exponent)


def read_values(text: str) -> frozenset[Decimal]:
    """The values alone of every number in digits, signs and units left out: quick on long texts."""
    values = (_value(match) for match in _NUMBER.finditer(clean(text)))
    return frozenset(value for value in values if value is not None)


def _read(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    before, earlier = text[start - 1 : start], text[max(0, start - 2) : start - 1]
    if before.isalnum() or before in ("_", "^", ".") or _ORDINAL.match(text, end):
        return None
    if before == "-" and (earlier.isalpha() or earlier in (")", "]")):
        return None
    value = _value(match)
    if value is None:
        return None
    if before == "-" and not earlier.isdigit() and earlier != "%":
        value = -value
    unit, factor, following = _unit_after(text, end)
    if not unit and text[max(0, start - 4) : start] == "USD ":
        unit, factor = "USD", Decimal(1)
    return Quantity(value, unit, factor, following, start, end)


def _value(match: re.Match[str]) -> Decimal | None:
    """The value without its sign; None for a power too large to be meant as a number."""
    value = Decimal(match["digits"])
    exponent = match["exponent"] or match["power"]
    scale = match["letter"] or match["scale"]
    if not (exponent or match["raised"] or scale):
        return value
    with localcontext() as context:
        context.prec = 90
        if exponent:
            value = value.scaleb(int(exponent))
        elif match["raised"]:
            if value == 0 or value.adjusted() > 6:
                return None
            value = value ** int(match["raised"])
        return value * Decimal(_SCALES[scale]) if scale else value


def _read_word(text: str, match: re.Match[str]) -> Quantity:
    unit, factor, following = _unit_after(text, match.end())
    value = _NUMBER_WORDS[match[0].casefold()]
    return Quantity(value, unit, factor, following, match.start(), match.end(), is_word=True)


def _unit_after(text: str, end: int) -> tuple[str, Decimal, tuple[str, ...]]:
    rest = text[end : end + 80].replace("per cent", "percent").replace("percentage point", "point")
    words = _FOLLOWING.match(rest)
    following = tuple(map(stem, _LETTERS.findall(words[0].casefold()))) if words else ()
    match = _UNIT.match(rest)
    if match is None:
        return "", Decimal(1), following
    written = match["unit"].replace(" ", "")
    ratio = match["ratio"]
    if ratio and (known_unit(written) or known_unit(ratio.replace("per", "", 1).strip(" /"))):
        name, factor = canonical_unit(written + ratio)
        return name, factor, following
    known = known_unit(written)
    # "a" and "A", "d" and "D" stand in prose too often to be units when a space parts them.
    if known is None or (len(written) == 1 and written in "Adxl" and match[0][0] == " "):
        return "", Decimal(1), following
    return known[0], known[1], following


def _share_units(quantities: list[Quantity], text: str) -> list[Quantity]:
    """In ``10-20 ms`` and ``between 10 and 20 ms`` the first number has the unit too."""
    shared = list(quantities)
    for place, (left, right) in reversed(list(enumerate(pairwise(quantities)))):
        right = shared[place + 1]
        if not left.unit and not left.is_word and _JOINED.fullmatch(text[left.end : right.start]):
            shared[place] = replace(
                left, unit=right.unit, factor=right.factor, following=right.following
            )
    return shared
