"""Reading a rubric of a scientific-recall benchmark: gold answer, must-have facts, penalties.

A must-have fact is a list item; its verbatim quote is a block quote, the text after
``Quote:``, ``Span:`` or ``Evidence:``, or else its longest quoted text of at least three words.
``#15`` in the item names the document of the quote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.benchmarks.srb_markdown import Block, plain, read_fields, read_pointers

LABELS = {
    "gold answer": "gold", "gold": "gold", "answer": "gold", "ground truth": "gold",
    "reference answer": "gold",
    "must-have facts": "facts", "must have facts": "facts", "must-haves": "facts",
    "must-have": "facts", "must have": "facts", "required facts": "facts", "facts": "facts",
    "nice-to-have facts": "optional", "nice-to-have": "optional", "nice to have": "optional",
    "bonus": "optional",
    "penalties": "penalties", "penalty": "penalties", "must not": "penalties",
    "must-not": "penalties", "wrong claims": "penalties",
    "source notes": "sources", "sources": "sources", "source": "sources",
    "notes": "remarks", "audit": "remarks", "rationale": "remarks", "scoring": "remarks",
    "type": "remarks", "difficulty": "remarks", "query": "remarks", "question": "remarks",
}  # fmt: skip
_ITEM = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+]|\(?\d{1,2}[.)]|\[[ xX]\])[ \t]+(?P<text>.*)$")
_INLINE_NUMBER = re.compile(r"(?<=\S)[ \t]+(\(\d{1,2}\)[ \t])")
_QUOTE_LABEL = re.compile(
    r"(?:\*\*|__|_|\*)?\b(?:verbatim quote|quote|verbatim|span|evidence|support)\b"
    r"(?:\*\*|__|_|\*)?[ \t]*(?:\([^)\n]*\))?[ \t]*:(?:\*\*|__|_|\*)?[ \t]*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|«([^»]+)»")
_POINTER = re.compile(r"\s*[(\[]\s*#\d[^)\]]*[)\]]")
_SOURCE_LINE = re.compile(
    r"^[ \t]*(?:\*\*|__)?(?:sources?|papers?|sections?|pages?|where)(?:\*\*|__)?[ \t]*:.*$",
    re.IGNORECASE | re.MULTILINE,
)
_DANGLING = " \t\n—–-:;,|("
_MIN_QUOTE_WORDS = 3


@dataclass(frozen=True, slots=True)
class RubricFact:
    """``quote`` is empty where the rubric gives none; ``pointers`` are document numbers."""

    text: str
    quote: str
    pointers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rubric:
    gold_answer: str
    facts: tuple[RubricFact, ...]
    penalties: tuple[str, ...]
    pointers: tuple[int, ...]


class RubricUnreadable(ValueError):
    """The block has no gold answer, or no must-have fact, or a fact without words."""


def read_rubric(block: Block) -> Rubric:
    """The rubric in a block. Raises RubricUnreadable with the reason."""
    fields = read_fields(block.text, LABELS)
    facts = tuple(_fact(item) for item in list_items(fields.get("facts", "")))
    if not facts:
        raise RubricUnreadable("it lists no must-have facts")
    if empty := [number for number, fact in enumerate(facts, start=1) if not fact.text]:
        raise RubricUnreadable(f"must-have fact {empty[0]} has no words of its own")
    gold = plain(fields.get("gold", ""))
    if not gold:
        raise RubricUnreadable("it has no gold answer")
    return Rubric(
        gold_answer=gold,
        facts=facts,
        penalties=tuple(plain(item) for item in list_items(fields.get("penalties", ""))),
        pointers=tuple(read_pointers(fields.get("sources", ""))),
    )


def list_items(text: str) -> list[str]:
    """The items of a list with the lines that belong to them; deeper items belong to the item
    above, and ``(1) … (2) …`` may stand in one line. A text without list marks is one item a
    line; none for an empty text."""
    items: list[list[str]] = []
    top: int | None = None
    for line in _INLINE_NUMBER.sub(r"\n\1", text).splitlines():
        if not line.strip():
            continue
        match = _ITEM.match(line)
        if match is not None and (top is None or len(match["indent"].expandtabs(4)) <= top):
            top = len(match["indent"].expandtabs(4))
            items.append([match["text"]])
        elif top is None:
            items.append([line.strip()])
        else:
            items[-1].append(match["text"] if match is not None else line.strip())
    return ["\n".join(lines) for lines in items]


def _fact(item: str) -> RubricFact:
    text, quote = _block_quote(item)
    if not quote:
        text, quote = _labelled_quote(item)
    if not quote:
        text, quote = _longest_quoted(item)
    pointers = tuple(read_pointers(item))
    text = _POINTER.sub("", _SOURCE_LINE.sub("", text))
    lines = (line.strip(_DANGLING) for line in text.splitlines())
    return RubricFact(plain(" ".join(filter(None, lines))), quote, pointers)


def _block_quote(item: str) -> tuple[str, str]:
    lines = item.splitlines()
    quoted = [line.lstrip("> \t") for line in lines if line.lstrip().startswith(">")]
    rest = [line for line in lines if not line.lstrip().startswith(">")]
    return "\n".join(rest), _unquoted("\n".join(quoted))


def _labelled_quote(item: str) -> tuple[str, str]:
    match = _QUOTE_LABEL.search(item)
    if match is None:
        return item, ""
    after = item[match.end() :]
    marked = _QUOTED.search(after)
    quote = next(filter(None, marked.groups())) if marked else after
    return item[: match.start()], _unquoted(quote)


def _longest_quoted(item: str) -> tuple[str, str]:
    quotes = list(_QUOTED.finditer(item))
    if not quotes:
        return item, ""
    longest = max(quotes, key=lambda match: len(match.group()))
    quote = next(filter(None, longest.groups()))
    rest = item[: longest.start()] + item[longest.end() :]
    if len(quote.split()) < _MIN_QUOTE_WORDS or not re.search(r"\w{3}", rest):
        return item, ""
    return rest, _unquoted(quote)


def _unquoted(text: str) -> str:
    quote = _POINTER.sub("", _SOURCE_LINE.sub("", text)).strip()
    if len(quote) > 1 and (quote[0], quote[-1]) in {('"', '"'), ("“", "”"), ("«", "»")}:
        quote = quote[1:-1]
    return quote.strip()
