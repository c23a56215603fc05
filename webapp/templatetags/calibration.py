"""How calibration pages write gaps and tolerances, which reports keep in whole hundredths."""

from __future__ import annotations

from django import template

from webapp.templatetags.numbers import MISSING

register = template.Library()


@register.filter
def points(hundredths: int | None) -> str:
    """150 → 1.5"""
    return MISSING if hundredths is None else f"{hundredths / 100:g}"


@register.filter
def percent1(share: float | None) -> str:
    """A share from 0 to 1 with one decimal, where curves differ by less than a per cent."""
    return MISSING if share is None else f"{100 * share:.1f} %"


@register.filter
def probability(share: float | None) -> str:
    """From 0 to 1 with three decimals; a smaller one with its first digit, never as 0."""
    if share is None:
        return MISSING
    return f"{share:.3f}" if share >= 0.001 or share == 0.0 else f"{share:.1g}"
