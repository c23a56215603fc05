"""The audit of a campaign's blinding in lines of text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from annotation.queries.shown_pairs import ShownPair, ShownToRater
from annotation.services.blinding_audit import BlindingAudit, SideCount


def audit_lines(audit: BlindingAudit, raters: Iterable[ShownToRater]) -> Iterator[str]:
    yield f"{audit.campaign}: {audit.name}"
    yield (
        f"{audit.n_raters:,} raters were given {audit.n_shown:,} pairs; "
        f"{audit.n_waiting_for_review:,} pairs wait for review, {audit.n_reviewed:,} were "
        f"reviewed, {audit.n_rejected:,} rejected"
    )
    for note in audit.notes:
        yield f"note: {note}"
    yield from _sides(audit.sides)
    for person in audit.unblinded:
        yield f"unblinded: {person.user}, {_time(person.at)}, {person.what}"
    scan = audit.scan
    yield (
        f"scan: {scan.n_texts:,} texts and {scan.n_questions:,} questions; "
        f"{len(scan.findings):,} findings, {scan.n_topic:,} names that belong to their topic"
    )
    for finding in scan.findings:
        yield f"  {finding.where} ({finding.state}): {finding.kind} “{finding.found}”"
    for rater in raters:
        yield from _rater(rater)
    for problem in audit.problems:
        yield f"WRONG: {problem}"
    if not audit.problems:
        yield "Nothing is wrong."


def _sides(sides: tuple[SideCount, ...]) -> Iterator[str]:
    wide = max((len(side.system) for side in sides), default=0)
    for side in sides:
        expected = (
            "" if side.expected_runs is None else f" (about {side.expected_runs:.0f} by chance)"
        )
        yield (
            f"sides: {side.system:<{wide}}  left {side.n_left:,}, right {side.n_right:,}, "
            f"{side.imbalance:+d}; {side.n_runs:,} runs{expected}, longest {side.longest_run}"
        )


def _rater(rater: ShownToRater) -> Iterator[str]:
    yield (
        f"rater {rater.pseudonym}: {rater.kind}, {rater.standing}, {len(rater.shown):,} pairs, "
        f"{rater.n_reveals:,} reveals"
    )
    for pair in rater.shown:
        yield f"  {_pair(pair)}"


def _pair(pair: ShownPair) -> str:
    told = [
        f"{pair.kind} {pair.position} ({pair.question})",
        f"A {pair.left or 'check'}, B {pair.right or 'check'}",
        f"shown {_time(pair.shown_at)}",
    ]
    if pair.choice is not None:
        counted = "counted" if pair.is_counted else "not counted"
        told.append(f"voted {pair.choice} {_time(pair.voted_at)}, {counted}")
        told.append(f"{pair.n_reveals_before} reveals before")
    elif pair.is_skipped:
        told.append("skipped")
    if pair.revealed_at is not None:
        told.append(f"revealed {_time(pair.revealed_at)}")
    return "; ".join(told)


def _time(at: dt.datetime | None) -> str:
    return "at no known time" if at is None else f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S}"
