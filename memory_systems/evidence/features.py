"""What a claim is compared by: its words, names, quantities, polarity and cues."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memory_systems.lexical.stop_words import STOP_WORDS

_WORD = re.compile(r"[^\W_][\w'’-]*")
_NAME = re.compile(
    r"(?=\S*[a-z0-9])(?=\S*[A-Z])\w*(?:[a-z\d][A-Z]|[A-Z]{2}|[A-Za-z]\d|_)[\w-]*|\w+_\w+"
)
_CAPITALISED = re.compile(r"(?<=[a-z,;)] )[A-Z][a-z]{2,}\w*")
_QUANTITY = re.compile(
    r"(?<![\w.,-])([-−+]?\d[\d,]*(?:\.\d+)?)\s?(%|×|°\w?|[A-Za-zµμΩ][\w/^·²³]*)?"
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|fails?|failed|unable|lacks?|absence|absent)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?:increas\w+|rais(?:e|es|ed|ing)|ris(?:e|es|ing)|rose|gr(?:ow|ows|ew|owing)|improv\w+|"
    r"higher|greater|larger|faster|more|better|gain\w*|upregulat\w+|enhanc\w+|promot\w+)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:decreas\w+|reduc\w+|lower\w*|fall(?:s|ing)?|fell|drop\w*|declin\w+|shrink\w*|worse\w*|"
    r"smaller|slower|less|fewer|loss|degrad\w+|downregulat\w+|inhibit\w+|suppress\w+|impair\w+)\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:requir\w+|rel(?:y|ies|ied|ying) on|depend\w* (?:up)?on|needs?|needed|assum\w+|"
    r"given that|"
    r"builds? (?:up)?on|built (?:up)?on|based on|derived from|as long as|provided that|"
    r"only (?:if|when))\b",
    re.IGNORECASE,
)
_EXTENDS = re.compile(
    r"\b(?:extend\w*|extension|generali[sz]\w+|beyond|in addition|moreover|furthermore|also|"
    r"further|"
    r"outperform\w*|exceed\w*|compared (?:with|to)|unlike|in contrast|whereas|similar(?:ly)? to|"
    r"in line with|consistent with|confirm\w*|follow(?:s|ing)|previous\w*|earlier|recent\w*|"
    r"by analogy)\b",
    re.IGNORECASE,
)

IDENTIFIER = "#"


@dataclass(frozen=True, slots=True)
class Features:
    """``words``: stems of content words, numbers left out. ``quantities``: values by unit, the unit
    being the word after the number, empty for a decimal without one. A whole number without one
    names something ("layer 3"): its unit is IDENTIFIER. ``direction``: +1 up, -1 down, 0
    neither or both."""

    words: frozenset[str]
    names: frozenset[str]
    quantities: dict[str, frozenset[float]]
    is_negated: bool
    direction: int
    depends: bool
    extends: bool


def features_of(text: str) -> Features:
    """By rules of general English; the same text gives the same features."""
    quantities: dict[str, set[float]] = {}
    for found in _QUANTITY.finditer(text):
        value = _value(found[1])
        unit = _unit(found[2] or "")
        if not unit and "." not in found[1]:
            unit = IDENTIFIER
        quantities.setdefault(unit, set()).add(value)
    is_up, is_down = bool(_UP.search(text)), bool(_DOWN.search(text))
    names = {found[0].casefold() for found in _NAME.finditer(text)}
    names.update(found[0].casefold() for found in _CAPITALISED.finditer(text))
    return Features(
        words=words_of(text),
        names=frozenset(names),
        quantities={unit: frozenset(values) for unit, values in quantities.items()},
        is_negated=bool(_NEGATED.search(text)),
        direction=is_up - is_down,
        depends=bool(_DEPENDS.search(text)),
        extends=bool(_EXTENDS.search(text)),
    )


def words_of(text: str) -> frozenset[str]:
    """Stems of the text's content words of at least three letters, without numbers."""
    return frozenset(filter(None, map(_stem, _WORD.findall(text))))


def spelled_out(stem: str, texts: Iterable[str]) -> str:
    """The first word of the texts that has this stem, in lower case; the stem where none has."""
    for text in texts:
        for word in _WORD.findall(text):
            if _stem(word) == stem:
                return str(word.casefold())
    return stem


def _value(digits: str) -> float:
    try:
        return float(digits.replace(",", "").replace("−", "-"))
    except ValueError:
        return 0.0


def _unit(word: str) -> str:
    folded = word.casefold()
    return "" if folded in STOP_WORDS else folded.removesuffix("s") if len(folded) > 3 else folded


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """Empty for what carries no subject. Common endings gone, so that "measured" is "measures"."""
    folded = word.casefold().replace("’", "'").removesuffix("'s")
    if len(folded) < 3 or folded in STOP_WORDS or not any(map(str.isalpha, folded[:2])):
        return ""
    for ending in ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s"):
        if folded.endswith(ending) and len(folded) - len(ending) >= 4:
            return folded[: -len(ending)]
    return folded.removesuffix("e") if len(folded) > 4 else folded
