"""Does the text of an answer give away which system wrote it?

Three things are looked for: the answer speaks of its own retrieval (``self-reference``), it carries
marks of the harness (``harness marker``), or it names a memory system, model or vendor (``name``).
What also stands in the question, its gold answer, facts or sources belongs to the topic: it is
counted and shown, and does not send a pair to review. Nor do phrases that every system's answers
share, such as "the context does not say" and bare citations like [3].

What cannot be hidden is said instead: the length and the style of an answer are visible to every
rater, and a system may be recognised by them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

SELF_REFERENCE, HARNESS_MARKER, NAME = "self-reference", "harness marker", "name"
_KINDS = (NAME, SELF_REFERENCE, HARNESS_MARKER)
LONGEST_QUOTE = 120
MOST_FINDINGS = 20
SCANNED_CHARS = 100_000

_UNITS = (
    r"chunk|edge|node|claim|fact|unit|triple|triplet|communit(?:y|ies)|entit(?:y|ies)|episode"
    r"|observation|passage|snippet|memor(?:y|ies)|page|doc(?:ument)?|session|segment|record"
)
_OWN_STORE = (
    r"chunks?|edges?|nodes?|claims?|triples?|triplets?|communit(?:y|ies)"
    r"|community (?:summar(?:y|ies)|reports?)|(?:knowledge |memory |entity )?graphs?"
    r"|wiki(?: pages?)?|index|embeddings?|vectors?"
    r"|memor(?:y|ies)|memory (?:store|bank|entr(?:y|ies)|notes?)|notebook"
)
_READ = r"context|passages?|excerpts?|documents?|snippets?|text|information|sources?|facts?"
_SPEAKS = (
    r"says?|states?|shows?|mentions?|tells?|contains?|indicates?|reports?|does not|do not"
    r"|doesn't|don't|lacks?|has no|have no|suggests?|confirms?"
)

_SELF = (
    re.compile(rf"\b(?:retrieved|recalled|returned|fetched)\s+(?:{_READ}|{_OWN_STORE})\b"),
    re.compile(
        rf"\b(?:provided|given|supplied|available|stored|my|our)\s+(?:{_OWN_STORE})\b"
        rf"(?!\s+(?:of|for)\s)"
    ),
    re.compile(rf"\b(?:the|this)\s+(?:{_OWN_STORE})\s+(?:{_SPEAKS})\b"),
    re.compile(
        r"\b(?:dense|hybrid|lexical|vector|semantic|keyword|graph)[\s-]+(?:retrieval|search)\b"
    ),
    re.compile(r"\b(?:retrieval|search)\s+(?:results?|hits?|system|step|returned|found)\b"),
    re.compile(
        r"\b(?:in|from|to|according to)\s+(?:my|the system's)\s+(?:memory|memories|notes)\b"
    ),
    re.compile(r"\bmemory system\b"),
)
_MARKERS = (
    re.compile(rf"[\[(<{{]\s*(?:{_UNITS})s?\s*[#:_-]?\s*\d+\s*[\])>}}]", re.IGNORECASE),
    re.compile(
        rf"\b(?:{_UNITS}|source|item|cell|variant|run)[_-](?:id|idx|index|no)\b", re.IGNORECASE
    ),
    re.compile(rf"\b(?:{_UNITS})\s*#\s*\d+\b", re.IGNORECASE),
    re.compile(r"\b(?:chunk|edge|node|triple|community|unit)\s+\d+\b", re.IGNORECASE),
    re.compile(r"\[[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\]"),
    re.compile(r"\[Session:\s*\d{4}", re.IGNORECASE),
    re.compile(r"<\|[a-z_]{2,20}\|>|</?(?:context|document|memory|chunk|think)>|===\s*context\s"),
    re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,64}\b"),
    re.compile(r"^\s*\[\d{1,4}\] [\w.:/#-]{3,80}\s*$", re.MULTILINE),
    re.compile(r" \[…\]"),
)
_SHARED = {
    "speaks of a context": re.compile(
        rf"\b(?:the|this|provided|given|supplied|above)\s+(?:{_READ})\b"
    ),
    "citations by number": re.compile(r"\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"),
}
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_INSIDE_A_WORD = re.compile(r"(?<=\w)[*~]+(?=\w)")
_PLAINER = str.maketrans("’\u2010\u2011\u2012\u2013\u2212", "'-----")
_ALSO_WORDS = frozenset(
    ("hindsight", "prism", "memos", "claude", "gemini", "raptor", "cohere", "static", "rubric",
     "typed", "substring", "letta", "zep")
)  # fmt: skip
"""Names that are also words or people: they count only where they are written with a capital."""
_ALSO_PHRASES = frozenset(("in-context", "base-model", "direct-read", "oracle-context"))
"""Names that are ordinary phrases where a space stands for the hyphen."""


@dataclass(frozen=True, slots=True)
class Finding:
    """``found`` is what was matched, ``quote`` some text around it. ``is_topic``: it also stands in
    the question, gold answer, facts or sources."""

    kind: str
    found: str
    quote: str
    times: int
    is_topic: bool

    @property
    def needs_review(self) -> bool:
        return not self.is_topic


@dataclass(frozen=True, slots=True)
class AnswerScan:
    """``shared``: how often phrases occur that answers of any system have."""

    findings: tuple[Finding, ...]
    shared: tuple[tuple[str, int], ...]

    @property
    def needs_review(self) -> bool:
        return any(finding.needs_review for finding in self.findings)


def scan_answer(
    text: str,
    *,
    names: frozenset[str],
    topic: str,
    sources: Callable[[], Iterable[str]] = tuple,
    item_ids: frozenset[str] = frozenset(),
) -> AnswerScan:
    """Scan one answer, its first 100,000 characters.

    ``names``: see ``identities.scanned_names``. ``topic``: the question's text, gold answer, facts
    and spans. ``sources`` gives the texts of the question's source items; it is only called when
    something was found. ``item_ids``: the ids of source items as headers of contexts show them;
    one of them in an answer is a harness marker. Invisible characters, other widths of letters
    and hyphens, case, entities and Markdown inside a word do not hide a name.
    """
    shown = _plain(text[:SCANNED_CHARS])
    lowered = shown.casefold()
    hits: dict[tuple[str, str], list[int]] = {}
    for kind, start, end in _hits(shown, lowered, names, item_ids):
        key = (kind, _squeezed(shown[start:end]).strip("[](){}<> "))
        hits.setdefault(key, [start, 0])[1] += 1
    belongs = _TopicTest(topic, sources)
    findings = [
        Finding(kind, found, _quote(shown, start), times, belongs(found))
        for (kind, found), (start, times) in hits.items()
    ]
    findings.sort(key=lambda one: (one.is_topic, _KINDS.index(one.kind), one.found))
    shared = ((name, len(pattern.findall(lowered))) for name, pattern in _SHARED.items())
    return AnswerScan(
        findings=tuple(findings[:MOST_FINDINGS]),
        shared=tuple((name, times) for name, times in shared if times),
    )


class _TopicTest:
    """Whether something stands in the topic; the sources are read once, and only if need be."""

    def __init__(self, topic: str, sources: Callable[[], Iterable[str]]) -> None:
        self.texts = [_bare(topic)]
        self.sources = sources
        self.has_sources = False

    def __call__(self, found: str) -> bool:
        wanted = _bare(found)
        if not wanted:
            return False
        pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        if pattern.search(self.texts[0]):
            return True
        if not self.has_sources:
            self.texts += [_bare(text) for text in self.sources()]
            self.has_sources = True
        return any(pattern.search(text) for text in self.texts[1:])


def _hits(
    shown: str, lowered: str, names: frozenset[str], item_ids: frozenset[str]
) -> Iterator[tuple[str, int, int]]:
    for pattern in _SELF:
        for match in pattern.finditer(lowered):
            yield SELF_REFERENCE, match.start(), match.end()
    for pattern in _MARKERS:
        for match in pattern.finditer(shown):
            yield HARNESS_MARKER, match.start(), match.end()
    for match in _names_pattern(names).finditer(lowered):
        found = shown[match.start() : match.end()]
        if found.casefold() not in _ALSO_WORDS or found != found.casefold():
            yield NAME, match.start(), match.end()
    if item_ids:
        for match in _ids_pattern(item_ids).finditer(shown):
            yield HARNESS_MARKER, match.start(), match.end()


@lru_cache(maxsize=8)
def _names_pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Any of the names as a whole word; hyphens, spaces and underscores are alike. What follows a
    model's name after a hyphen (gpt-4o-mini) does not hide it."""
    wordings = sorted({_wording(name.casefold()) for name in names if name.strip()})
    wordings.sort(key=len, reverse=True)
    return re.compile(rf"(?<![\w])(?:{'|'.join(wordings) or '(?!)'})(?![\w])")


def _wording(name: str) -> str:
    between = r"[_-]" if name in _ALSO_PHRASES else r"[\s_-]*"
    return between.join(re.escape(part) for part in re.split(r"[\s_-]+", name))


@lru_cache(maxsize=8)
def _ids_pattern(item_ids: frozenset[str]) -> re.Pattern[str]:
    """Ids that cannot be words: they hold a digit, and a letter or a separator."""
    telling = sorted(
        (one for one in item_ids if len(one) >= 4 and re.search(r"\d", one) and not one.isdigit()),
        key=len,
        reverse=True,
    )
    return re.compile(rf"(?<![\w])(?:{'|'.join(map(re.escape, telling)) or '(?!)'})(?![\w])")


def _plain(text: str) -> str:
    """As a reader sees it: entities and escapes of Markdown read, its marks inside a word and
    invisible characters gone, compatibility forms unified."""
    read = _ESCAPED.sub(r"\1", unescape(text))
    normal = unicodedata.normalize("NFKC", _INSIDE_A_WORD.sub("", read)).translate(_PLAINER)
    return "".join(char for char in normal if unicodedata.category(char) != "Cf")


def _bare(text: str) -> str:
    """For comparison: lower case, with one space for any run of spaces, hyphens, underscores."""
    return re.sub(r"[\s_-]+", " ", _plain(text).casefold()).strip()


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _quote(text: str, start: int) -> str:
    low = max(0, start - LONGEST_QUOTE // 3)
    return _squeezed(text[low : low + LONGEST_QUOTE])
