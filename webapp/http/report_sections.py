"""The sections of a printed calibration report: what a ``Block`` holds besides its title."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.charts.calibration_svg import buckets_svg, resolution_svg, tolerance_svg

Row = Mapping[str, Any]
PRINTED_TAUS = 50
"""Tolerances in print are multiples of it, in hundredths of a point; the curve itself has all."""


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def decisive(section: Row) -> dict[str, Any]:
    """By the size of the gap, as counts and as rates over pairs and votes."""
    columns = (
        "gap", "pairs", "decisive", "agree", "gap 0", "ties", "rate over pairs", "over votes",
        "ties half",
    )  # fmt: skip
    rows = [
        (
            "all" if bucket is section["overall"] else bucket["label"],
            *(f"{bucket[name]:,}" for name in ("n_pairs", "n_decisive", "n_agree", "n_gap_zero")),
            f"{bucket['n_tie']:,}",
            rate(bucket["rate"]) or bucket["undefined"],
            rate(bucket["votes"]),
            rate(bucket["ties_half"]),
        )
        for bucket in (*section["buckets"], section["overall"])
    ]
    sentences = [section["clustered_by"]]
    if section["overall_weighted"]:
        sentences.append(
            f"Weighted by the inverse of each pair's inclusion probability the overall rate is "
            f"{rate(section['overall_weighted'])}."
        )
    if section["n_unjudged"]:
        sentences.append(f"{section['n_unjudged']:,} pairs have no score of this judge.")
    return {
        "sentences": tuple(sentences),
        "tables": (Table(columns, tuple(rows)),),
        "figure": buckets_svg(section["buckets"]),
    }


def tolerance(section: Row) -> dict[str, Any]:
    """The highest overall agreement, and the curve at every half point."""
    best, plain = section["best"], section["best_unweighted"]
    rows = tuple(
        (
            points(point["tau_hundredths"]),
            rate(point["weighted"]),
            f"{point['n_agree']:,} of {section['n_pairs']:,}, {rate(point['unweighted'])}",
        )
        for point in section["points"]
        if point["tau_hundredths"] % PRINTED_TAUS == 0 or point in (best, plain)
    )
    return {
        "sentences": (
            f"Agreement is highest at τ* = {points(best['tau_hundredths'])} "
            f"({rate(best['weighted'])}; unweighted at {points(plain['tau_hundredths'])}, "
            f"{rate(plain['unweighted'])}), over {section['n_pairs']:,} pairs, "
            f"{section['n_tie']:,} of them tied by the voters.",
        ),
        "tables": (Table(("τ", "weighted", "unweighted"), rows),),
        "figure": tolerance_svg(section["points"], best),
    }


def resolution(section: Row) -> dict[str, Any]:
    """The resolution in words with its interval, and the curve it is read from."""
    low, high = section["low_hundredths"], section["high_hundredths"]
    interval = section["interval_undefined"] or (
        f"95 % interval from {points(low)} to {points(high) if high is not None else 'not reached'}"
        f", by bootstrap over {section['n_questions']:,} questions."
    )
    return {
        "sentences": (
            section["sentence"],
            interval,
            f"From {section['n_decisive']:,} decisive pairs, {section['n_close']:,} of them with a "
            "gap below 2. This is a quantity of two single answers.",
        ),
        "figure": resolution_svg(section),
    }


def systems(section: Row) -> dict[str, Any]:
    """Wins, losses and ties of each system."""
    rows = tuple(
        (
            one["system"],
            *(f"{one[name]:g}" for name in ("wins", "losses", "ties")),
            rate(one["decisive"]) or one["undefined"],
            rate(one["win_rate"]),
        )
        for one in section["rows"]
    )
    columns = ("system", "wins", "losses", "ties", "decisive wins", "win rate, ties half")
    return {"tables": (Table(columns, rows),)}


def ratings(section: Row) -> dict[str, Any]:
    """Strengths of one model, counted in one unit."""
    sentences = [f"{section['model']}, from {section['n_comparisons']:,g} {section['unit']}."]
    if section["interval_undefined"]:
        sentences.append(section["interval_undefined"])
    if section["n_draws_with_prior"]:
        sentences.append(
            f"{section['n_draws_with_prior']:,} of {section['n_draws']:,} draws have no strengths "
            "of their own and got a quarter of a win both ways."
        )
    rows = tuple((f"{one['rank']}", one["system"], strength(one)) for one in section["rows"])
    return {
        "sentences": tuple(sentences),
        "tables": (Table(("rank", "system", "log strength"), rows),),
    }


def ranks(section: Row) -> dict[str, Any]:
    """Spearman's correlation of the two rankings, and both ranks of each system."""
    found = section["correlation"]
    judge = {one["system"]: one for one in section["judge"]["rows"]}
    rows = tuple(
        (one["system"], f"{one['rank']}", f"{judge[one['system']]['rank']}")
        for one in section["people"]["rows"]
    )
    resampled = (
        section["interval_undefined"]
        if section["low"] is None
        else f"95 % interval from {section['low']:.2f} to {section['high']:.2f}, questions "
        "resampled."
    )
    sampled = (
        found["interval_undefined"]
        if found["low"] is None
        else f"95 % interval from {found['low']:.2f} to {found['high']:.2f}."
    )
    return {
        "sentences": (
            f"Spearman's ρ {found['coefficient']:.2f} over {found['n']} systems. {resampled}",
            f"Taking the systems for a sample of systems: {sampled}",
        ),
        "tables": (Table(("system", "rank by the voters", "rank by the judge"), rows),),
    }


def raters(section: Row) -> dict[str, Any]:
    """Raters together, then each of them against the majority of the others."""
    together = section["together"]
    if "undefined" in together:
        return {"sentences": (together["undefined"],)}
    sentences = []
    for name, word, value in (
        ("alpha", "Krippendorff's α (nominal)", "alpha"),
        ("cohen", "Cohen's κ", "kappa"),
        ("fleiss", "Fleiss' κ", "kappa"),
    ):
        one = together[name]
        sentences.append(
            f"{word}: {one['reason']}" if "reason" in one else f"{word} = {one[value]:.3f}."
        )
    shared = [one for one in section["each"] if one["agreement"]]
    sentences.append(
        f"{len(shared):,} of {len(section['each']):,} raters voted on pairs of others as well."
    )
    rows = tuple(
        (f"{one['n_votes']:,}", f"{one['n_shared']:,}", rate(one["agreement"])) for one in shared
    )
    columns = ("votes", "on shared pairs", "with the majority of the others")
    tables = (Table(columns, rows),) if rows else ()
    return {"sentences": tuple(sentences), "tables": tables}


def biases(section: Row) -> dict[str, Any]:
    """Left side, length, and agreement by reveals seen."""
    left, length, reveals = section["left_share"], section["length"], section["by_reveals"]
    sentences = [
        left.get("undefined")
        or f"Of decisive votes {rate(left)} chose the left side, n = {left['n']:,g}."
    ]
    if "undefined" in length:
        sentences.append(length["undefined"])
    else:
        for who, word in (("people", "the voters"), ("judge", "the judge")):
            one = length[who]
            sentences.append(
                one["reason"]
                if "reason" in one
                else f"The longer answer was preferred by {word} in "
                f"{rate(one['longer_preferred'])} of decisive pairs; the preferred one was "
                f"{one['mean_lead_chars']:+.0f} characters longer in the mean."
            )
    tables: tuple[Table, ...] = ()
    if "undefined" in reveals:
        sentences.append(reveals["undefined"])
    else:
        rows = tuple(
            (
                _span(one["fewest"], one["most"]),
                f"{one['n_decisive']:,}",
                rate(one["agreement"]) or one["undefined"],
            )
            for one in reveals["rows"]
        )
        tables = (Table(("reveals seen", "decisive votes", "agreement with the judge"), rows),)
    return {"sentences": tuple(sentences), "tables": tables}


def stopping(section: Row) -> dict[str, Any]:
    """Pairs still needed, bucket by bucket."""
    rows = tuple(
        (
            one["label"],
            f"{one['width']:.2f}",
            f"{one['decisive_needed']:,}",
            f"{one['pairs_needed']:,}",
        )
        for one in section["needs"]
    )
    return {
        "sentences": (
            f"About {section['pairs_needed']:,} more pairs until every bucket's interval is "
            f"narrower than {section['target_width']:.0%}."
            if section["pairs_needed"]
            else f"Every bucket's interval is narrower than {section['target_width']:.0%} already.",
        ),
        "tables": (Table(("gap", "width now", "decisive needed", "pairs needed"), rows),),
    }


def _span(fewest: int, most: int | None) -> str:
    """0, 1–5 or 21+."""
    if most is None:
        return f"{fewest}+"
    return f"{fewest}" if fewest == most else f"{fewest}–{most}"


def rate(one: Row | None) -> str:
    """``50 % [31 %, 69 %]``; empty without a rate."""
    if one is None:
        return ""
    low, high = one["low"], one["high"]
    interval = "" if low is None or high is None else f" [{low:.1%}, {high:.1%}]"
    return f"{one['rate']:.1%}{interval}".replace("%", "\u00a0%")


def strength(one: Row) -> str:
    """``+0.41 [-0.02, +0.83]``, a natural logarithm."""
    interval = "" if one["low"] is None else f" [{one['low']:+.2f}, {one['high']:+.2f}]"
    return f"{one['log_strength']:+.2f}{interval}"


def points(hundredths: int | None) -> str:
    """150 is ``1.5``."""
    return "not reached" if hundredths is None else f"{hundredths / 100:g}"
