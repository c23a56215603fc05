"""What raters read before they begin, where the lead wrote nothing else. Markdown."""

from __future__ import annotations

from typing import Final

_BASE: Final = """\
You see a question, a reference answer, and two answers, A and B. Decide which of the two is more \
correct and more complete **against the reference**.

- **A** or **B**: this answer states more of what the reference asks for, or states less that is \
wrong.
- **Tie**: both are equally good. Small differences in wording are a tie.
{both_bad}
How to decide:

1. Read the reference and its must-have facts first.
2. Look for each fact in both answers. A wrong number or name counts against an answer more than a \
missing one.
3. What an answer says beyond the reference neither helps nor harms it, unless it contradicts the \
reference.
4. Length and style do not matter: a short answer with all the facts beats a long one without them.

Neither the order nor the sides say anything about who wrote an answer. Where you cannot decide, \
skip the pair."""

_BOTH_BAD: Final = """\
- **Both bad**: neither answer is of use: each misses the point or is wrong in what matters.
"""
_CONTEXT: Final = """

Below each answer you can open the text that it was written from. Judge the answer, not that text: \
use it only to see where a statement comes from."""

DEFAULT_CONSENT: Final = """\
Your votes, the reasons and comments you give and the time you take are stored under a pseudonym. \
They are used to measure how far automatic judges agree with people, and may be published in that \
form. No name or address is asked for. Taking part is voluntary: you can stop at any time, and you \
can withdraw, which erases your votes."""


def default_instructions(*, allow_both_bad: bool, show_context: bool) -> str:
    """What a campaign with these options tells its raters, in Markdown."""
    text = _BASE.format(both_bad=_BOTH_BAD if allow_both_bad else "")
    return text + _CONTEXT if show_context else text
