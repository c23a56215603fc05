"""The one lexical tokenizer. Its name is part of a variant's key: rename it when it changes.

1. Unicode NFKC, so that ligatures, full-width and mathematical letters become plain ones.
2. Tokens are runs of letters and digits, joined across inner hyphens, dots, slashes,
   underscores, plus signs, colons and apostrophes; a possessive 's is dropped.
3. A joined token gives its parts *and* its whole without the joiners, so that
   ``Flash-Attention-2``, ``FlashAttention2`` and ``flash attention`` meet. A camel-case word
   gives its whole and its parts of at least three letters (``GraphRAG``: graphrag, graph, rag).
   Numbers stay whole: ``1,024`` is 1024, ``0.85`` is 0.85; ``10-20`` is 10 and 20.
4. Case folding; English function words are dropped; a plain English word and its regular plural
   become one term (in the spirit of Harman's S-stemmer, JASIS 1991).
5. Runs of Chinese, Japanese or Korean characters give their pairs of neighbours.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memory_systems.lexical.stop_words import STOP_WORDS

TOKENIZER_NAME = "memjury-lex-1"

_HYPHENS = r"\-\u2010\u2011\u2012\u2013\u2212"
_JOINERS = rf"_./+:'\u2019{_HYPHENS}"
_TOKEN = re.compile(
    rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|[^\W_]+(?:[{_JOINERS}][^\W_]+)*",
)
_POSSESSIVE = re.compile(r"['\u2019][sS]$")
_STRONG_JOINER = re.compile(rf"[_/+:'\u2019{_HYPHENS}]")
_DOTTED_NUMBER = re.compile(r"[vV]?\d+(?:\.\d+)+[^\W\d_]*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ACRONYM_PLURAL = re.compile(r"[A-Z]{2,}s")
_PLAIN = re.compile(r"[a-z]+")
_IDEOGRAPHS = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def tokenize(text: str) -> list[str]:
    """The text's terms in order, repeats kept. Any Unicode; an empty text has none."""
    terms: list[str] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        terms.extend(_terms(match.group()))
    return terms


@lru_cache(maxsize=1 << 16)
def _terms(token: str) -> tuple[str, ...]:
    token = _POSSESSIVE.sub("", token)
    if "," in token:
        return (token.replace(",", ""),)
    pieces = [piece for part in _STRONG_JOINER.split(token) for piece in _split_dots(part)]
    parts: list[str] = []
    for piece in pieces:
        parts.extend(_word_terms(piece))
    if len(pieces) > 1 and not all(piece[0].isdigit() for piece in pieces):
        parts = [part for part in parts if len(part) > 1 or part.isdigit()]
        parts.insert(0, _singular("".join(pieces).casefold()))
    return tuple(part for part in parts if part not in STOP_WORDS)


def _split_dots(part: str) -> list[str]:
    """Dots hold numbers and versions together and part everything else."""
    return (
        [part] if _DOTTED_NUMBER.fullmatch(part) else [piece for piece in part.split(".") if piece]
    )


def _word_terms(word: str) -> list[str]:
    if _IDEOGRAPHS.search(word):
        return _neighbour_pairs(word)
    if _ACRONYM_PLURAL.fullmatch(word):
        return [word[:-1].casefold()]
    whole = word.casefold()
    if whole in STOP_WORDS:
        return []
    camel = _CAMEL.split(word)
    if len(camel) > 1 and all(len(part) >= 3 for part in camel):
        return [_singular(whole), *(_singular(part.casefold()) for part in camel)]
    return [_singular(whole)]


def _neighbour_pairs(word: str) -> list[str]:
    terms = [term.casefold() for term in _IDEOGRAPHS.split(word) if term]
    for match in _IDEOGRAPHS.finditer(word):
        run = match.group()
        terms.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    return terms


def _singular(word: str) -> str:
    """The form that a plain word and its regular plural share: ``cases`` and ``case`` are cas,
    ``viruses`` virus, ``hypotheses`` and ``hypothesis`` hypothes, ``studies`` study."""
    if len(word) < 3 or not _PLAIN.fullmatch(word):
        return word
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith(("se", "xe", "ze", "che", "she")):
        return word[:-1]
    if word.endswith("sis") and len(word) > 5:
        return word[:-2]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("us", "ss", "is")):
        return word
    return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
