"""Answers as Markdown with LaTeX, rendered to safe HTML and MathML.

Text from models and documents is data. Raw HTML and images are shown as text, invisible controls
are made visible, and one answer costs a bounded amount of work: the bounds count characters, not
time, so that the same text gives the same bytes on every machine.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from evaluation.formats.bracket_math import bracket_math_plugin
from evaluation.formats.formulas import ATTRIBUTES, ELEMENTS, FormulaNotRendered, render_formula

MAX_MARKDOWN_CHARS = 20_000
MAX_FORMULAS_CHARS = 6_000
MAX_BRACKETS = 1_000
MAX_HTML_BYTES = 200_000

_TAG_NAMES = (
    "p br hr h4 h5 h6 strong em s code pre blockquote ul ol li a table thead tbody tr th td span"
)
_URL_SCHEMES = frozenset({"http", "https"})
_DEMOTED = {"h1": "h4", "h2": "h5", "h3": "h6", "h4": "h6", "h5": "h6", "h6": "h6"}
_EMOJI_JOINER = "\u200d"


def render_rich_text(text: str) -> str:
    """Safe HTML of one answer, at most ``MAX_HTML_BYTES`` in UTF-8.

    Text over ``MAX_MARKDOWN_CHARS`` characters or ``MAX_BRACKETS`` opening brackets (links are
    what is slow to read), and text whose HTML would be too large, is shown as plain text; what
    does not fit even then is cut, and the last line says so.
    """
    if len(text) > MAX_MARKDOWN_CHARS:
        return render_plain_text(text)
    visible = show_controls(text)
    if len(visible) > MAX_MARKDOWN_CHARS or visible.count("[") > MAX_BRACKETS:
        return render_plain_text(visible)
    try:
        html = _MARKDOWN.render(visible, {"formula_chars": 0})
    except RecursionError:
        return render_plain_text(visible)
    clean = nh3.clean(
        html,
        tags=set(_TAG_NAMES.split()) | ELEMENTS,
        attributes={
            "a": {"href"},
            "ol": {"start"},
            **{tag: set(ATTRIBUTES) for tag in ELEMENTS},
        },
        allowed_classes={"span": {"formula", "formula-block"}, "code": {"formula-source"}},
        url_schemes=set(_URL_SCHEMES),
        link_rel="noopener noreferrer nofollow",
        url_relative="deny",
    )
    return clean if len(clean.encode()) <= MAX_HTML_BYTES else render_plain_text(visible)


def render_plain_text(text: str) -> str:
    """The text as one preformatted block, cut to ``MAX_HTML_BYTES`` with a last line that says
    how much was left out."""
    read = text[:MAX_HTML_BYTES]
    kept = visible = show_controls(read)
    while len(escape(kept).encode()) > MAX_HTML_BYTES - 200:
        kept = kept[: len(kept) * 3 // 4]
    left_out = len(text) - len(read) + len(visible) - len(kept)
    note = f"<p>{left_out:,} more characters are not shown.</p>" if left_out else ""
    return f"<pre>{escape(kept)}</pre>{note}"


def show_controls(text: str) -> str:
    """The text with bidirectional, zero-width and other invisible controls written out as
    ``⟦U+202E⟧``. Line ends and tabs stay, and so do joiners inside an emoji."""
    return "".join(
        f"⟦U+{ord(char):04X}⟧" if _is_hidden(text, position) else char
        for position, char in enumerate(text)
    )


def _is_hidden(text: str, position: int) -> bool:
    char = text[position]
    if char < "\u007f":
        return char < " " and char not in "\n\r\t"
    if char == _EMOJI_JOINER and 0 < position < len(text) - 1:
        return not (_is_emoji_part(text[position - 1]) and _is_emoji_part(text[position + 1]))
    return unicodedata.category(char) in {"Cf", "Cc", "Co", "Cs"} or char in "\u115f\u3164\u2800"


def _is_emoji_part(char: str) -> bool:
    return char == "\ufe0f" or (ord(char) > 0x2100 and unicodedata.category(char) in {"So", "Sk"})


def _formula(latex: str, env: Any, *, display: bool, source: str) -> str:
    env["formula_chars"] += len(latex)
    kind = "formula-block" if display else "formula"
    try:
        if env["formula_chars"] > MAX_FORMULAS_CHARS:
            raise FormulaNotRendered("the formulas before it used this answer's allowance")
        mathml = show_controls(render_formula(latex.strip(), display=display))
        return f'<span class="{kind}">{mathml}</span>'
    except FormulaNotRendered:
        return f'<code class="formula-source">{escape(source)}</code>'


def _formula_rule(*, display: bool, is_block: bool) -> Any:
    def render(_: Any, tokens: Sequence[Token], index: int, __: Any, env: Any) -> str:
        token = tokens[index]
        closing = {"\\(": "\\)", "\\[": "\\]"}.get(token.markup, token.markup)
        source = f"{token.markup}{token.content}{closing}"
        html = _formula(token.content, env, display=display, source=source)
        return f"<p>{html}</p>\n" if is_block else html

    return render


def _image_as_text(_: Any, tokens: Sequence[Token], index: int, __: Any, ___: Any) -> str:
    token = tokens[index]
    return escape(f"![{token.content}]({token.attrGet('src') or ''})")


def _text(_: Any, tokens: Sequence[Token], index: int, __: Any, ___: Any) -> str:
    """Controls that were written as entities (``&#x202E;``) are characters by now."""
    return escape(show_controls(tokens[index].content))


def _heading(renderer: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].tag = _DEMOTED[tokens[index].tag]
    return str(renderer.renderToken(tokens, index, options, env))


def _build_markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    dollarmath_plugin(
        markdown, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True
    )
    bracket_math_plugin(markdown)
    for name, display, is_block in (
        ("math_inline", False, False),
        ("math_inline_double", True, False),
        ("math_block", True, True),
    ):
        markdown.add_render_rule(name, _formula_rule(display=display, is_block=is_block))
    markdown.add_render_rule("text", _text)
    markdown.add_render_rule("image", _image_as_text)
    markdown.add_render_rule("heading_open", _heading)
    markdown.add_render_rule("heading_close", _heading)
    return markdown


_MARKDOWN = _build_markdown()
