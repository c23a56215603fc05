"""What the votes say, in sentences: the top of a calibration page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.queries.calibration_page import AdoptedRow, CalibrationPage
from annotation.services.calibration import KeptReport

Section = Mapping[str, Any]

HELP: Mapping[str, str] = {
    "decisive": "Votes on pairs whose answers the judge has both scored would help.",
    "decisive_pairs": "Votes for one side would help; larger gaps have them more often.",
    "tolerance": "Votes on pairs whose answers the judge has both scored would help.",
    "resolution": "Votes on pairs with close scores help most; votes on easy pairs do not.",
    "systems": "Any vote would help.",
    "bradley_terry": "Votes on pairs of the systems named here would help.",
    "newman": "Votes on pairs of the systems named here would help.",
    "ranks": "Votes on pairs of three or more systems that the judge has scored would help.",
    "raters": "Asking for more than one vote a pair would help.",
    "biases": "Votes for one side would help.",
    "stopping": "Votes on pairs that the judge has scored would help.",
}

NO_SCORES = (
    "These votes came without any judge's scores of the answers, so no judge can be compared with "
    "them."
)

COMPARED = (
    "Votes", "Pairs", "Decisive agreement", "Highest overall agreement", "Resolution",
)  # fmt: skip


def lacks_scores(report: KeptReport) -> bool:
    """Whether the votes were imported and nothing that a judge gave came with them: no further
    vote can then help, since the answers are not here to be judged."""
    context = report.body["context"]
    return context["origin"] == "imported" and not context["judges"]


def findings(report: KeptReport) -> tuple[str, ...]:
    """The result first, then how far it holds; what is undefined says so."""
    body = report.body
    if not body["counts"]["n_votes"]:
        return ()
    if lacks_scores(report):
        return (NO_SCORES,)
    return tuple(
        sentence
        for part in (_decisive(report), _resolution(body), _tolerance(body))
        for sentence in part
    )


def left_out(report: KeptReport) -> str:
    """``29 excluded, 2 surplus``: votes that were cast and do not count; empty without any. Those
    on checks never could."""
    held = report.body["context"]["not_counted"]
    return ", ".join(f"{n:,} {reason}" for reason, n in held.items() if n and reason != "check")


def wanted(section: Section) -> str:
    """The pairs still needed, bucket by bucket."""
    return ", ".join(
        f"{need['pairs_needed']:,} of {need['label']} points"
        for need in section.get("needs", ())
        if need["pairs_needed"]
    )


def adopted_here(page: CalibrationPage, report: KeptReport) -> AdoptedRow | None:
    """The resolution that boards read for this judge, if it comes from this campaign."""
    return next((row for row in page.adopted if row.judge_key == report.judge_key), None)


def news_of(page: CalibrationPage, report: KeptReport) -> str:
    """What a polling page sends back, to be told only of what changed since."""
    return f"{report.version}.{int(report.is_current)}.{page.head.state}"


def _decisive(report: KeptReport) -> Iterator[str]:
    section = report.body["decisive"]
    voters = report.body["context"]["voters"]
    if "undefined" in section:
        yield section["undefined"]
        return
    overall = section["overall"]
    if overall["rate"] is None:
        yield overall["undefined"]
        return
    rate = overall["rate"]
    yield (
        f"Where {voters} prefer a side, {report.judge} prefers the same one in "
        f"{overall['n_agree']} of {overall['n_decisive']} pairs: {_share(rate)}."
    )
    if overall["n_gap_zero"]:
        yield (
            f"In {overall['n_gap_zero']} of the others it scores both alike, which counts as not "
            "preferring the same one."
        )
    told = [
        f"{one['label']} points {one['n_agree']} of {one['n_decisive']}"
        for one in section["buckets"]
        if one["n_decisive"]
    ]
    if len(told) > 1:
        yield f"By the size of the judge's gap: {', '.join(told)}."


def _resolution(body: Section) -> Iterator[str]:
    section = body["resolution"]
    if "undefined" in section:
        yield f"The judge's resolution is not known yet. {section['undefined']}"
        return
    yield f"{section['sentence']} {resolution_interval(section)}".strip()


def resolution_interval(section: Section) -> str:
    """The interval of the resolution, or why it has none, as one sentence."""
    low, high = section["low_hundredths"], section["high_hundredths"]
    if low is None:
        return str(section["interval_undefined"])
    if high is None:
        return (
            f"Its 95 % interval starts at {low / 100:g} points and is open above: "
            f"{_percent(section['share_not_reached'])} of the draws of questions never reach it."
        )
    if low == high:
        return f"Every draw of questions gives {low / 100:g} points, so it has no interval."
    return f"Its 95 % interval is {low / 100:g} to {high / 100:g} points."


def _tolerance(body: Section) -> Iterator[str]:
    section = body["tolerance"]
    if "undefined" in section:
        return
    best, strict = section["best"], section["points"][0]
    if best["tau_hundredths"] == 0:
        yield (
            "Counting ties too, judge and voters give the same outcome most often without any "
            f"tolerance: {_share(best['weighted'])}."
        )
        return
    yield (
        f"Counting ties too, overall agreement is highest where the judge ties up to "
        f"{best['tau_hundredths'] / 100:g} points: {_share(best['weighted'])}, against "
        f"{_percent(strict['weighted']['rate'])} without a tolerance."
    )


def _share(rate: Section) -> str:
    low, high = (_percent(rate[end]) for end in ("low", "high"))
    return f"{_percent(rate['rate'])} (95 % interval {low} to {high})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def comparisons(report: KeptReport) -> tuple[tuple[str, str, str], ...]:
    """(figure, counted votes alone, with those of excluded raters); empty where nobody is
    excluded or their votes are in the report already."""
    everyone = report.body["including_excluded"]
    if everyone is None:
        return ()
    both = (report.body, everyone)
    without, with_them = (
        (
            f"{body['counts']['n_votes']:,}",
            f"{body['counts']['n_pairs']:,}",
            _agreement_of(body["decisive"]),
            _best_of(body["tolerance"]),
            _gap_of(body["resolution"]),
        )
        for body in both
    )
    return tuple(zip(COMPARED, without, with_them, strict=True))


def _agreement_of(section: Section) -> str:
    overall = section.get("overall")
    if overall is None or overall["rate"] is None:
        return str(section.get("undefined") or (overall or {}).get("undefined", ""))
    return f"{_share(overall['rate'])}, n = {overall['n_decisive']}"


def _best_of(section: Section) -> str:
    if "undefined" in section:
        return str(section["undefined"])
    best = section["best"]
    return f"{_share(best['weighted'])} at τ = {best['tau_hundredths'] / 100:g}"


def _gap_of(section: Section) -> str:
    if "undefined" in section:
        return str(section["undefined"])
    gap = section["gap_hundredths"]
    reached = "not reached" if gap is None else f"{gap / 100:g} points"
    low, high = section["low_hundredths"], section["high_hundredths"]
    if low is None or low == high:
        return reached
    end = "open" if high is None else f"{high / 100:g}"
    return f"{reached} (95 % interval {low / 100:g} to {end})"
