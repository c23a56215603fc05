"""What an answer asserts, clause by clause, and where it says that a thing is not told."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.scoring.normalisation import clean, content_stems

_TELL = (
    r"(?:report|mention|stat(?:e|es|ed|ing)\b|specif(?:y|ies|ied)|provid|giv(?:e|es|en|ing)\b"
    r"|tell|told\b|disclos|describ|indicat|say|said\b|address|discuss|quantif|publish|reveal"
    r"|document(?:ed|s)?\b)"
)
# These verbs are about telling only where a source is the subject or knowledge the object.
_STUDIED = (
    r"(?:measur|evaluat|assess|record|examin|stud(?:y|ied)|investigat|consider|explor|test|analy[sz]"
    r"|collect|quantif|track)"
)
_HOLD = (
    rf"(?:contain|includ|cover|offer|list(?:s|ed)?\b|present(?:s|ed)?\b|find|found\b|{_STUDIED})"
)
_SOURCE = (
    r"\b(?:contexts?|texts?|papers?|documents?|sources?|excerpts?|passages?|authors?|stud(?:y|ies)"
    r"|articles?|we|information|provided|memory|conversations?|sessions?)\b"
)
_NOT = r"(?:\b(?:not|never|neither|nor|without|cannot|fails? to)|n't)\b(?:\s+\w+){0,3}?\s+"
_STATES_UNKNOWN = r"(?:unreported|unspecified|undisclosed|unstated|unknown|unclear|unanswerable)"
_NOT_TOLD = re.compile(
    rf"{_NOT}{_TELL}|{_SOURCE}.{{0,80}}?{_NOT}{_HOLD}|{_NOT}{_HOLD}.{{0,80}}?{_SOURCE}"
    rf"|\b(?:is|are|was|were|been|be)(?:\s+not|n't)\s+(?:\w+\s+){{0,2}}?{_STUDIED}\w*ed\b"
    r"|\b(?:left (?:for|to) future|(?:out of|outside|beyond) (?:the |our )?scope)\b"
    r"|(?:\bnot|n't)\s+(?:\w+\s+)?(?:available|known|answered|determined|inferred|clear)\b"
    rf"|{_NOT}(?:be\s+)?(?:determin|infer|answer|locate)\w*.{{0,80}}?{_SOURCE}"
    r"|\bno\s+(?:\w+\s+)?(?:information|mention|data|report|figure|value|detail|evidence"
    r"|measurement|number|statement)s?\b"
    r"|\b(?:insufficient|not enough|lacks?)\s+(?:\w+\s+)?(?:information|context|data|detail)"
    r"|\bnothing\s+(?:\w+\s+){0,3}?(?:about|on|regarding)\b"
    rf"|\b(?:is|are|was|were|remains?|left)\s+(?:\w+\s+)?{_STATES_UNKNOWN}\b"
    rf"|^\W*{_STATES_UNKNOWN}\W*$"
)
_STOCK_REFUSAL = re.compile(
    r"\b(?:i|we)\s+(?:\w+\s+)?(?:do not|don't|cannot|can ?not|can't|could not|couldn't"
    r"|(?:am|are) (?:unable|not able) to)\s+(?:\w+\s+)?"
    r"(?:know|answer|help|assist|determine|tell|say|find|provide|confirm|access)\b"
    r"|\b(?:unable|not able) to (?:answer|help|assist|provide|determine|tell)"
    r"|\b(?:cannot|can't) (?:answer|help|assist|determine|tell|say)\b"
    r"|\bas an ai\b|\bi'm (?:sorry|unable|not able|afraid)\b|\bi am (?:sorry|afraid)\b|^\W*sorry\b"
    r"|^\W*(?:no answer|n/a|none|null|idk|unsure|not sure)\W*$"
)
_CLAUSE_END = re.compile(
    r"(?<=[.!?])\s+|\n+|;\s+|,?\s+\b(?:but|however|though|although|whereas)\b,?\s+"
)
_BLANKS = re.compile(r"[^\S\n]+")
# What a sentence about the source itself is made of: it is about the question, whatever that is.
_ABOUT_SOURCE = frozenset(
    content_stems(
        "context text paper document source excerpt passage author study article work information "
        "question answer provided given available retrieved report mention state specify provide "
        "give tell disclose describe indicate contain include say find known determine value "
        "figure number detail data evidence explicitly directly unknown unreported unspecified "
        "enough"
    )
)


@dataclass(frozen=True, slots=True)
class Assertions:
    """A text taken apart. ``clauses`` are cleaned; ``told`` are those that assert something,
    ``not_told`` those that say a thing is not reported; stock refusals are neither."""

    clauses: tuple[str, ...]
    told: tuple[str, ...]
    not_told: tuple[str, ...]

    @property
    def is_refusal(self) -> bool:
        """Whether nothing is asserted: every clause with content refuses or says that a thing is
        not reported."""
        return bool(self.clauses) and not any(content_stems(clause) for clause in self.told)


def read_assertions(text: str) -> Assertions:
    # Runs of blanks are made one: the patterns below would try every part of a run.
    text = _BLANKS.sub(" ", clean(text))
    clauses = tuple(part.strip() for part in _CLAUSE_END.split(text) if part.strip())
    told: list[str] = []
    not_told: list[str] = []
    for clause in clauses:
        if says_not_told(clause):
            not_told.append(clause)
        elif not _STOCK_REFUSAL.search(clause.casefold()):
            told.append(clause)
    return Assertions(clauses, tuple(told), tuple(not_told))


def says_not_told(clause: str) -> bool:
    """Whether the clause says that something is not reported, stated, given or known."""
    return bool(_NOT_TOLD.search(_BLANKS.sub(" ", clean(clause)).casefold()))


def denies_that_it_is_told(assertions: Assertions, question_text: str, gold_answer: str) -> bool:
    """Whether the answer says of the thing asked, and not of another, that it is not reported:
    the clause shares a content word with the question or speaks of nothing but the source."""
    asked = set(content_stems(question_text)) | set(content_stems(gold_answer))
    for clause in assertions.not_told:
        own = set(content_stems(clause)) - _ABOUT_SOURCE
        if not own or own & (asked - _ABOUT_SOURCE):
            return True
    return False
