"""What the address of a calibration page chooses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import QueryDict

from annotation.calibration.settings import CalibrationSettings, InvalidCalibrationSetting
from evaluation.queries.choices import UnknownChoice
from webapp.forms.filters import flag, text

LEVELS = ("0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95")
WIDTHS = ("0.1", "0.15", "0.2", "0.25", "0.3", "0.4")
DEFAULT = CalibrationSettings()
MOST_EDGES = 12
LARGEST_EDGE = 10.0


@dataclass(frozen=True, slots=True)
class CalibrationChoice:
    """``settings`` of the report; ``judge`` by name, empty for the reference judge; ``edges`` as
    they were typed or stand by default; ``known``: the state of the page that asks whether there
    is news, empty where nobody polls."""

    settings: CalibrationSettings
    judge: str
    edges: str
    known: str
    is_changed: bool


def calibration_choice(params: QueryDict) -> CalibrationChoice:
    """Raises UnknownChoice for what no report can be made of."""
    edges = text(params, "edges")
    with_excluded = flag(params, "excluded")
    try:
        settings = replace(
            DEFAULT,
            edges=_edges(edges) if edges else DEFAULT.edges,
            agreement=_share(params, "level", LEVELS) or DEFAULT.agreement,
            target_width=_share(params, "width", WIDTHS) or DEFAULT.target_width,
            with_excluded=with_excluded,
        )
    except InvalidCalibrationSetting as refusal:
        raise UnknownChoice(refusal.option, edges, (_EDGES_IN_WORDS,)) from refusal
    judge = text(params, "judge")
    return CalibrationChoice(
        settings=settings,
        judge=judge,
        edges=", ".join(f"{edge:g}" for edge in settings.edges),
        known=text(params, "known"),
        is_changed=settings != DEFAULT or bool(judge),
    )


def percents(shares: tuple[str, ...], chosen: float) -> tuple[tuple[str, str, bool], ...]:
    """(value, what a reader sees, whether it is chosen); the default leaves the address alone."""
    defaults = {DEFAULT.agreement, DEFAULT.target_width}
    return tuple(
        (
            "" if float(share) in defaults else share,
            f"{100 * float(share):g} %",
            float(share) == chosen,
        )
        for share in shares
    )


_EDGES_IN_WORDS = (
    f"up to {MOST_EDGES} rising lower edges of gaps in points, from 0 and below {LARGEST_EDGE:g}, "
    "such as 0, 2, 4"
)


def _edges(typed: str) -> tuple[float, ...]:
    try:
        edges = tuple(float(part) for part in typed.replace(";", ",").split(",") if part.strip())
    except ValueError:
        raise UnknownChoice("edges", typed, (_EDGES_IN_WORDS,)) from None
    if len(edges) > MOST_EDGES or not all(0.0 <= edge < LARGEST_EDGE for edge in edges):
        raise UnknownChoice("edges", typed, (_EDGES_IN_WORDS,))
    return tuple(round(edge, 2) for edge in edges)


def _share(params: QueryDict, name: str, known: tuple[str, ...]) -> float | None:
    value = text(params, name)
    if not value:
        return None
    if value not in known:
        raise UnknownChoice(name, value, known)
    return float(value)
