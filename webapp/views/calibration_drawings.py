"""A calibration report's sections as the inputs of charts, and as tables that join sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webapp.charts.calibration_agreement import AgreementBar, agreement_figure
from webapp.charts.calibration_curves import (
    ResolutionStep,
    TolerancePoint,
    resolution_figure,
    tolerance_figure,
)
from webapp.charts.layout import Figure

Section = Mapping[str, Any]
BY_MAJORITY = "pairs by majority"
LEAST_REACH = 0.5
TABLED_TAUS = 50


@dataclass(frozen=True, slots=True)
class SystemLine:
    """One system's row, joined from the report's sections; a section without values leaves None.
    ``slug`` gives it its colour."""

    label: str
    slug: str
    record: Section
    bradley_terry: Section | None
    newman: Section | None
    human_rank: int | None
    judge_rank: int | None


@dataclass(frozen=True, slots=True)
class SystemTable:
    """``least`` to ``reach``: the scale of strengths. What has no values says why."""

    lines: tuple[SystemLine, ...]
    least: float
    reach: float
    n_draws: int
    n_draws_with_prior: int
    no_bradley_terry: str
    no_newman: str
    no_interval: str


def is_defined(section: Section | None) -> bool:
    return bool(section) and "undefined" not in (section or {})


def agreement_chart(body: Section) -> Figure | None:
    """None where no pair is decisive."""
    section = body["decisive"]
    if not is_defined(section) or not section["overall"]["n_decisive"]:
        return None
    level = body["resolution"].get("agreement", 0.75)
    return agreement_figure([_bar(one) for one in section["buckets"]], level=level)


def tolerance_chart(body: Section) -> Figure | None:
    section = body["tolerance"]
    if not is_defined(section):
        return None
    points = [
        TolerancePoint(
            tau=one["tau_hundredths"] / 100,
            weighted=one["weighted"]["rate"],
            low=one["weighted"]["low"],
            high=one["weighted"]["high"],
            unweighted=one["unweighted"]["rate"],
        )
        for one in section["points"]
    ]
    return tolerance_figure(
        points,
        best_tau=section["best"]["tau_hundredths"] / 100,
        is_weighted=any(abs(one.weighted - one.unweighted) > 1e-9 for one in points),
    )


def tolerance_table(body: Section) -> list[Section]:
    """Every half point, and τ* wherever it lies."""
    section = body["tolerance"]
    if not is_defined(section):
        return []
    best = {section[name]["tau_hundredths"] for name in ("best", "best_unweighted")}
    return [
        one
        for one in section["points"]
        if one["tau_hundredths"] % TABLED_TAUS == 0 or one["tau_hundredths"] in best
    ]


def resolution_chart(body: Section) -> Figure | None:
    section = body["resolution"]
    if not is_defined(section):
        return None
    steps = [
        ResolutionStep(
            one["gap_hundredths"] / 100, one["fitted"], one["n_decisive"], one["n_agree"]
        )
        for one in section["curve"]
    ]
    return resolution_figure(
        steps,
        level=section["agreement"],
        value=_points(section["gap_hundredths"]),
        low=_points(section["low_hundredths"]),
        high=_points(section["high_hundredths"]),
    )


def resolution_table(body: Section) -> list[dict[str, Any]]:
    """The curve's level stretches: from a gap on, what it gives, and the pairs on the stretch."""
    section = body["resolution"]
    stretches: list[dict[str, Any]] = []
    for one in section["curve"] if is_defined(section) else ():
        if not stretches or abs(stretches[-1]["fitted"] - one["fitted"]) > 1e-9:
            stretches.append({**one, "last_hundredths": one["gap_hundredths"]})
            continue
        last = stretches[-1]
        last["last_hundredths"] = one["gap_hundredths"]
        last["n_decisive"] += one["n_decisive"]
        last["n_agree"] += one["n_agree"]
    return stretches


def system_table(body: Section) -> SystemTable | None:
    """The strongest first, by Bradley and Terry where strengths exist, else by win rate."""
    section = body["systems"]
    if not is_defined(section):
        return None
    rated = {name: body[name].get(BY_MAJORITY, body[name]) for name in ("bradley_terry", "newman")}
    by_system = {name: _rows_of(of) for name, of in rated.items()}
    ranks = body["ranks"]
    people, judge = (
        _rows_of(ranks[name]) if is_defined(ranks) else {} for name in ("people", "judge")
    )
    lines = [
        SystemLine(
            label=record["system"],
            slug=slug_of(record["system"]),
            record=record,
            bradley_terry=by_system["bradley_terry"].get(record["system"]),
            newman=by_system["newman"].get(record["system"]),
            human_rank=people.get(record["system"], {}).get("rank"),
            judge_rank=judge.get(record["system"], {}).get("rank"),
        )
        for record in section["rows"]
    ]
    ends = [
        abs(end)
        for row in by_system["bradley_terry"].values()
        for end in (row["log_strength"], row["low"], row["high"])
        if end is not None
    ]
    reach = max([LEAST_REACH, *ends])
    return SystemTable(
        lines=tuple(sorted(lines, key=_strongest_first)),
        least=-reach,
        reach=reach,
        n_draws=rated["bradley_terry"].get("n_draws", 0),
        n_draws_with_prior=rated["bradley_terry"].get("n_draws_with_prior", 0),
        no_bradley_terry=rated["bradley_terry"].get("undefined", ""),
        no_newman=rated["newman"].get("undefined", ""),
        no_interval=rated["bradley_terry"].get("interval_undefined", ""),
    )


def slug_of(label: str) -> str:
    """``simple-rag+bm25@static`` has the colour of ``simple-rag``."""
    return label.partition("@")[0].removesuffix("+bm25")


def _strongest_first(line: SystemLine) -> tuple[float, float, str]:
    strength = line.bradley_terry["log_strength"] if line.bradley_terry else 0.0
    return (-strength, -line.record["win_rate"]["rate"], line.label)


def _rows_of(section: Section) -> dict[str, Section]:
    rows: Sequence[Section] = section.get("rows", ())
    return {row["system"]: row for row in rows}


def _bar(bucket: Section) -> AgreementBar:
    rate = bucket["rate"] or {}
    return AgreementBar(
        label=bucket["label"],
        n_agree=bucket["n_agree"],
        n_disagree=bucket["n_disagree"],
        n_gap_zero=bucket["n_gap_zero"],
        n_tie=bucket["n_tie"],
        rate=rate.get("rate"),
        low=rate.get("low"),
        high=rate.get("high"),
    )


def _points(hundredths: int | None) -> float | None:
    return None if hundredths is None else hundredths / 100
