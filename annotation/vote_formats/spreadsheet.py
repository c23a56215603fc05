"""Texts in CSV cells that no spreadsheet runs as a formula, and that come back as they were."""

from __future__ import annotations

from typing import Final

QUOTE: Final = "'"
_STARTS: Final = (*"=+-@\t\r\n＝＋－＠", QUOTE)


def cell_of(text: str) -> str:
    """The text with an apostrophe in front where it starts as a formula does, or with one."""
    return f"{QUOTE}{text}" if text.startswith(_STARTS) else text


def text_of(cell: str) -> str:
    """What ``cell_of`` was given."""
    return cell.removeprefix(QUOTE)
