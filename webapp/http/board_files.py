"""A leaderboard as CSV or JSON: the rows that are shown, in their order."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse

from evaluation.queries.choices import UnknownChoice
from evaluation.queries.leaderboard import LeaderboardPage, LeaderboardRow
from webapp.http.downloads import csv_response, json_response

FORMATS = ("csv", "json")
COLUMNS = (
    "rank", "rank_band", "anchor", "system", "variant", "label", "modality", "synthesis",
    "embedder", "track", "score", "ci_low", "ci_high", "mean_achieved_chars",
    "mean_requested_chars", "n_scored", "n_unscored", "n_errored", "n_pending", "n_total",
    "score_if_missing_lowest", "score_if_missing_highest", "cost_usd", "cost_per_question_usd",
    "ingest_cost_usd", "ingest_seconds", "retrieve_ms", "unranked_reason", "source", "run",
    "place",
)  # fmt: skip


def leaderboard_file(page: LeaderboardPage, name: str) -> HttpResponse:
    """Raises UnknownChoice for another format."""
    if name not in FORMATS:
        raise UnknownChoice("format", name, FORMATS)
    if name == "json":
        return json_response(leaderboard_json(page))
    tiers = [f"{page.tier_name}_{tier}" for tier in page.tiers]
    stem = f"{page.keys.benchmark.slug}-{page.track}"
    return csv_response(
        [*COLUMNS, *tiers, "flags", "protocol", "judge", "question_set"],
        [_flat(page, row) for row in page.rows],
        f"{stem}.csv",
    )


def leaderboard_json(page: LeaderboardPage) -> dict[str, Any]:
    """What is shown with the keys that it stands under."""
    keys = page.keys
    return {
        "benchmark": keys.benchmark.slug,
        "revision": keys.benchmark.revision,
        "question_set": keys.protocol.question_set if keys.protocol else None,
        "n_questions": page.n_questions,
        "protocol": keys.protocol.key if keys.protocol else None,
        "n_protocols": len(keys.protocols),
        "judge": keys.judge.key if keys.judge else None,
        "judge_name": keys.judge.name if keys.judge else None,
        "n_judges": len(keys.judges),
        "measure": page.measure,
        "scale_high": page.scale_high,
        "track": page.track,
        "tier_name": page.tier_name,
        "filters": asdict(page.filters),
        "finding": page.finding,
        "notes": [asdict(note) for note in page.notes],
        "separated": [asdict(pair) for pair in page.separated],
        "rows": [asdict(row) for row in page.rows],
    }


def _flat(page: LeaderboardPage, row: LeaderboardRow) -> dict[str, Any]:
    keys = page.keys
    return {
        **{column: getattr(row, column) for column in COLUMNS},
        **{f"{page.tier_name}_{tier}": row.by_tier.get(tier) for tier in page.tiers},
        "flags": " ".join(flag.code for flag in row.flags),
        "protocol": keys.protocol.key if keys.protocol else "",
        "judge": keys.judge.key if keys.judge else "",
        "question_set": keys.protocol.question_set if keys.protocol else "",
    }
