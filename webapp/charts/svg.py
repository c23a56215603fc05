"""Figures of printed reports as SVG text of our own: no script, no font and no network needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

INK, QUIET, RULE = "#1b1b1b", "#5c5c5c", "#d8d8d8"
AGREE, DISAGREE, ALIKE, TIED = "#0072b2", "#d55e00", "#f0e442", "#b8b8b8"


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values from ``low`` to ``high`` onto pixels from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return self.start + share * (self.end - self.start)


@dataclass(slots=True)
class Drawing:
    """SVG elements in the order they are drawn; coordinates are pixels, y downwards."""

    width: int
    height: int
    title: str
    elements: list[str] = field(default_factory=list)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, color: str = RULE, width: float = 1.0,
        dash: str = "",
    ) -> None:  # fmt: skip
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{color}" stroke-width="{width:g}"{dashed}/>'
        )

    def bar(self, x: float, y: float, width: float, height: float, color: str) -> None:
        self.elements.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{color}"/>'
        )

    def text(
        self, x: float, y: float, words: str, *, anchor: str = "middle", color: str = INK,
        size: int = 12,
    ) -> None:  # fmt: skip
        self.elements.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'fill="{color}">{escape(words)}</text>'
        )

    def path(self, points: Sequence[tuple[float, float]], color: str, width: float = 2.0) -> None:
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.elements.append(
            f'<polyline points="{steps}" fill="none" stroke="{color}" stroke-width="{width:g}"/>'
        )

    def band(
        self, lower: Sequence[tuple[float, float]], upper: Sequence[tuple[float, float]], color: str
    ) -> None:
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*lower, *reversed(upper)])
        self.elements.append(f'<polygon points="{steps}" fill="{color}" fill-opacity="0.18"/>')

    def dot(self, x: float, y: float, color: str, radius: float = 4.0) -> None:
        self.elements.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{color}"/>')

    def svg(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'role="img" aria-label="{escape(self.title)}" '
            f'font-family="system-ui, sans-serif"><title>{escape(self.title)}</title>'
            + "".join(self.elements)
            + "</svg>"
        )


def rate_axis(drawing: Drawing, left: float, right: float, axis: Axis) -> None:
    """Lines at 0, 25 … 100 % with their names."""
    for percent in (0, 25, 50, 75, 100):
        y = axis.at(percent / 100)
        drawing.line(left, y, right, y)
        drawing.text(left - 8, y + 4, f"{percent} %", anchor="end", color=QUIET, size=11)
