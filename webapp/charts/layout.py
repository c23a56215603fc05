"""What all charts share: type, grid and legend, in the style sheet's tokens."""

from __future__ import annotations

from typing import Any

Figure = dict[str, Any]
"""``data`` and ``layout`` as Plotly takes them, and ``narrow``: what a phone's layout changes.
Strings that start with ``--`` are colour tokens, ``--hue-3/0.15`` with an opacity."""

_FONT = "system-ui, -apple-system, Segoe UI, Roboto, Liberation Sans, sans-serif"


def axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {"text": title, "standoff": 10},
        "gridcolor": "--rule",
        "linecolor": "--rule-strong",
        "zerolinecolor": "--rule-strong",
        "tickcolor": "--rule-strong",
        "automargin": True,
        "fixedrange": True,
        **more,
    }


def figure(data: list[dict[str, Any]], **layout: Any) -> Figure:
    """A figure on the page's paper with the legend below, so that it never covers a point."""
    legend = {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "itemsizing": "trace"}
    return {
        "data": data,
        "layout": {
            "font": {"family": _FONT, "size": 13, "color": "--ink"},
            "paper_bgcolor": "--paper",
            "plot_bgcolor": "--paper",
            "hoverlabel": {
                "bgcolor": "--raised",
                "bordercolor": "--rule-strong",
                "font": {"color": "--ink"},
            },
            "margin": {"l": 56, "r": 20, "t": 16, "b": 48},
            "hovermode": "closest",
            "dragmode": False,
            "legend": legend,
            **layout,
        },
        "narrow": {
            "margin": {"l": 40, "r": 8, "t": 8, "b": 40},
            "font": {"family": _FONT, "size": 11, "color": "--ink"},
        },
    }
