"""The five extraction passes by rule: numbers, mechanisms, failures, conditions, tables.

The cues are words of scientific English in general. A sentence that several passes find is one
claim with several aspects. Sentences without any cue are not kept: that loss is the price of a
compact memory, and is measured like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_systems.evidence.claims import MAX_CLAIM_CHARS, Aspect, Claim
from memory_systems.evidence.sections import Section, sections_of
from memory_systems.evidence.sentences import Sentence, sentences_of
from memory_systems.evidence.tables import table_claims

_REFERENCE = (
    r"(?:Fig(?:ure|s)?|Tab(?:le|les)?|Sec(?:tion|s)?|Eq(?:uation|s)?|Chapter|Appendix|Algorithm|"
    r"Step|Ref|Supplementary|Version)\.?\s*\(?"
)
_NUMBERS = re.compile(
    r"(?<![\w.,-])(?!(?:19|20)\d\d\b(?!\s?[%°]))"
    r"\d[\d,]*(?:\.\d+)?(?:\s?(?:%|×|±|°|[-–]fold\b)|\s?[A-Za-zµμΩ]|[.,;:)]|$)"
)
_REFERRED = re.compile(rf"{_REFERENCE}\d[\w.]*(?:\s*(?:and|,|-|–)\s*\d[\w.]*)*", re.IGNORECASE)
_CITED = re.compile(r"\[[\d,;\s–-]+\]|\(\d{4}[a-z]?\)|10\.\d{4,}/\S+|https?://\S+")
_MECHANISMS = re.compile(
    r"\b(?:because|due to|owing to|thanks to|so that|thereby|therefore|thus|hence|consequently|"
    r"as a (?:result|consequence)|in order to|by means of|by [a-z]+ing|(?:lead|leads|led|"
    r"leading) to|"
    r"(?:result|results|resulted|resulting) (?:in|from)|(?:give|gives|gave) rise to|"
    r"(?:cause|enable|allow|prevent|trigger|induce|mediate|regulate|activate|inhibit|suppress|"
    r"stimulate|modulate|govern|drive)(?:s|d|ed)|(?:consist|comprise|combine|compose|employ|"
    r"replace|select|map|encode|compute|transform|convert|store|retrieve|update|remove|merge|split|"
    r"generate|transmit|reduce|increase|decrease|raise|lower|improve|extend|widen|express|secrete|"
    r"target|recogni[sz]e|catalyse|catalyze)(?:s|es)|binds?(?: to)?|bound to|composed of|made of|"
    r"(?:is|are|was|were) (?:driven|caused|formed|based|derived|explained|responsible|associated|"
    r"involved|required|mediated|induced|regulated|defined)|responsible for|works? by|"
    r"acts? (?:as|by|on)|role (?:of|in)|mechanisms?|pathways?|explain(?:s|ed)?|explanation)\b",
    re.IGNORECASE,
)
_FAILURES = re.compile(
    r"\b(?:fail(?:s|ed|ing|ure|ures)?|cannot|can't|could not|unable|inabilit\w+|(?:does|do|"
    r"did) not|"
    r"(?:does|do|did)n['’]t|no longer|no (?:significant|effect|evidence|difference|improvement|"
    r"change|benefit|association|data|measurable)|limitations?|drawbacks?|shortcomings?|"
    r"weakness\w*|"
    r"break(?:s|ing)? down|crash\w*|collaps\w+|degrad\w+|deteriorat\w+|diverge[sd]?|unstable|"
    r"instabilit\w+|worse(?:n\w*)?|errors?|incorrect\w*|unreliable|insufficient\w*|inadequate\w*|"
    r"lack(?:s|ed|ing)?|absen(?:t|ce)|adverse|toxic\w*|resistan(?:t|ce)|ineffective\w*|"
    r"inconclusive|unclear|unknown|remains? to be|not (?:yet|reported|measured|tested|known|found|"
    r"observed|detected|available|clear|significant\w*)|unsuccessful\w*|overfit\w*|"
    r"bottleneck\w*|mortality|fatal\w*)\b",
    re.IGNORECASE,
)
_CONDITIONS = re.compile(
    r"\b(?:when(?:ever)?|if|unless|provided (?:that|it|they|the)|as (?:long|soon) as|only (?:if|"
    r"when|"
    r"after|before|for|in|under|with|at|where)|except (?:for|in|when|where|that)|"
    r"in (?:the )?(?:case|"
    r"presence|absence|event) of|under|at (?:least|most|room|low|high|\d+)|"
    r"(?:above|below|beyond|over|exceeding|up to|more than|less than|fewer than|greater than|"
    r"within) "
    r"(?:a |an |about |some )?(?:\d+|threshold|limit)|depend(?:s|ed|ing)? (?:up)?on|dependent on|"
    r"threshold\w*|limited to|restricted to|regardless of|irrespective of|assum(?:es|ed|ing)|"
    r"given that|in (?:patients|children|adults|mice|cells|vitro|vivo))\b",
    re.IGNORECASE,
)
_ANAPHORIC = re.compile(
    r"(?:It|Its|They|Their|Them|This|That|These|Those|Such|Both|He|She|Here|There|However|But|"
    r"Moreover|Furthermore|Therefore|Thus|Hence|Otherwise|Instead|Conversely|Nevertheless|"
    r"In contrast|As a (?:result|consequence)|Consequently|The (?:former|latter|same|other))\b"
)
# A table's caption goes with its rows.
_CAPTION = re.compile(r"\W{0,2}Table\s\w{1,4}[.:]")
_MAX_ANTECEDENTS = 2
_LEAST_CHARS = 20


def extract_by_rule(text: str) -> list[Claim]:
    """All five passes over a text, in order of place. A text in which none finds anything is kept
    as its sentences, with the aspect ``passage``."""
    claims: list[Claim] = []
    for section in sections_of(text):
        sentences = list(sentences_of(text, section.start, section.end))
        claims += _sentence_claims(text, section, sentences)
        claims += table_claims(text, section.start, section.end, heading=section.heading)
    claims.sort(key=lambda claim: (claim.start, claim.end))
    return claims or _kept_whole(text)


def aspects_of(sentence: str) -> tuple[Aspect, ...]:
    """Which of the four passes over sentences find something in it."""
    bare = _CITED.sub(" ", _REFERRED.sub(" ", sentence))
    found: list[Aspect] = []
    if _NUMBERS.search(bare):
        found.append("numbers")
    if _MECHANISMS.search(bare):
        found.append("mechanisms")
    if _FAILURES.search(bare):
        found.append("failures")
    if _CONDITIONS.search(bare):
        found.append("conditions")
    return tuple(found)


def _sentence_claims(text: str, section: Section, sentences: Sequence[Sentence]) -> list[Claim]:
    claims = []
    for place, sentence in enumerate(sentences):
        told = text[sentence.start : sentence.end]
        if len(told) < _LEAST_CHARS or _CAPTION.match(told):
            continue
        aspects = aspects_of(told)
        if aspects:
            start = _readable_from(text, sentences, place)
            claims.append(
                Claim(text[start : sentence.end], start, sentence.end, aspects, section.heading)
            )
    return claims


def _readable_from(text: str, sentences: Sequence[Sentence], place: int) -> int:
    """Where to begin so that a sentence that points back can be read alone: with the one or two
    before it in its paragraph, as far as a claim may be long."""
    first = place
    while (
        place - first < _MAX_ANTECEDENTS
        and not sentences[first].is_first
        and _ANAPHORIC.match(text, sentences[first].start)
        and sentences[place].end - sentences[first - 1].start <= MAX_CLAIM_CHARS
    ):
        first -= 1
    return sentences[first].start


def _kept_whole(text: str) -> list[Claim]:
    return [
        Claim(text[one.start : one.end], one.start, one.end, ("passage",))
        for one in sentences_of(text, 0, len(text))
    ]
