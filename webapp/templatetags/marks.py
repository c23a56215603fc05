"""Small drawings inside tables: a system's swatch, interval whiskers, bars. Plain SVG with
presentation attributes, because the Content-Security-Policy allows no style attribute."""

from __future__ import annotations

import math

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from webapp.charts.style import dash_of, style_of

register = template.Library()

_WIDTH, _HEIGHT, _MARGIN = 120.0, 16.0, 4.0
_DASHES = {
    "dash": "5 3",
    "dot": "1.5 2.5",
    "solid": "",
    "longdashdot": "7 2 2 2",
    "dashdot": "5 2 1.5 2",
}


def _polygon(n_corners: int, radius: float, *, turn: float = -90.0, inner: float = 0.0) -> str:
    steps = n_corners * 2 if inner else n_corners
    points = []
    for step in range(steps):
        reach = inner if inner and step % 2 else radius
        angle = math.radians(turn + 360.0 * step / steps)
        points.append(f"{15 + reach * math.cos(angle):.1f},{6 + reach * math.sin(angle):.1f}")
    return f'<polygon points="{" ".join(points)}"/>'


_SHAPES = {
    "circle": '<circle cx="15" cy="6" r="4.2"/>',
    "square": '<rect x="11.2" y="2.2" width="7.6" height="7.6"/>',
    "diamond": _polygon(4, 5.4),
    "triangle-up": _polygon(3, 5.4),
    "triangle-down": _polygon(3, 5.4, turn=90.0),
    "pentagon": _polygon(5, 5.0),
    "hexagram": _polygon(6, 5.6, inner=3.0),
    "star": _polygon(5, 5.8, inner=2.4),
    "x": '<path d="M11.5 2.5l7 7M18.5 2.5l-7 7" stroke="currentColor" stroke-width="2.2"/>',
    "cross": '<path d="M15 1.5v9M10.5 6h9" stroke="currentColor" stroke-width="2.4"/>',
    "bowtie": '<polygon points="10.2,1.8 19.8,10.2 19.8,1.8 10.2,10.2"/>',
}


@register.simple_tag
def swatch(system: str, modality: str = "") -> SafeString:
    """The line and marker of a system, as on every plot. Decoration: the name stands beside it."""
    style = style_of(system)
    line = ""
    if modality:
        line = (
            '<line x1="0" y1="6" x2="30" y2="6" stroke="currentColor" stroke-width="1.8" '
            f'stroke-dasharray="{_DASHES[dash_of(modality)]}"/>'
        )
    return mark_safe(  # noqa: S308 (built from this module's constants alone)
        f'<svg class="swatch hue-{style.hue}" viewBox="0 0 30 12" aria-hidden="true" '
        f'fill="currentColor">{line}{_SHAPES[style.marker]}</svg>'
    )


def _place(value: float, low: float, high: float) -> float:
    span = (high - low) or 1.0
    inside = min(max(value, low), high)
    return round(_MARGIN + (inside - low) / span * (_WIDTH - 2 * _MARGIN), 1)


@register.simple_tag
def whisker(
    estimate: float | None,
    ci_low: float | None,
    ci_high: float | None,
    scale_low: float,
    scale_high: float,
    system: str = "",
    inner_low: float | None = None,
    inner_high: float | None = None,
) -> str:
    """An estimate with its interval on a fixed scale; a scale that holds 0 inside shows where 0
    is. ``inner_*`` draws a second interval inside the first. The figures stand in the table."""
    if estimate is None:
        return ""
    middle = _HEIGHT / 2
    axis = format_html(
        '<line class="axis" x1="{}" x2="{}" y1="{}" y2="{}"/>',
        _MARGIN, _WIDTH - _MARGIN, middle, middle,
    )  # fmt: skip
    zero = interval = inner = mark_safe("")
    if scale_low < 0 < scale_high:
        at = _place(0.0, scale_low, scale_high)
        zero = format_html('<line class="zero" x1="{}" x2="{}" y1="0" y2="{}"/>', at, at, _HEIGHT)
    if ci_low is not None and ci_high is not None:
        left, right = _place(ci_low, scale_low, scale_high), _place(ci_high, scale_low, scale_high)
        interval = format_html(
            '<path class="interval" d="M{} 4v8M{} {}H{}M{} 4v8"/>',
            left, left, middle, right, right,
        )  # fmt: skip
    if inner_low is not None and inner_high is not None:
        inner = format_html(
            '<line class="inner" x1="{}" x2="{}" y1="{}" y2="{}"/>',
            _place(inner_low, scale_low, scale_high), _place(inner_high, scale_low, scale_high),
            middle, middle,
        )  # fmt: skip
    hue = f" hue-{style_of(system).hue}" if system else ""
    return format_html(
        '<svg class="whisker{}" width="120" height="16" viewBox="0 0 120 16" fill="none" '
        'aria-hidden="true">{}{}{}{}<circle class="point" cx="{}" cy="{}" r="3.2"/></svg>',
        hue, axis, zero, inner, interval, _place(estimate, scale_low, scale_high), middle,
    )  # fmt: skip


@register.simple_tag
def bar(part: float, total: float) -> str:
    """A bar for part of total; the numbers stand beside it."""
    width = 0.0 if total <= 0 else round(min(part / total, 1.0) * 100, 1)
    return format_html(
        '<svg class="bar" width="100" height="8" viewBox="0 0 100 8" aria-hidden="true">'
        '<rect class="track" width="100" height="8" rx="2"/>'
        '<rect class="part" width="{}" height="8" rx="2"/></svg>',
        width,
    )
