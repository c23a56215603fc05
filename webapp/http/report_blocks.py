"""A calibration report as headings, sentences, tables and figures: what its printed forms share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.services.calibration import KeptReport
from webapp.charts.calibration_svg import buckets_svg, resolution_svg, tolerance_svg

Row = Mapping[str, Any]
WHOLE_TAU = 50
"""Tolerances shown in print, in hundredths: the curve itself has all."""


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One section; ``undefined`` stands in place of table and figure."""

    title: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figure: str = ""
    undefined: str = ""


def report_blocks(report: KeptReport) -> tuple[Block, ...]:
    body = report.body
    return (
        _made_of(report),
        _section("Decisive agreement by score gap", body["decisive"], _decisive),
        _section("Overall agreement over the tie tolerance", body["tolerance"], _tolerance),
        _section("Resolution of the judge", body["resolution"], _resolution),
        _section("Systems", body["systems"], _systems),
        *(
            _section(f"{title}, {unit}" if unit else title, section, _ratings)
            for name, title in (("bradley_terry", "Bradley–Terry"), ("newman", "Newman"))
            for unit, section in _units(body[name])
        ),
        _section("Ranks by people and by the judge", body["ranks"], _ranks),
        _section("Raters", body["raters"], _raters),
        _section("Biases", body["biases"], _biases),
        _section("Pairs still needed", body["stopping"], _stopping),
        *_with_excluded(body["including_excluded"]),
        _sampling(body["context"]),
    )


def _section(title: str, section: Row, made: Any) -> Block:
    if "undefined" in section:
        return Block(title, undefined=section["undefined"])
    return Block(title, **made(section))


def _units(section: Row) -> list[tuple[str, Row]]:
    return [("", section)] if "undefined" in section else list(section.items())


def _made_of(report: KeptReport) -> Block:
    """What the reader must know before any number."""
    said, counts = report.body["context"], report.body["counts"]
    judge = said["judge"]
    sentences = []
    if said["is_simulated"]:
        sentences.append("SIMULATED RATERS: these votes say nothing about people.")
    if said["origin"] == "imported":
        sentences.append(f"Imported votes, not collected here; the voters are {said['voters']}.")
    if not said["is_blind_to_retrieval"]:
        sentences.append("Not blind to retrieval: raters saw the retrieved context.")
    sentences.append(
        f"{counts['n_votes']:,} counted votes on {counts['n_pairs']:,} pairs by "
        f"{counts['n_raters']:,} raters over {counts['n_questions']:,} questions and "
        f"{counts['n_systems']:,} systems; {counts['n_ties'] + counts['n_both_bad']:,} ties, "
        f"{counts['n_both_bad']:,} of them both bad."
    )
    sentences.append(
        f"Planned were {said['n_planned']:,} pairs by the policy {said['policy']} with an overlap "
        f"of {said['overlap']}; {said['n_drawn']:,} were drawn (seed {said['seed']})."
        if said["origin"] == "measured"
        else "The pairs were not drawn by us: nothing is weighted."
    )
    left_out = ", ".join(f"{n:,} {why}" for why, n in said["not_counted"].items())
    sentences.append(f"Votes not counted: {left_out or 'none'}.")
    for rater in said["excluded_raters"]:
        sentences.append(
            f"Excluded rater {rater['pseudonym']}: {rater['excluded_reason']} "
            f"({rater['n_votes']:,} votes)."
        )
    sentences += [
        f"Exclusion rule fixed before opening: {rule}" for rule in said["exclusion_rules"]
    ]
    facts = [
        ("campaign", f"{said['name']} ({said['campaign']})"),
        (
            "judge",
            f"{judge['name']}{' (a proxy)' if judge['is_proxy'] else ''}" if judge else "none",
        ),
        ("judge key", judge["key"] if judge else ""),
        ("benchmark", said["benchmark"] or ""),
        ("revision", said["revision"] or ""),
        ("protocol (comparison key)", said["protocol"] or ""),
        ("track", said["track"]),
        ("data hash", report.data_hash),
        ("report hash", report.report_hash),
        ("seed of the draws", str(report.settings.seed)),
        ("draws an interval", f"{report.settings.n_resamples:,}"),
    ]
    return Block(
        "What this report is made of",
        tuple(sentences),
        (Table(("", ""), tuple(fact for fact in facts if fact[1])),),
    )


def _decisive(section: Row) -> dict[str, Any]:
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


def _tolerance(section: Row) -> dict[str, Any]:
    best, plain = section["best"], section["best_unweighted"]
    rows = tuple(
        (
            points(point["tau_hundredths"]),
            rate(point["weighted"]),
            f"{point['n_agree']:,} of {section['n_pairs']:,}, {rate(point['unweighted'])}",
        )
        for point in section["points"]
        if point["tau_hundredths"] % WHOLE_TAU == 0 or point in (best, plain)
    )
    return {
        "sentences": (
            f"Agreement is highest at τ* = {points(best['tau_hundredths'])} "
            f"({rate(best['weighted'])}; unweighted at {points(plain['tau_hundredths'])}, "
            f"{rate(plain['unweighted'])}), over {section['n_pairs']:,} pairs, "
            f"{section['n_tie']:,} of them tied by people.",
        ),
        "tables": (Table(("τ", "weighted", "unweighted"), rows),),
        "figure": tolerance_svg(section["points"], best),
    }


def _resolution(section: Row) -> dict[str, Any]:
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


def _systems(section: Row) -> dict[str, Any]:
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


def _ratings(section: Row) -> dict[str, Any]:
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


def _ranks(section: Row) -> dict[str, Any]:
    found = section["correlation"]
    judge = {one["system"]: one for one in section["judge"]["rows"]}
    rows = tuple(
        (one["system"], f"{one['rank']}", f"{judge[one['system']]['rank']}")
        for one in section["people"]["rows"]
    )
    interval = (
        found["interval_undefined"]
        if found["low"] is None
        else f"95 % interval from {found['low']:.2f} to {found['high']:.2f}."
    )
    sentence = f"Spearman's ρ {found['coefficient']:.2f} over {found['n']} systems. {interval}"
    return {
        "sentences": (sentence,),
        "tables": (Table(("system", "rank by people", "rank by the judge"), rows),),
    }


def _raters(section: Row) -> dict[str, Any]:
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


def _biases(section: Row) -> dict[str, Any]:
    left, length, reveals = section["left_share"], section["length"], section["by_reveals"]
    sentences = [
        left.get("undefined")
        or f"Of decisive votes {rate(left)} chose the left side, n = {left['n']}."
    ]
    if "undefined" in length:
        sentences.append(length["undefined"])
    else:
        for who, word in (("people", "people"), ("judge", "the judge")):
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
                f"{one['fewest']}–{one['most']}"
                if one["most"] is not None
                else f"{one['fewest']}+",
                f"{one['n_decisive']:,}",
                rate(one["agreement"]) or one["undefined"],
            )
            for one in reveals["rows"]
        )
        tables = (Table(("reveals seen", "decisive votes", "agreement with the judge"), rows),)
    return {"sentences": tuple(sentences), "tables": tables}


def _stopping(section: Row) -> dict[str, Any]:
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
            f"narrower than {section['target_width']:.0%}.",
        ),
        "tables": (Table(("gap", "width now", "decisive needed", "pairs needed"), rows),),
    }


def _with_excluded(section: Row | None) -> Iterator[Block]:
    if section is None:
        return
    yield _section("With excluded raters: agreement by gap", section["decisive"], _decisive)
    yield _section("With excluded raters: resolution", section["resolution"], _resolution)


def _sampling(said: Row) -> Block:
    rows = tuple(
        (one["stratum"] or "all", f"{one['n_drawn']:,}", f"{one['n_votes'] or 0:,}")
        for one in said["sampling"]
    )
    return Block("Sampling, by stratum", tables=(Table(("stratum", "pairs", "votes"), rows),))


def rate(one: Row | None) -> str:
    """``50 % [31 %, 69 %]``; empty without a rate."""
    if one is None:
        return ""
    low, high = one["low"], one["high"]
    interval = "" if low is None or high is None else f" [{low:.1%}, {high:.1%}]"
    return f"{one['rate']:.1%}{interval}".replace("%", "\u00a0%")


def strength(one: Row) -> str:
    interval = "" if one["low"] is None else f" [{one['low']:+.2f}, {one['high']:+.2f}]"
    return f"{one['log_strength']:+.2f}{interval}"


def points(hundredths: int | None) -> str:
    return "not reached" if hundredths is None else f"{hundredths / 100:g}"
