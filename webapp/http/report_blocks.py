"""A calibration report as headings, sentences, tables and figures: what its printed forms share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.services.calibration import KeptReport
from webapp.http import report_sections as sections
from webapp.http.report_sections import Row, Table


@dataclass(frozen=True, slots=True)
class Block:
    """One section; ``undefined`` stands in place of table and figure."""

    title: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figure: str = ""
    undefined: str = ""


def report_blocks(report: KeptReport) -> tuple[Block, ...]:
    """In the order in which they are printed."""
    body = report.body
    return (
        _made_of(report),
        _section("Decisive agreement by score gap", body["decisive"], sections.decisive),
        _section("Overall agreement over the tie tolerance", body["tolerance"], sections.tolerance),
        _section("Resolution of the judge", body["resolution"], sections.resolution),
        _section("Systems", body["systems"], sections.systems),
        *(
            _section(f"{title}, {unit}" if unit else title, section, sections.ratings)
            for name, title in (("bradley_terry", "Bradley–Terry"), ("newman", "Newman"))
            for unit, section in _units(body[name])
        ),
        _section("Ranks by the voters and by the judge", body["ranks"], sections.ranks),
        _section("Raters", body["raters"], sections.raters),
        _section("Biases", body["biases"], sections.biases),
        _section("Pairs still needed", body["stopping"], sections.stopping),
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
        f"{_n(counts['n_votes'], 'counted vote')} on {_n(counts['n_pairs'], 'pair')} by "
        f"{_n(counts['n_raters'], 'rater')} over {_n(counts['n_questions'], 'question')} and "
        f"{_n(counts['n_systems'], 'system')}; "
        f"{_n(counts['n_ties'] + counts['n_both_bad'], 'tie')}, "
        f"{counts['n_both_bad']:,} of them both bad."
    )
    sentences.append(
        f"Planned were {said['n_planned']:,} pairs by the policy {said['policy']} with an overlap "
        f"of {said['overlap']}; {said['n_drawn']:,} were drawn (seed {said['seed']})."
        if said["origin"] == "measured"
        else "The pairs were not drawn by us: nothing is weighted."
    )
    if said.get("n_left_out_identical"):
        sentences.append(
            f"{said['n_left_out_identical']:,} pairs were left out before the drawing: their two "
            "answers read the same."
        )
    left_out = ", ".join(f"{n:,} {why}" for why, n in said["not_counted"].items())
    sentences.append(f"Votes not counted: {left_out or 'none'}.")
    with_them = " Counted in everything below." if report.settings.with_excluded else ""
    for rater in said["excluded_raters"]:
        sentences.append(
            f"Excluded rater {rater['pseudonym']}: {rater['excluded_reason']} "
            f"({_n(rater['n_votes'], 'vote')}).{with_them}"
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


def _n(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _with_excluded(section: Row | None) -> Iterator[Block]:
    if section is None:
        return
    yield _section("With excluded raters: agreement by gap", section["decisive"], sections.decisive)
    yield _section("With excluded raters: resolution", section["resolution"], sections.resolution)


def _sampling(said: Row) -> Block:
    rows = tuple(
        (one["stratum"] or "all", f"{one['n_drawn']:,}", f"{one['n_votes'] or 0:,}")
        for one in said["sampling"]
    )
    return Block("Sampling, by stratum", tables=(Table(("stratum", "pairs", "votes"), rows),))
