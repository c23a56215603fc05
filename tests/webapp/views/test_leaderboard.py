"""The leaderboard page."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from evaluation.models import Benchmark, Protocol, ScoreVector
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.services.aggregates import refresh_run
from tests.webapp.laboratory import STARTED, Scores, make_run

ADDRESS = "/benchmarks/glass/"
PARTIAL = {"HX-Request": "true"}


def test_the_page_shows_every_variant_with_its_interval(
    client: Client, measured: Benchmark
) -> None:
    page = client.get(ADDRESS).content.decode()
    for label in ("simple-rag@static", "simple-rag+bm25@static", "bm25", "base-model"):
        assert label in page
    assert "Anchors: shown, never ranked" in page
    assert 'class="whisker' in page
    assert "This judge is not calibrated here" in page


def test_rows_that_cannot_be_separated_share_ranks(measured: Benchmark) -> None:
    rows = leaderboard_page("glass", BoardFilters()).rows
    bands = {row.label: row.rank_band for row in rows}
    assert bands == {
        "simple-rag+bm25@static": "1–2",
        "bm25": "1–3",
        "simple-rag@static": "2–3",
        "base-model": "",
        "direct-read": "",
    }


def test_the_sentence_under_the_table_names_what_can_be_separated(
    client: Client, measured: Benchmark
) -> None:
    page = client.get(ADDRESS).content.decode()
    assert "simple-rag+bm25@static scores higher than simple-rag@static." in page


def test_htmx_gets_the_partial_alone(client: Client, measured: Benchmark) -> None:
    reply = client.get(ADDRESS, headers=PARTIAL)
    assert "<html" not in reply.content.decode()
    assert "Leaderboard" in reply.content.decode()
    assert "HX-Request" in reply["Vary"]


def test_the_back_button_gets_the_whole_page(client: Client, measured: Benchmark) -> None:
    reply = client.get(ADDRESS, headers={**PARTIAL, "HX-History-Restore-Request": "true"})
    assert "<html" in reply.content.decode()


def test_a_benchmark_without_runs_says_what_to_do(client: Client, glass: Benchmark) -> None:
    page = client.get(ADDRESS).content.decode()
    assert "Nothing has been measured here yet." in page
    assert "manage.py run_benchmark glass" in page


def test_filters_that_leave_no_row_offer_the_way_back(client: Client, measured: Benchmark) -> None:
    page = client.get(ADDRESS, {"search": "nobody"}).content.decode()
    assert "No row matches these filters." in page


def test_an_unknown_benchmark_is_not_found(client: Client, db: None) -> None:
    reply = client.get("/benchmarks/steel/")
    assert reply.status_code == 404
    assert "There is no benchmark &#x27;steel&#x27;" in reply.content.decode().replace(
        "there", "There"
    )


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"track": "40k"}, "known: 10k, 30k, native"),
        ({"modality": "psychic"}, "known: dense, hybrid, lexical"),
        ({"judge": "oracle"}, "known: rubric"),
        ({"tier": "L9"}, "known: L1, L2, L3"),
        ({"colour": "red"}, "known: tier, type"),
        ({"sort": "beauty"}, "known: rank, score"),
        ({"order": "sideways"}, "known: up, down"),
        ({"source": "rumour"}, "known: measured, published, all"),
        ({"format": "pdf"}, "known: csv, json"),
        ({"protocol": "0123456789ab"}, "Unknown protocol"),
        ({"measure": "charm"}, "known: composite"),
        ({"synthesizer": "poet"}, "known: extractive"),
        ({"internal": "perhaps"}, "known: 0, 1"),
    ],
)
def test_what_nobody_offers_is_refused_with_what_is_known(
    client: Client, measured: Benchmark, params: dict[str, str], sentence: str
) -> None:
    reply = client.get(ADDRESS, params)
    assert reply.status_code == 400
    assert sentence in reply.content.decode()


def test_only_reading_is_answered(client: Client, measured: Benchmark) -> None:
    assert client.post(ADDRESS).status_code == 405


def test_the_page_costs_few_queries(
    client: Client, measured: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(11):
        client.get(ADDRESS)
    with django_assert_max_num_queries(9):
        client.get(ADDRESS)


def test_a_tier_ranks_by_its_own_questions(client: Client, measured: Benchmark) -> None:
    page = leaderboard_page("glass", BoardFilters(slices={"tier": "L2"}))
    assert page.n_questions == 8
    assert {row.n_total for row in page.rows} == {8}


def test_a_modality_keeps_the_anchors(measured: Benchmark) -> None:
    page = leaderboard_page("glass", BoardFilters(modality="hybrid"))
    assert [row.label for row in page.rows] == [
        "simple-rag+bm25@static", "direct-read", "base-model",
    ]  # fmt: skip
    assert page.n_ranked == 1


def test_searching_hides_rows_and_keeps_ranks(measured: Benchmark) -> None:
    page = leaderboard_page("glass", BoardFilters(search="bm25"))
    assert [row.label for row in page.rows] == ["simple-rag+bm25@static", "bm25"]
    assert [row.rank_band for row in page.rows] == ["1–2", "1–3"]
    assert page.n_hidden_by_search == 3


def test_choices_say_how_many_rows_or_questions_they_give(measured: Benchmark) -> None:
    page = leaderboard_page("glass", BoardFilters())
    assert [(one.value, one.count) for one in page.tracks] == [
        ("10k", 3), ("30k", 3), ("native", 5),
    ]  # fmt: skip
    assert [(one.value, one.count) for one in page.slices["tier"]] == [
        ("", None), ("L1", 8), ("L2", 8), ("L3", 8),
    ]  # fmt: skip


def test_others_show_their_difference_to_the_null_lines(measured: Benchmark) -> None:
    rows = {row.label: row for row in leaderboard_page("glass", BoardFilters()).rows}
    delta = rows["bm25"].delta_to["simple-rag"]
    expected = (rows["bm25"].score or 0) - (rows["simple-rag@static"].score or 0)
    assert delta.delta == pytest.approx(expected)
    assert delta.ci_low < delta.delta < delta.ci_high
    assert set(rows["simple-rag@static"].delta_to) == {"simple-rag+bm25"}


def test_a_null_line_is_named_where_its_own_difference_would_stand(
    client: Client, measured: Benchmark
) -> None:
    page = client.get(ADDRESS).content.decode()
    assert page.count('<span class="sub">null line</span>') == 2


def test_differences_to_one_of_several_null_lines_say_to_which(
    client: Client, glass: Benchmark
) -> None:
    scores = {"bm25": {"30k": [5.0] * 24}, "simple-rag@minilm": {"30k": [4.0] * 24}}
    make_run(glass, scores)
    named = '<span class="sub">to simple-rag'
    assert named not in client.get(ADDRESS).content.decode()
    make_run(glass, {"simple-rag@static": {"30k": [3.0] * 24}}, created_at=timezone.now())
    assert named in client.get(ADDRESS).content.decode()


def test_the_field_variant_carries_the_suffix_and_system_does_not(measured: Benchmark) -> None:
    rows = {row.variant: row for row in leaderboard_page("glass", BoardFilters()).rows}
    hybrid = rows["simple-rag+bm25@static"]
    assert (hybrid.system, hybrid.slug) == ("simple-rag", "simple-rag+bm25")


def test_a_board_without_null_lines_says_so(glass: Benchmark) -> None:
    make_run(glass, {"bm25": {"30k": [5.0] * 24}, "mem0@static": {"30k": [6.0] * 24}})
    notes = {note.code: note.sentence for note in leaderboard_page("glass", BoardFilters()).notes}
    assert "This table has no null line" in notes["no-null-line"]


def test_an_anchor_without_a_budget_stands_on_every_track_with_its_own(measured: Benchmark) -> None:
    rows = {row.label: row for row in leaderboard_page("glass", BoardFilters(track="10k")).rows}
    assert (rows["direct-read"].track, rows["direct-read"].rank) == ("native", None)
    assert rows["bm25"].track == "10k"


def test_under_95_per_cent_scored_is_not_ranked_and_says_why(glass: Benchmark) -> None:
    unread: list[float | None] = [*([6.0] * 21), None, None, None]
    make_run(glass, {"bm25": {"30k": unread}, "simple-rag@static": {"30k": [5.0] * 24}})
    row = leaderboard_page("glass", BoardFilters(search="bm25")).rows[0]
    assert row.rank is None
    assert row.unranked_reason
    assert (row.n_scored, row.n_unscored, row.n_total) == (21, 3, 24)
    assert row.score == 6.0
    assert row.score_if_missing_lowest == pytest.approx(6.0 * 21 / 24)
    assert row.score_if_missing_highest == pytest.approx((6.0 * 21 + 30) / 24)


def test_what_is_missing_in_a_tier_is_told_apart(glass: Benchmark) -> None:
    unread: list[float | None] = [None, *([6.0] * 23)]
    run = make_run(glass, {"bm25": {"30k": unread}})
    cell = run.run_variants.get().cells.get(question__question_id="GQ1")
    page = leaderboard_page("glass", BoardFilters(slices={"tier": "L2"}))
    assert (page.rows[0].n_unscored, page.rows[0].n_errored) == (1, 0)
    cell.answer.judgments.all().delete()
    cell.errored_at = timezone.now()
    cell.save()
    page = leaderboard_page("glass", BoardFilters(slices={"tier": "L2"}))
    assert (page.rows[0].n_unscored, page.rows[0].n_errored) == (0, 1)


def test_systems_that_answer_themselves_are_ranked_only_when_asked(glass: Benchmark) -> None:
    make_run(glass, {"bm25": {"30k": [5.0] * 24}, "prism": {"30k": [6.0] * 24}})
    assert leaderboard_page("glass", BoardFilters()).n_ranked == 1
    assert leaderboard_page("glass", BoardFilters(internal=True)).n_ranked == 2


def test_a_system_added_later_joins_the_board(measured: Benchmark) -> None:
    make_run(measured, {"mem0@static": {"30k": [7.0] * 24}})
    page = leaderboard_page("glass", BoardFilters())
    assert "mem0@static" in {row.label for row in page.rows}
    assert len(page.keys.protocols) == 1


def test_another_seed_is_another_table(measured: Benchmark, scores: Scores) -> None:
    make_run(measured, {"mem0@static": {"30k": [7.0] * 24}}, seed=2, is_finished=False)
    page = leaderboard_page("glass", BoardFilters())
    assert "mem0@static" not in {row.label for row in page.rows}
    assert [one.is_complete for one in page.keys.protocols] == [True, False]
    other = page.keys.protocols[1].short_key
    assert [row.label for row in leaderboard_page("glass", BoardFilters(protocol=other)).rows] == [
        "mem0@static"
    ]


def test_the_newest_complete_key_is_the_default(measured: Benchmark) -> None:
    later = timezone.now()
    make_run(measured, {"bm25": {"30k": [7.0] * 24}}, seed=3, created_at=later)
    assert leaderboard_page("glass", BoardFilters()).keys.protocol.seed == 3  # type: ignore[union-attr]


def test_holdout_questions_are_never_shown_unasked(measured: Benchmark) -> None:
    later = timezone.now()
    make_run(measured, {"bm25": {"30k": [7.0] * 24}}, question_set="holdout", created_at=later)
    keys = leaderboard_page("glass", BoardFilters()).keys
    assert keys.protocol is not None
    assert keys.protocol.question_set == "all"


def test_judges_are_averaged_only_when_the_reader_picks_it(glass: Benchmark) -> None:
    run = make_run(glass, {"bm25": {"30k": [4.0] * 24}}, judges=("rubric", "openai:gpt"))
    other = run.run_judges.get(position=1).judge
    other.judgments.update(composite=8.0)
    refresh_run(run=run)
    assert leaderboard_page("glass", BoardFilters()).rows[0].score == 4.0
    assert leaderboard_page("glass", BoardFilters(judge="openai:gpt")).rows[0].score == 8.0
    assert leaderboard_page("glass", BoardFilters(judge="mean")).rows[0].score == 6.0


@pytest.mark.parametrize(
    "column",
    [
        "rank", "score", "system", "modality", "chars", "scored", "ingest_cost", "ingest", "query",
        "cost", "L1",
    ],
)  # fmt: skip
def test_every_column_sorts_within_its_part_of_the_table(measured: Benchmark, column: str) -> None:
    up = leaderboard_page("glass", BoardFilters(sort=column, descending=False))
    down = leaderboard_page("glass", BoardFilters(sort=column, descending=True))
    groups = [row.group for row in up.rows]
    assert groups == ["ranked"] * 3 + ["anchor"] * 2
    assert {row.label for row in up.rows} == {row.label for row in down.rows}


def test_ingest_cost_ingest_time_and_query_time_have_columns_of_their_own(
    client: Client, measured: Benchmark
) -> None:
    ScoreVector.objects.filter(run_variant__variant__label="bm25", track="30k").update(
        ingest_cost_usd=None, ingest_seconds=75.0, retrieve_ms_median=3.25
    )
    page = client.get(ADDRESS, {"search": "bm25", "sort": "ingest"}).content.decode()
    head = page[page.index("<thead>") : page.index("</thead>")]
    heads = [re.sub("<[^>]+>", "", one).strip() for one in re.findall("<th.*?</th>", head)]
    assert heads[-5:] == ["Ingest cost", "Ingest time", "Query time", "Cost a question", "Flags"]
    row = page[page.index("<tbody>") : page.index("</tbody>")]
    row = next(one for one in row.split("</tr>") if ">bm25</a>" in one)
    cells = [re.sub("<[^>]+>", " ", one).strip() for one in re.findall("<td.*?</td>", row)]
    assert len(cells) + 1 == len(heads)
    assert cells[-5:-2] == ["unknown", "1 min 15 s", "3.2 ms"]


def test_a_filtered_board_says_which_columns_the_filter_does_not_reach(
    measured: Benchmark,
) -> None:
    whole = leaderboard_page("glass", BoardFilters())
    tier = leaderboard_page("glass", BoardFilters(slices={"tier": "L1"}))
    assert "whole-set" not in {note.code for note in whole.notes}
    assert "whole-set" in {note.code for note in tier.notes}


def test_a_board_of_a_part_leads_to_the_board_of_all_questions(
    client: Client, measured: Benchmark, scores: Scores
) -> None:
    assert "show all questions" not in client.get("/benchmarks/glass/").content.decode()
    later = STARTED + timedelta(days=1)
    make_run(measured, scores, question_set="first:12", created_at=later)
    page = client.get("/benchmarks/glass/").content.decode()
    assert "These are first:12 questions only" in page
    whole = Protocol.objects.get(question_set="all")
    assert f"?protocol={whole.key[:12]}" in page
