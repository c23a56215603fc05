"""How pages write numbers. Only here does None become a dash."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

MISSING: SafeString = format_html(
    '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', "—", "no value"
)


@register.filter
def score(value: float | None, digits: int = 2) -> str:
    """A score on its own scale, two decimals."""
    return MISSING if value is None else f"{value:.{digits}f}"


@register.filter
def percent(value: float | None) -> str:
    """A share from 0 to 1 as whole per cent; what is not quite none or all says so."""
    if value is None:
        return MISSING
    if 0 < value < 0.005:
        return "under 1 %"
    if 0.995 <= value < 1:
        return "over 99 %"
    return f"{value * 100:.0f} %"


@register.filter
def signed(value: float | None, digits: int = 2) -> str:
    """A difference with its sign; the minus is a minus, not a hyphen."""
    if value is None:
        return MISSING
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return f"+{text}" if value > 0 else f"−{text}"


@register.filter
def whole(value: float | None) -> str:
    """A count with thousands set apart."""
    return MISSING if value is None else f"{value:,.0f}"


@register.filter
def chars(value: float | None) -> str:
    """Characters, short: 870, 31.2k, 2.6M."""
    if value is None:
        return MISSING
    if value < 1_000:
        return f"{value:.0f}"
    if value < 1_000_000:
        return f"{value / 1_000:.1f}k"
    return f"{value / 1_000_000:.1f}M"


@register.filter
def usd(value: float | None) -> str:
    """Dollars; None is an unknown price, said in words."""
    if value is None:
        return "unknown"
    if value == 0:
        return "$0"
    return f"${value:.4f}" if value < 0.01 else f"${value:,.2f}"


@register.filter
def seconds(value: float | None) -> str:
    """A duration: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min."""
    if value is None:
        return MISSING
    if value < 10:
        return f"{value:.1f} s"
    if value < 60:
        return f"{value:.0f} s"
    whole_seconds = round(value)
    if whole_seconds < 3_600:
        return f"{whole_seconds // 60} min {whole_seconds % 60} s"
    return f"{whole_seconds // 3_600} h {whole_seconds % 3_600 // 60} min"


@register.filter
def milliseconds(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:.1f} ms" if value < 10 else f"{value:,.0f} ms"
