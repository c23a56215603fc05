"""LaTeX formulas as MathML, by an explicit allow-list of elements and attributes.

The converter's own serialisation is not used: it writes text unescaped and keeps ``href`` and
``style``. Its element tree is walked instead, and only what is listed here comes out.
"""

from __future__ import annotations

from html import escape, unescape
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

from evaluation.formats.formula_lengths import FormulaRoom, LengthTooLarge

MAX_FORMULA_CHARS = 2_000
MAX_NESTING = 40

_ELEMENT_NAMES = (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover "
    "munderover mmultiscripts mprescripts none mtable mtr mtd mpadded mphantom mstyle menclose "
    "merror"
)
_ATTRIBUTE_NAMES = (
    "display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace "
    "minsize maxsize movablelimits symmetric largeop accent accentunder linethickness columnalign "
    "rowalign columnspacing rowspacing columnlines rowlines notation width height depth "
    "voffset bevelled"
)
ELEMENTS = frozenset(_ELEMENT_NAMES.split())
ATTRIBUTES = frozenset(_ATTRIBUTE_NAMES.split())
_VOID_OF_MEANING = frozenset({"annotation", "annotation-xml", "semantics"})


class FormulaNotRendered(Exception):
    """The formula is shown as its source; the message says why."""


def render_formula(latex: str, *, display: bool = False) -> str:
    """One formula as a ``<math>`` element.

    Raises FormulaNotRendered for a formula over ``MAX_FORMULA_CHARS`` characters, one nested
    deeper than ``MAX_NESTING`` groups, one with spaces or rules that are larger than an answer has
    room for, or one the converter does not understand.
    """
    if len(latex) > MAX_FORMULA_CHARS:
        raise FormulaNotRendered(f"it is longer than {MAX_FORMULA_CHARS:,} characters")
    if _nesting(latex) > MAX_NESTING:
        raise FormulaNotRendered(f"it is nested deeper than {MAX_NESTING} groups")
    try:
        root = convert_to_element(latex, display="block" if display else "inline")
        return _serialise(root, FormulaRoom())
    except LengthTooLarge as error:
        raise FormulaNotRendered("its spaces or rules are larger than an answer") from error
    except RecursionError as error:
        raise FormulaNotRendered("it is nested too deeply") from error
    except Exception as error:
        raise FormulaNotRendered("it is not LaTeX that can be read") from error


def _nesting(latex: str) -> int:
    """The deepest group; ``\\left`` and ``\\begin`` open groups as braces do."""
    depth = deepest = 0
    for position, char in enumerate(latex):
        if char == "{" or latex.startswith(("\\left", "\\begin"), position):
            depth += 1
            deepest = max(deepest, depth)
        elif char == "}" or latex.startswith(("\\right", "\\end"), position):
            depth -= 1
    return deepest


def _serialise(element: Element, room: FormulaRoom) -> str:
    tag = element.tag.rpartition("}")[2]
    if tag in _VOID_OF_MEANING:
        return ""
    inside = escape(unescape(element.text or ""), quote=False)
    for child in element:
        inside += _serialise(child, room) + escape(unescape(child.tail or ""), quote=False)
    if tag not in ELEMENTS:
        return inside
    kept = (
        (name, room.kept(name, unescape(value)))
        for name, value in sorted(element.attrib.items())
        if name in ATTRIBUTES
    )
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in kept if value is not None)
    return f"<{tag}{attributes}>{inside}</{tag}>"
