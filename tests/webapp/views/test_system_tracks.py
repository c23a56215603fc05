"""What papers print of a system and what was measured of it, one under the other."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Benchmark, Protocol, PublishedScore, Run, ScoreVector, Variant
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.queries.system_pages import system_page
from evaluation.services.aggregates import refresh_run
from evaluation.services.published import load_published
from memory_systems.registry import system_info
from tests.webapp.laboratory import STARTED, make_run

LATER = STARTED + dt.timedelta(days=1)
NEVER_TOGETHER = "Printed and measured rows are not comparable."


def printed(benchmark: Benchmark, **fields: Any) -> PublishedScore:
    return PublishedScore.objects.create(**{
        "benchmark": benchmark, "paper": "A paper", "place": "Table 1",
        "system_label": "BM25 as printed", "system": "bm25", "modality": "lexical",
        "track": "30k", "measure": "composite", "n_questions": 66, "score": 9.5,
        "scale_high": 10.0, "mean_chars": 32_000, "judge": "Gemini", "position": 1, **fields,
    })  # fmt: skip


def parts_of(page: str, track: str) -> list[str]:
    """The bodies of the table of a track."""
    table = page[page.index(f"<h3>Track {track}</h3>") :]
    return re.findall("<tbody>.*?</tbody>", table[: table.index("</table>")], re.DOTALL)


def test_printed_and_measured_rows_stand_in_parts_of_their_own(
    client: Client, measured: Benchmark
) -> None:
    printed(measured)
    ScoreVector.objects.filter(run_variant__variant__label="bm25", track="30k").update(
        ingest_cost_usd=0.25, ingest_seconds=75.0, retrieve_ms_median=3.25
    )
    page = client.get("/systems/bm25/").content.decode()
    paper, here = parts_of(page, "30k")
    for said in ("Printed in papers", "9.50", "Gemini", "66", "32.0k", "A paper, Table 1"):
        assert said in paper
    assert paper.count("not printed") == 2
    assert "9.50" not in here
    for said in ("Measured here", "rubric", "$0.25", "1 min 15 s", "3.2 ms", "24 of 24", "29.7k"):
        assert said in here
    run = Run.objects.get()
    assert f"/runs/{run.public_id}/" in here
    assert f"protocol {run.protocol.key[:12]}" in here
    assert NEVER_TOGETHER in page


def test_a_track_with_one_part_says_so_in_the_other(client: Client, measured: Benchmark) -> None:
    printed(measured, track="50k")
    page = client.get("/systems/bm25/").content.decode()
    assert "Measured here: nothing at this track" in parts_of(page, "50k")[1]
    assert "Printed in papers: nothing at this track" in parts_of(page, "10k")[0]
    assert [at.track for at in system_page("bm25").tracks] == ["10k", "30k", "50k", "native"]


def test_with_nothing_printed_or_nothing_measured_the_page_says_so(
    client: Client, glass: Benchmark
) -> None:
    page = client.get("/systems/bm25/").content.decode()
    assert "Not measured here yet." in page
    assert "No paper's figures of it are loaded here." in page
    printed(glass)
    page = client.get("/systems/bm25/").content.decode()
    assert "Not measured here yet." in page
    assert "No paper's figures of it are loaded here." not in page


def test_its_score_and_interval_are_those_of_the_board(measured: Benchmark) -> None:
    rows = {row.label: row for row in leaderboard_page("glass", BoardFilters()).rows}
    for label in ("bm25", "simple-rag@static", "simple-rag+bm25@static"):
        shown = system_page(rows[label].system).measured
        (own,) = [one for one in shown if (one.label, one.track) == (label, "30k")]
        assert (own.score, own.ci_low, own.ci_high) == (
            rows[label].score, rows[label].ci_low, rows[label].ci_high,
        )  # fmt: skip


def test_each_judge_has_a_row_and_none_is_averaged(glass: Benchmark) -> None:
    run = make_run(glass, {"bm25": {"30k": [4.0] * 24}}, judges=("rubric", "openai:gpt"))
    run.run_judges.get(position=1).judge.judgments.update(composite=8.0)
    refresh_run(run=run)
    assert [(one.judge, one.score) for one in system_page("bm25").measured] == [
        ("openai:gpt", 8.0), ("rubric", 4.0),
    ]  # fmt: skip


def test_the_newest_finished_run_is_shown_before_a_newer_unfinished_one(glass: Benchmark) -> None:
    make_run(glass, {"bm25": {"30k": [4.0] * 24}})
    make_run(glass, {"bm25": {"30k": [6.0] * 24}}, is_finished=False, created_at=LATER)
    (row,) = system_page("bm25").measured
    assert (row.score, [flag.code for flag in row.flags]) == (4.0, [])
    Run.objects.filter(created_at=STARTED).delete()
    (row,) = system_page("bm25").measured
    assert (row.score, [flag.code for flag in row.flags]) == (6.0, ["not-complete"])


def test_holdout_questions_are_not_shown(glass: Benchmark) -> None:
    make_run(glass, {"bm25": {"30k": [4.0] * 24}}, question_set="holdout")
    assert system_page("bm25").measured == ()


def test_imported_rows_are_neither_printed_nor_measured_here(
    client: Client, glass: Benchmark
) -> None:
    make_run(glass, {"zep": {"30k": [5.0] * 24}}, origin=Run.IMPORTED)
    page = client.get("/systems/zep/").content.decode()
    here, imported = parts_of(page, "30k")
    assert "nothing at this track" in here
    assert "Imported: measured elsewhere" in imported
    assert "Not measured here yet." in page


def test_a_row_with_the_stub_model_carries_its_flag(client: Client, glass: Benchmark) -> None:
    run = make_run(glass, {"mem0@static": {"30k": [5.0] * 24}})
    assert "stub-model" not in client.get("/systems/mem0/").content.decode()
    Variant.objects.update(parts={"parameters": {"model": "stub"}})
    refresh_run(run=run)
    page = client.get("/systems/mem0/").content.decode()
    assert ">stub-model</span>" in parts_of(page, "30k")[0]
    assert "this shows that it runs, not its worth" in page


def test_a_model_that_was_not_recorded_is_not_called_the_stub(glass: Benchmark) -> None:
    run = make_run(glass, {"mem0@static": {"30k": [5.0] * 24}})
    assert run.run_variants.get().variant.parts == {}
    flags = [code for code, _ in ScoreVector.objects.get().flags]
    assert flags == [code for code, _ in system_info("mem0").departures]


def test_a_row_without_scores_has_no_number(client: Client, glass: Benchmark) -> None:
    make_run(glass, {"bm25": {"30k": [None] * 24}})
    (row,) = system_page("bm25").measured
    assert (row.score, row.ci_low, row.n_scored) == (None, None, 0)
    here = parts_of(client.get("/systems/bm25/").content.decode(), "30k")[0]
    assert "no interval" in here
    assert not re.search(r"\bnan\b", here, re.IGNORECASE)


@pytest.mark.parametrize("slug", ["theoria", "mem0", "holdmem", "simple-rag"])
def test_every_printed_row_leads_to_its_board(client: Client, db: None, slug: str) -> None:
    load_published()
    page = client.get(f"/systems/{slug}/").content.decode()
    links = set(re.findall(r'href="(/benchmarks/[^"]*source=published[^"]*)"', page))
    assert links
    for link in sorted(links)[:3]:
        assert client.get(link.replace("&amp;", "&")).status_code == 200


def test_a_row_printed_by_slice_alone_shows_its_slices(client: Client, db: None) -> None:
    load_published()
    page = client.get("/systems/holdmem/").content.decode()
    assert re.search(r"source revision \d+\.\d\d", page)


def test_a_measured_row_leads_to_the_board_it_stands_on(
    client: Client, measured: Benchmark
) -> None:
    page = client.get("/systems/bm25/").content.decode()
    link = re.search(r'href="(/benchmarks/glass/\?protocol=[^"]*track=30k)"', page)
    assert link is not None
    assert Protocol.objects.get().key[:12] in link[1]
    assert "bm25" in client.get(link[1].replace("&amp;", "&")).content.decode()
