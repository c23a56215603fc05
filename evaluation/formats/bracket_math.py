r"""Markdown rules for LaTeX between ``\(…\)`` and ``\[…\]``, in time linear in the text."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from evaluation.formats.formulas import MAX_FORMULA_CHARS

_CLOSING = {"\\(": "\\)", "\\[": "\\]"}


def bracket_math_plugin(markdown: MarkdownIt) -> None:
    r"""Adds tokens ``math_inline``, ``math_inline_double`` (``\[…\]`` inside a line) and
    ``math_block``, the names that the dollar rules use."""
    markdown.inline.ruler.before("escape", "bracket_math", _inline)
    markdown.block.ruler.before(
        "fence", "bracket_math_block", _block, {"alt": ["paragraph", "blockquote", "list"]}
    )


def _inline(state: StateInline, silent: bool) -> bool:
    opening = state.src[state.pos : state.pos + 2]
    if opening not in _CLOSING:
        return False
    start = state.pos + 2
    limit = min(state.posMax, start + MAX_FORMULA_CHARS + 2)
    end = state.src.find(_CLOSING[opening], start, limit)
    if end <= start:
        return False
    if not silent:
        name = "math_inline" if opening == "\\(" else "math_inline_double"
        token = state.push(name, "math", 0)
        token.content = state.src[start:end]
        token.markup = opening
    state.pos = end + 2
    return True


def _block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    begin = state.bMarks[start_line] + state.tShift[start_line]
    if not state.src.startswith("\\[", begin) or state.is_code_block(start_line):
        return False
    limit = min(state.eMarks[end_line - 1], begin + MAX_FORMULA_CHARS + 4)
    end = state.src.find("\\]", begin + 2, limit)
    if end < 0:
        return False
    line = start_line
    while state.eMarks[line] < end:
        line += 1
        if line >= end_line:
            return False
    if state.src[end + 2 : state.eMarks[line]].strip():
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block = True
        token.content = state.src[begin + 2 : end]
        token.markup = "\\["
        token.map = [start_line, line + 1]
    state.line = line + 1
    return True
