"""How a system looks on every page and plot: one hue and one marker, by its slug alone.

Colours are names of the style sheet's tokens (``--hue-3``), so that one figure serves light and
dark; the drawing script looks them up. Modality is the dash of the line, native an open marker.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

N_HUES = 8
GREY = 0
MARKERS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "hexagram")

_ASSIGNED = {
    "base-model": (GREY, "x"),
    "direct-read": (GREY, "star"),
    "in-context": (GREY, "bowtie"),
    "oracle-context": (GREY, "cross"),
    "simple-rag": (1, "circle"),
    "bm25": (2, "square"),
    "theoria": (3, "diamond"),
    "mem0": (4, "triangle-up"),
    "hindsight": (5, "triangle-down"),
    "graphiti": (6, "pentagon"),
    "cognee": (7, "hexagram"),
    "prism": (8, "circle"),
    "karpathy-wiki": (1, "square"),
    "md-flat": (2, "diamond"),
    "plain-rag": (3, "triangle-up"),
    "no-store-bm25": (4, "square"),
    "holdmem": (5, "circle"),
    "a-mem": (6, "square"),
    "memos": (7, "circle"),
    "lightrag": (8, "diamond"),
    "hipporag2": (1, "triangle-up"),
}
_DASHES = {"dense": "dash", "hybrid": "solid", "lexical": "dot", "none": "longdashdot"}


@dataclass(frozen=True, slots=True)
class SystemStyle:
    """``hue`` is 1 to ``N_HUES``, or 0 for the grey of anchors; ``marker`` is a Plotly symbol."""

    hue: int
    marker: str

    @property
    def color(self) -> str:
        return f"--hue-{self.hue}"


@dataclass(frozen=True, slots=True)
class Weight:
    """Pixels: the width of a line, the size of its markers."""

    line: float
    marker: float


WEIGHTS = (Weight(2.2, 11), Weight(1.0, 6), Weight(3.6, 15))


def weight_at(place: int) -> Weight:
    """The weight of a figure's ``place``-th variant, from 0, of one system and modality: what
    tells embedders and parameters apart where hue, marker and dash are the same."""
    return WEIGHTS[place % len(WEIGHTS)]


def style_of(system: str) -> SystemStyle:
    """The style of a system's slug. A system that is not assigned one here gets a pair drawn from
    the hash of its slug: the same on every page, every machine and every day."""
    if system in _ASSIGNED:
        return SystemStyle(*_ASSIGNED[system])
    digest = hashlib.sha256(system.encode()).digest()
    return SystemStyle(1 + digest[0] % N_HUES, MARKERS[digest[1] % len(MARKERS)])


def dash_of(modality: str) -> str:
    """Plotly's dash for a modality: dense dashed, hybrid solid, lexical dotted."""
    return _DASHES.get(modality, "dashdot")


def marker_of(system: str, *, is_native: bool = False) -> str:
    """Plotly's symbol for a system; a native point is drawn open."""
    marker = style_of(system).marker
    return f"{marker}-open" if is_native else marker
