"""A leaderboard as text: for a terminal, or as a tidy table."""

from __future__ import annotations

from typing import Any

import pandas as pd

from evaluation.formats.answers_csv import formula_safe
from evaluation.queries.leaderboard import LeaderboardPage, LeaderboardRow

KEYS = ("benchmark", "protocol", "question_set", "judge", "judge_key", "measure")
PLAIN = (
    "rank", "rank_band", "anchor", "system", "variant", "label", "modality", "synthesis", "track",
    "score", "ci_low", "ci_high",
)  # fmt: skip
COUNTED = (
    "mean_achieved_chars", "mean_requested_chars", "n_scored", "n_unscored", "n_errored",
    "n_pending", "n_total", "cost_usd", "cost_per_question_usd", "ingest_cost_usd",
    "ingest_seconds", "retrieve_ms", "unranked_reason", "source", "run", "place",
)  # fmt: skip


def board_csv(page: LeaderboardPage) -> str:
    """One line a row, with both keys; slices of the tier as columns; what is unknown is empty."""
    frame = pd.DataFrame(
        [_record(page, row) for row in page.rows], columns=pd.Index(_columns(page))
    )
    for name in frame.columns:
        if frame[name].dtype == "object":
            frame[name] = frame[name].map(
                lambda value: formula_safe(value) if isinstance(value, str) else value
            )
    return str(frame.to_csv(index=False, lineterminator="\n"))


def _columns(page: LeaderboardPage) -> list[str]:
    tiers = [f"{page.tier_name}_{tier}" for tier in page.tiers]
    return [*KEYS, *PLAIN, *tiers, *COUNTED, "flags"]


def _record(page: LeaderboardPage, row: LeaderboardRow) -> dict[str, Any]:
    keys = page.keys
    return {
        "benchmark": keys.benchmark.slug,
        "protocol": keys.protocol.key if keys.protocol else "",
        "question_set": keys.protocol.question_set if keys.protocol else "",
        "judge": keys.judge.name if keys.judge else "",
        "judge_key": keys.judge.key if keys.judge else "",
        "measure": page.measure,
        **{name: getattr(row, name) for name in PLAIN},
        **{f"{page.tier_name}_{tier}": row.by_tier.get(tier) for tier in page.tiers},
        **{name: getattr(row, name) for name in COUNTED},
        "flags": "; ".join(flag.code for flag in row.flags),
    }


def board_text(page: LeaderboardPage) -> str:
    """The table with what it stands on above and what it allows to conclude below."""
    heading = [
        "rank", "variant", "score", "95 %", *page.tiers, "chars", "scored", "ingest $", "ingest s",
        "query ms", "notes",
    ]  # fmt: skip
    if not page.rows:
        return "\n".join([*_above(page), "", "Nothing has been measured here yet."])
    lines = [heading, *(_cells(page, row) for row in page.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heading))]
    shown = ["  ".join(_padded(line, widths)).rstrip() for line in lines]
    shown.insert(1, "  ".join("─" * width for width in widths))
    notes = [f"· {note.sentence}" for note in page.notes]
    return "\n".join([*_above(page), "", *shown, "", *filter(None, [page.finding]), *notes])


def _above(page: LeaderboardPage) -> list[str]:
    keys = page.keys
    narrowed = "".join(f", {name} {value}" for name, value in page.filters.slices.items())
    at = f" at {page.track}" if page.track else ""
    n_questions = f", {page.n_questions} questions" if page.n_questions else ""
    lines = [
        f"{keys.benchmark.title}: {page.measure} 0–{page.scale_high:g}{at}{narrowed}{n_questions}"
    ]
    if keys.protocol:
        lines.append(
            f"protocol {keys.protocol.short_key} ({keys.protocol.question_set}, "
            f"{keys.protocol.synthesizer}, seed {keys.protocol.seed}; one of {len(keys.protocols)})"
        )
    if keys.judge:
        proxy = ", a proxy" if keys.judge.is_proxy else ""
        lines.append(f"judge {keys.judge.name}{proxy} (one of {len(keys.judges)})")
    return lines


def _cells(page: LeaderboardPage, row: LeaderboardRow) -> list[str]:
    place = {"anchor": "anchor", "published": "paper", "unranked": "–"}.get(row.group, "")
    notes = [flag.code for flag in row.flags]
    notes += [row.unranked_reason] if row.unranked_reason else []
    notes += [row.place] if row.place else []
    return [
        row.rank_band or place,
        row.label + ("" if row.track == page.track else f" (at {row.track})"),
        _number(row.score, 2),
        f"{row.ci_low:.2f}–{row.ci_high:.2f}" if row.ci_low is not None else "–",
        *(_number(row.by_tier.get(tier), 2) for tier in page.tiers),
        _number(row.mean_achieved_chars, 0),
        f"{row.n_scored}/{row.n_total}",
        "unknown"
        if row.ingest_cost_usd is None and row.is_ingest_known
        else _number(row.ingest_cost_usd, 4),
        _number(row.ingest_seconds, 1),
        _number(row.retrieve_ms, 1),
        ", ".join(notes),
    ]


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _padded(line: list[str], widths: list[int]) -> list[str]:
    """Texts to the left, numbers to the right."""
    last = len(line) - 1
    return [
        text.ljust(width) if column in (0, 1, last) else text.rjust(width)
        for column, (text, width) in enumerate(zip(line, widths, strict=True))
    ]
