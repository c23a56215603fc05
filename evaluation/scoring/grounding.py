"""Whether the numbers and names of an answer come from anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from evaluation.scoring.normalisation import STOP_WORDS, clean
from evaluation.scoring.quantities import Quantity, is_rounding_of, read_quantities, read_values
from evaluation.scoring.units import factors_of, known_unit

# An answer that lists more than this is judged on the first ones, so that time stays bounded.
MAX_ITEMS = 200
_NAME = re.compile(r"[^\W_][\w'.+-]*[^\W_]|[^\W_]")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s|\n)[\s\-#>|(\"'\d.)]*$")


@dataclass(frozen=True, slots=True)
class Grounding:
    """Of ``n_items`` distinct numbers and names, those that neither context nor gold holds."""

    n_items: int
    ungrounded: tuple[str, ...]


def check_grounding(
    answer_text: str, *, context_text: str, gold_text: str, question_text: str
) -> Grounding:
    """What the question itself names is not asserted by the answer and not counted. Number words
    are not counted either: "one" and "two" stand in any prose."""
    sources = [_read_source(context_text), _read_source(gold_text)]
    asked = _read_source(question_text)
    items: dict[str, bool] = {}
    for number in read_quantities(answer_text):
        if not number.is_word and not asked.has_number(number.value):
            label = f"{number.value.normalize():f}"
            items[label] = any(
                source.has_number(form) for source in sources for form in _converted(number)
            )
    for name in names_in(answer_text):
        if not asked.has_name(name):
            items[name] = any(source.has_name(name) for source in sources)
    kept = list(items.items())[:MAX_ITEMS]
    return Grounding(len(kept), tuple(label for label, is_grounded in kept if not is_grounded))


def names_in(text: str) -> list[str]:
    """Names as written: words with an inner capital or a digit, and capitalised words inside a
    sentence. The first word of a sentence counts only when its form alone makes it a name."""
    text = clean(text)
    names: dict[str, None] = {}
    for match in _NAME.finditer(text):
        word = match[0].removesuffix("'s")
        letters = [letter for letter in word if letter.isalpha()]
        if not word[0].isalpha() or word.casefold() in STOP_WORDS or known_unit(word):
            continue
        has_digit = any(letter.isdigit() for letter in word)
        if has_digit or (len(letters) > 1 and any(letter.isupper() for letter in letters[1:])):
            names[word] = None
        elif len(word) > 2 and word[0].isupper():
            before = text[max(0, match.start() - 12) : match.start()]
            if not _SENTENCE_START.search(before) and match.start() > 0:
                names[word] = None
    return list(names)


def _converted(number: Quantity) -> set[Decimal]:
    """The value as written and in the other units of its kind: 0.0125 s is 12.5 ms."""
    factors = factors_of(number.unit) if number.unit else ()
    return {number.value, *(number.base_value / factor for factor in factors)}


class _Source:
    """A text made searchable for names and numbers; the costly readings are made on demand."""

    def __init__(self, text: str) -> None:
        self._clean = clean(text)
        self._folded = self._clean.casefold()
        self._values: frozenset[Decimal] | None = None

    def has_number(self, value: Decimal) -> bool:
        if self._values is None:
            self._values = read_values(self._clean)
        value = abs(value)
        # 0.43 in one place and 43 % in the other are the same share.
        forms = {value, value * 100} if value < 1 else {value, value / 100}
        return bool(forms & self._values) or any(is_rounding_of(value, one) for one in self._values)

    def has_name(self, name: str) -> bool:
        folded = name.casefold()
        forms = {
            folded,
            folded.replace("-", " "),
            folded.replace("-", ""),
            folded.removesuffix("s"),
        }
        return any(self._stands_alone(form) for form in forms if form)

    def _stands_alone(self, form: str) -> bool:
        at = self._folded.find(form)
        while at >= 0:
            end = at + len(form)
            after = self._folded[end : end + 2]
            starts = at == 0 or not self._folded[at - 1].isalnum()
            ends = not after[:1].isalnum() or (after[:1] == "s" and not after[1:].isalnum())
            if starts and ends:
                return True
            at = self._folded.find(form, at + 1)
        return False


@lru_cache(maxsize=8)
def _read_source(text: str) -> _Source:
    return _Source(text)
