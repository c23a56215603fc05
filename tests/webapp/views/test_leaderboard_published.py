"""Published rows on the leaderboard, and benchmarks that are published only."""

from __future__ import annotations

import pytest
from django.test import Client

from evaluation.models import Benchmark, PublishedScore
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.services.published import load_published

ADDRESS = "/benchmarks/glass/"
PARTIAL = {"HX-Request": "true"}


def test_published_rows_are_shown_apart_and_only_when_asked(
    client: Client, measured: Benchmark
) -> None:
    PublishedScore.objects.create(
        benchmark=measured, paper="A paper", place="Table 1", system_label="Mem0",
        system="mem0", modality="dense", track="30k", measure="composite", n_questions=24,
        score=9.5, scale_high=10.0, mean_chars=32_000, judge="Gemini", position=1,
    )  # fmt: skip
    assert "Mem0" not in {row.label for row in leaderboard_page("glass", BoardFilters()).rows}
    page = leaderboard_page("glass", BoardFilters(source="all"))
    row = next(row for row in page.rows if row.source == "published")
    assert (row.rank, row.ci_low, row.place) == (None, None, "A paper, Table 1, Gemini")
    assert page.rows[-1] is row
    assert (row.ingest_cost_usd, row.ingest_seconds, row.retrieve_ms) == (None, None, None)
    text = client.get(ADDRESS, {"source": "all"}).content.decode()
    assert "Published, not measured here: other prompts, judges and corpora" in text
    assert "their prompts, judge and corpus differ" in text
    assert "show them under these rows" not in text
    assert "show them under these rows" in client.get(ADDRESS).content.decode()


def test_what_a_paper_notes_on_a_row_stands_in_the_row(client: Client, db: None) -> None:
    load_published()
    page = client.get("/benchmarks/meme/").content.decode()
    assert '<span class="sub">20 episodes; answering model Claude Sonnet 4' in page
    assert ">note</span>" not in page


@pytest.mark.parametrize("tab", ["questions", "audit"])
def test_what_only_was_published_offers_no_questions(client: Client, db: None, tab: str) -> None:
    load_published()
    assert f'href="/benchmarks/paim/{tab}/' not in client.get("/benchmarks/paim/").content.decode()
    page = client.get(f"/benchmarks/paim/{tab}/").content.decode()
    assert "Only published results are here, not the questions behind them." in page
    assert "manage.py" not in page
