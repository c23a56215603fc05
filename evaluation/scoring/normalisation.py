"""Text as the rubric compares it: one form for what differs only in typography.

``clean`` keeps case (units need it: mW is not MW); ``stems`` is for comparing words.
"""

from __future__ import annotations

import re
import unicodedata

_STOP_WORDS = (
    "a about above after all also an and any are as at be because been being between both but by "
    "can could did do does during each for from further had has have he her his how if in into is "
    "it its just may me might more most my no nor not of off on only or other our out over own per "
    "she should so some such than that the their them then there these they this those through to "
    "too under until up upon use used uses using very was we were what when where whether which "
    "while who whom whose why will with within would you your"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())

_SUPERSCRIPTS = {
    ord(mark): plain for mark, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True)
}
_SUPERSCRIPT_RUN = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_FRACTIONS = {"½": ".5", "¼": ".25", "¾": ".75"}
_FRACTION = re.compile(r"(\d?)\s?([½¼¾])")
_GROUP_SPACE = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_TYPOGRAPHY = {
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": " - ", "\u2212": "-",
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00ad": "", "\u200b": "",
}  # fmt: skip
_LATEX_WRAP = re.compile(r"\\(?:text|mathrm|mathbf|mathit|operatorname)\s?\{([^{}]*)\}")
_LATEX_MARK = {
    "\\times": "×", "\\cdot": "×", "\\%": "%", "\\mu": "μ", "\\,": " ", "{,}": ",", "\\;": " ",
}  # fmt: skip
_THOUSANDS = re.compile(r"[,'_](?<=\d[,'_])(?<!\d{4}[,'_])(?=\d{3}(?!\d))")
# A dollar sign before a whole number is money; any other delimits LaTeX.
_MONEY = re.compile(r"\$(?=\d[\d.,]*+[kKMB]?(?![\w$\\^={]|\s?[×=<>]))")
_EMPHASIS = re.compile(r"\*(?!\s?\d)|(?<!\d)(?<!\d )\*")
_WORD = re.compile(r"[^\W\d_]+|\d+")


def clean(text: str) -> str:
    """Unicode NFKC with plain dashes, quotes and spaces, powers as ``^n``, thousands separators
    and the marks of Markdown and LaTeX gone. Case and line breaks stay."""
    if "\\" in text or "{," in text:
        text = _LATEX_WRAP.sub(r"\1", text)
        for mark, plain in _LATEX_MARK.items():
            text = text.replace(mark, plain)
    if not text.isascii():
        text = _plain_typography(text)
    text = _MONEY.sub("USD ", text).replace("**", "")
    if "*" in text:
        text = _EMPHASIS.sub("", text)
    return _THOUSANDS.sub("", text).replace("~", " ").replace("$", "").replace("`", "")


def _plain_typography(text: str) -> str:
    if any(mark in text for mark in "⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    if any(mark in text for mark in _FRACTIONS):
        text = _FRACTION.sub(lambda part: (part[1] or "0") + _FRACTIONS[part[2]], text)
    if any(mark in text for mark in "\u00a0\u2009\u202f"):
        text = _GROUP_SPACE.sub("", text)
    text = unicodedata.normalize("NFKC", text)
    for mark, plain in _TYPOGRAPHY.items():
        text = text.replace(mark, plain)
    return text


def stem(word: str) -> str:
    """Harman's weak S-stemmer: plural endings only, so that no two different words meet."""
    if len(word) > 3 and word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word


def stems(text: str) -> tuple[str, ...]:
    """Case-folded words without plural endings, split at hyphens and between letters and digits:
    ``GPT-4``, ``GPT 4`` and ``gpt4`` are the same two stems."""
    return tuple(stem(word) for word in _WORD.findall(clean(text).casefold()))


def content_stems(text: str) -> tuple[str, ...]:
    """Stems without stop words, in order, repeats kept."""
    words = _WORD.findall(clean(text).casefold())
    return tuple(stem(word) for word in words if word not in STOP_WORDS)


def contains_sequence(haystack: tuple[str, ...], needle: tuple[str, ...]) -> bool:
    """Whether ``needle`` stands in ``haystack`` as consecutive stems. An empty one never does."""
    return bool(needle) and f" {' '.join(needle)} " in f" {' '.join(haystack)} "
