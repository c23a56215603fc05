"""Sessions of conversations as source items: their text and when they took place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_systems.base import SourceItem

_LOCOMO_DATE = "%I:%M %p on %d %B, %Y"
_LONGMEMEVAL_DATE = "%Y/%m/%d %H:%M"
_WEEKDAY = re.compile(r"\s*\([A-Za-z]{2,}\)\s*")


@dataclass(frozen=True, slots=True)
class Turn:
    """One contribution; ``note`` is what was shared with it (a picture's caption) or empty."""

    speaker: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as a source item, with the offsets of each turn's line in its text."""

    item: SourceItem
    turn_spans: tuple[tuple[int, int], ...]


def render_session(item_id: str, title: str, date: str, turns: Sequence[Turn]) -> Session:
    """The session's text: its date as the file gives it on the first line (memories that cut a
    text into pieces still see it there), then a line ``speaker: text`` a turn. The item's
    timestamp is the date in ISO 8601, or empty where it cannot be read."""
    lines = [f"[{date}]"] if date else []
    spans: list[tuple[int, int]] = []
    offset = sum(len(line) + 1 for line in lines)
    for turn in turns:
        note = f" [shared: {turn.note}]" if turn.note else ""
        line = f"{turn.speaker}: {turn.text.strip()}{note}"
        spans.append((offset, offset + len(line)))
        lines.append(line)
        offset += len(line) + 1
    item = SourceItem(item_id, "\n".join(lines), title, "session", iso_date(date))
    return Session(item, tuple(spans))


def iso_date(text: str) -> str:
    """``1:56 pm on 8 May, 2023`` or ``2023/05/20 (Sat) 02:21`` in ISO 8601 without a zone; ISO
    text stays as it is; anything else gives an empty text."""
    plain = _WEEKDAY.sub(" ", " ".join(text.split()))
    for form in (_LOCOMO_DATE, _LONGMEMEVAL_DATE):
        try:
            return datetime.strptime(plain, form).isoformat()  # noqa: DTZ007 - no zone is given
        except ValueError:
            continue
    try:
        return datetime.fromisoformat(plain).isoformat()
    except ValueError:
        return ""
