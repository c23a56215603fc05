"""Keys for facts that come without any: what an answer must contain to meet them exactly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

from evaluation.records import Key

MAX_ANSWER_TERM_WORDS = 8
MAX_STATEMENT_TERM_WORDS = 4
MAX_NUMBERS = 6
MAX_NUMBER_DIGITS = 15
MAX_TERMS = 5

_WORD = re.compile(r"[^\W_]+(?:[-'’./+][^\W_]+)*")
_NUMBER = re.compile(
    r"(?<![\w.,^])(?<![^\W\d_][-−‐–])[-−]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?"
    r"(?![.,]\d|\^|\s?[×x*]\s?10)"
    r"(?:([kKMBT])(?![\w/])|(?!\w)(?:[\s-]((?i:hundred|thousand|million|billion|trillion))\b)?)"
    r"\s*\\?(%|(?i:percent|per cent)\b)?"
)
_SCALE_ZEROS = {
    "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12,
    "k": 3, "K": 3, "M": 6, "B": 9, "T": 12,
}  # fmt: skip
_SCALED = re.compile(r"\d+(?:\.\d+)?[kKMBT]")
_MARK = re.compile(r"\[\s*\d+(?:\s*[-–,;]\s*\d+)*\s*\]|\(\d{1,2}\)(?=\s)")
_EDGES = " \t\r\n.,;:!?\"'“”‘’()[]{}*_"
_ARTICLES = ("the ", "a ", "an ")
_FUNCTION_WORDS = (
    "about above after again against all also although among and any are around because been "
    "before being below between both but can could did does doing done down during each either "
    "few for from further had has have having her here hers him his how however into its itself "
    "just least less many may might more most much must near neither nor not now off once one "
    "only onto other our ours out over own per rather same she should since some still such "
    "than that the their theirs them then there these they this those three through thus too "
    "two under until upon very via was well were what when where whether which while who whom "
    "whose why will with within without would yet you your yours"
)
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())


class WordRarity:
    """In how many of the documents each word stands; a word of none is the rarest."""

    def __init__(self, documents: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        for text in documents:
            self._counts.update({word.casefold() for word in _WORD.findall(text)})

    def n_documents_with(self, word: str) -> int:
        return self._counts[word.casefold()]


def number_keys(text: str) -> tuple[Key, ...]:
    """The quantities of a text in order, each once, at most MAX_NUMBERS.

    A number inside a name (IL-6, H1N1, COVID-19), a power, a bracketed citation and the mark of
    a list "(1)" are none.
    "3.5 million" is 3500000, "19K" 19000. Only the per cent sign is kept as a unit: other units
    are words, and words are terms. A dash counts as a sign only where it cannot join a range or a
    name. Digits beyond MAX_NUMBER_DIGITS are an identifier, no quantity. Tolerance is 0.
    """
    keys: dict[tuple[str, str], Key] = {}
    for match in _NUMBER.finditer(_MARK.sub(" ", text)):
        whole, fraction, letter, word, percent = match.groups()
        value = Decimal(whole.replace(",", "") + (fraction or ""))
        if scale := letter or (word or "").casefold():
            value = value.scaleb(_SCALE_ZEROS[scale])
        sign = "-" if match.group()[0] in "-−" else ""
        if len(value.as_tuple().digits) > MAX_NUMBER_DIGITS:
            continue
        digits, unit = f"{sign}{value:f}", "%" if percent else ""
        keys.setdefault((digits, unit), Key("number", digits, unit))
    return tuple(keys.values())[:MAX_NUMBERS]


def derive_keys(
    text: str,
    rarity: WordRarity,
    *,
    aliases: Sequence[str] = (),
    max_whole_words: int = MAX_ANSWER_TERM_WORDS,
) -> tuple[Key, ...]:
    """Keys of an answer or a statement, from its own words alone.

    A text of at most ``max_whole_words`` words without a number is one term: the whole text
    without a leading article or outer punctuation, with ``aliases`` (other right answers, treated
    alike). Any other is its numbers and its MAX_TERMS most distinctive content words: those that
    stand in the fewest documents (earlier first where equal), given in text order. Aliases of such
    a text have no key to belong to and are left out. The limit is MAX_ANSWER_TERM_WORDS for
    answers, which are repeated as they are, and MAX_STATEMENT_TERM_WORDS for must-have facts in
    sentences, which are put in other words. A text without letter or digit gives no key.
    """
    whole = _trimmed(text)
    numbers = number_keys(text)
    if not _WORD.search(whole):
        return ()
    if not numbers and len(whole.split()) <= max_whole_words:
        others = dict.fromkeys(_trimmed(alias) for alias in aliases)
        return (Key("term", whole, aliases=tuple(a for a in others if a and a != whole)),)
    terms = _distinctive_words(text, rarity)
    if not numbers and not terms:
        return (Key("term", whole),)
    return (*numbers, *(Key("term", term) for term in terms))


def _distinctive_words(text: str, rarity: WordRarity) -> list[str]:
    words: dict[str, str] = {}
    for word in _WORD.findall(_MARK.sub(" ", text)):
        if _is_content(word):
            words.setdefault(word.casefold(), word)
    ranked = sorted(words, key=rarity.n_documents_with)[:MAX_TERMS]
    return [word for folded, word in words.items() if folded in ranked]


def statement_keys(text: str, rarity: WordRarity) -> tuple[Key, ...]:
    """Keys of a must-have fact in a sentence of the benchmark's own."""
    return derive_keys(text, rarity, max_whole_words=MAX_STATEMENT_TERM_WORDS)


def _is_content(word: str) -> bool:
    if _SCALED.fullmatch(word) or not any(character.isalpha() for character in word):
        return False
    is_name = any(character.isupper() or character.isdigit() for character in word[1:])
    return is_name or (len(word) >= 3 and word.casefold() not in _STOP_WORDS)


def _trimmed(text: str) -> str:
    whole = " ".join(text.split()).strip(_EDGES)
    for article in _ARTICLES:
        if whole.casefold().startswith(article):
            return whole[len(article) :].strip(_EDGES)
    return whole
