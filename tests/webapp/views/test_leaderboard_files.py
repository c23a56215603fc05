"""A leaderboard as CSV and JSON."""

from __future__ import annotations

import csv
import io

from django.test import Client

from evaluation.models import Benchmark
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page

ADDRESS = "/benchmarks/glass/"


def test_csv_and_json_hold_exactly_what_is_shown(client: Client, measured: Benchmark) -> None:
    params = {"search": "bm25", "sort": "score", "order": "up"}
    shown = [row.label for row in leaderboard_page(
        "glass", BoardFilters(search="bm25", sort="score", descending=False)
    ).rows]  # fmt: skip
    table = client.get(ADDRESS, {**params, "format": "csv"})
    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert [row["label"] for row in rows] == shown
    assert rows[0]["question_set"] == "all"
    body = client.get(ADDRESS, {**params, "format": "json"}).json()
    assert [row["label"] for row in body["rows"]] == shown
    assert body["rows"][0]["by_tier"].keys() == {"L1", "L2", "L3"}
    assert body["judge_name"] == "rubric"
