"""Reading the Markdown question files of a scientific-recall benchmark: blocks and fields.

A question's block begins at its id (``PQ4``, ``TX17``) in a heading, in bold, as a list item or
alone before a ``:``, ``.``, ``)``, ``|`` or dash, and ends at the next id or tier heading. Fields
are labels with a colon, at a line's start or after ``|``; a label may be bold or a heading, and
then needs no colon when it has a line of its own. Labels indented deeper than the others belong
to a field's own list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

TYPES = (
    "factual", "mechanistic", "quantitative", "enumeration", "conditional", "cross-document",
    "negative", "synthesis",
)  # fmt: skip

_ID = r"[A-Z]{2,5}-?\d{1,4}"
_BLOCK = re.compile(
    rf"^(?P<mark>[ \t]*(?:#{{1,6}}[ \t]+|[-*+][ \t]+|\|[ \t]*|\d+[.)][ \t]+)?(?:\*\*|__)?\[?)"
    rf"(?P<id>{_ID})(?=(?P<after>\]?(?:\*\*|__)?[ \t]*(?:[:.)|(—–-]|$)|[ \t]))",
    re.MULTILINE,
)
_TIER_HEADING = re.compile(r"^#{1,6}[ \t]+.*?\b(?P<tier>L[123])\b.*$", re.MULTILINE)
_TIER = re.compile(r"\bL([123])\b")
_TIER_WORDS = {"easy": "L1", "medium": "L2", "moderate": "L2", "hard": "L3", "difficult": "L3"}
_TYPE_SEPARATOR = re.compile(r"\s*(?:\+|,|;|/|&|\band\b)\s*")
_TYPE_ALIASES = {
    "cross document": "cross-document", "cross-doc": "cross-document",
    "cross-paper": "cross-document", "numeric": "quantitative", "numerical": "quantitative",
    "mechanism": "mechanistic", "fact": "factual", "list": "enumeration",
}  # fmt: skip
_AFTER_ID = " \t\r\n]*_.:)|—–-"
_POINTER = re.compile(r"(?:#|\bnote\s+|\[)\s*(\d{1,4})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one question. ``line`` is where it begins (from 1); ``tier`` is that of the
    heading it stands under, or empty."""

    question_id: str
    line: int
    tier: str
    text: str


def read_blocks(markdown: str, *, known_ids: Iterable[str] | None = None) -> list[Block]:
    """The blocks of a file, in order. With ``known_ids`` only those begin a block; without, an id
    must stand in a heading, in bold or before a separator to begin one."""
    known = None if known_ids is None else set(known_ids)
    starts = [match for match in _BLOCK.finditer(markdown) if _begins(match, known)]
    tiers = list(_TIER_HEADING.finditer(markdown))
    blocks = []
    for index, match in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(markdown)
        end = min([end, *(tier.start() for tier in tiers if tier.start() > match.end())])
        before = [tier["tier"] for tier in tiers if tier.start() < match.start()]
        line = markdown.count("\n", 0, match.start()) + 1
        blocks.append(
            Block(match["id"], line, before[-1] if before else "", markdown[match.end() : end])
        )
    return blocks


def _begins(match: re.Match[str], known: set[str] | None) -> bool:
    if known is not None:
        return match["id"] in known
    return "#" in match["mark"] or match["after"].strip() != ""


def read_fields(text: str, labels: Mapping[str, str]) -> dict[str, str]:
    """The labelled fields of a block: ``labels`` maps each label, in lower case, to the field's
    name. A value runs to the next known label; the first of several values of a field counts.
    What stands before the first label is the field ``""``, where it is not empty."""
    body = text.lstrip(_AFTER_ID)
    alternatives = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    pattern = re.compile(
        rf"(?P<at>^|\|)(?P<mark>[ \t]*(?:[-*+>][ \t]+|#{{1,6}}[ \t]+)*(?:\*\*|__)?)"
        rf"(?P<label>{alternatives})(?:[ \t]*\([^)\n]*\))?(?:\*\*|__)?"
        r"[ \t]*(?P<colon>:|$)(?:\*\*|__)?",
        re.IGNORECASE | re.MULTILINE,
    )
    found = [
        match
        for match in pattern.finditer(body)
        if match["colon"] or any(sign in match["mark"] for sign in ("#", "**", "__"))
    ]
    depths = [_depth(match) for match in found if match["at"] == "" and match.start() > 0]
    top = min(depths, default=0)
    found = [m for m in found if m["at"] or m.start() == 0 or _depth(m) == top]
    fields: dict[str, str] = {}
    first = body[: found[0].start()] if found else body
    if first.strip():
        fields[""] = first.strip()
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(body)
        name = labels[match["label"].casefold()]
        fields.setdefault(name, body[match.end() : end].strip("\n").rstrip(" |\t\n"))
    return fields


def _depth(match: re.Match[str]) -> int:
    mark = match["mark"].expandtabs(4)
    return len(mark) - len(mark.lstrip())


def read_tier(difficulty: str, heading_tier: str) -> str:
    """L1, L2 or L3 from the Difficulty field, else from the heading; empty where neither says."""
    if match := _TIER.search(difficulty):
        return f"L{match.group(1)}"
    for word in re.findall(r"[a-z]+", difficulty.casefold()):
        if word in _TIER_WORDS:
            return _TIER_WORDS[word]
    return heading_tier


def read_types(text: str) -> tuple[list[str], list[str]]:
    """The question's types, and what stands there that is none of the eight."""
    types: list[str] = []
    unknown: list[str] = []
    for word in _TYPE_SEPARATOR.split(plain(text).casefold().rstrip(".")):
        name = _TYPE_ALIASES.get(word, word)
        name = "cross-document" if name.startswith("cross-document") else name
        if name in TYPES and name not in types:
            types.append(name)
        elif name and name not in TYPES:
            unknown.append(name)
    return types, unknown


def read_pointers(text: str) -> list[int]:
    """The document numbers a text points to (``#15 Hindsight, [19]``), each once, in order."""
    return list(dict.fromkeys(int(number) for number in _POINTER.findall(text)))


def plain(text: str) -> str:
    """One line without emphasis marks and without quotation marks around the whole."""
    line = " ".join(text.replace("**", "").replace("__", "").split()).strip()
    if len(line) > 1 and (line[0], line[-1]) in {('"', '"'), ("“", "”")}:
        return line[1:-1].strip()
    return line
