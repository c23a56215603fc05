"""Benchmarks, boards and questions: the same rows as the queries give the pages."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from evaluation.models import Judge, Protocol
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.services.auditing import audit
from evaluation.services.loading import load_benchmark
from evaluation.services.page_json import page_json
from evaluation.services.published import load_published
from tests.evaluation.toy_runs import TOY, measured_run

pytestmark = pytest.mark.django_db
BOARD = f"/api/v1/benchmarks/{TOY}"
ROW_FIELDS = (
    "rank", "rank_band", "anchor", "system", "variant", "modality", "track", "score", "ci_low",
    "ci_high", "by_tier", "mean_achieved_chars", "n_scored", "n_unscored", "n_errored",
    "cost_usd", "flags", "source",
)  # fmt: skip


def test_benchmarks_are_listed(passer_by: APIClient) -> None:
    load_benchmark(name_or_path=TOY)
    load_published()
    body = passer_by.get("/api/v1/benchmarks/").json()
    assert body["count"] == len(body["results"]) == 7
    assert body["results"][0]["slug"] == TOY
    assert body["next"] is None


def test_an_empty_install_has_an_empty_list(passer_by: APIClient) -> None:
    assert passer_by.get("/api/v1/benchmarks/").json()["results"] == []


def test_the_leaderboard_has_the_rows_of_the_query(passer_by: APIClient) -> None:
    measured_run(systems=("bm25", "simple-rag", "base-model"))
    body = passer_by.get(f"{BOARD}/leaderboard/", {"track": "1k", "tier": "L1"}).json()
    page = leaderboard_page(TOY, BoardFilters(track="1k", slices={"tier": "L1"}))
    assert body["rows"] == page_json(page)["rows"]
    assert set(ROW_FIELDS) <= set(body["rows"][0])
    assert [row["variant"] for row in body["rows"] if row["anchor"]] == ["base-model"]
    assert {(row["system"], row["variant"]) for row in body["rows"] if not row["anchor"]} == {
        ("bm25", "bm25"),
        ("simple-rag", "simple-rag@static"),
    }


@pytest.mark.parametrize(
    "path", ["leaderboard/", "sweep/", "contrasts/", "compare/", "questions/", "questions/T1/"]
)
def test_every_answer_names_its_keys(passer_by: APIClient, path: str) -> None:
    measured_run(systems=("bm25", "simple-rag"))
    response = passer_by.get(f"{BOARD}/{path}")
    body = response.json()
    assert response.status_code == 200
    assert body["benchmark"] == TOY
    assert body["protocol"] == Protocol.objects.get().key
    assert body["question_set"] == "all"
    assert (body["judge"], body["judge_key"]) == ("rubric", Judge.objects.get().key)


def test_the_sweep_has_a_line_a_variant(passer_by: APIClient) -> None:
    measured_run(systems=("bm25", "simple-rag"))
    lines = passer_by.get(f"{BOARD}/sweep/").json()["lines"]
    assert {line["variant"] for line in lines} == {"bm25", "simple-rag@static"}
    assert [point["track"] for point in lines[0]["points"]] == ["1k", "native"]


def test_published_boards_are_read_like_measured_ones(passer_by: APIClient) -> None:
    load_published()
    board = passer_by.get("/api/v1/benchmarks/paim/leaderboard/", {"track": "native"}).json()
    assert {row["source"] for row in board["rows"]} == {"published"}
    assert board["protocol"] == board["judge"] == ""
    sweep = passer_by.get("/api/v1/benchmarks/ptr/sweep/").json()
    assert {line["source"] for line in sweep["lines"]} == {"published"}
    rows = passer_by.get("/api/v1/benchmarks/paim/contrasts/", {"track": "30k"}).json()["rows"]
    assert len(rows) == 6


def test_a_sweep_of_published_numbers_that_nobody_published_is_empty(passer_by: APIClient) -> None:
    measured_run(systems=("bm25",))
    response = passer_by.get(f"{BOARD}/sweep/", {"source": "published"})
    assert (response.status_code, response.json()["lines"]) == (200, [])


def test_two_variants_are_compared_question_by_question(passer_by: APIClient) -> None:
    measured_run(systems=("bm25", "base-model"))
    body = passer_by.get(f"{BOARD}/compare/", {"a": "bm25", "b": "base-model"}).json()
    assert (body["a"]["variant"], body["b"]["variant"]) == ("bm25", "base-model")
    assert {row["question_id"] for row in body["differences"]} == {"T1", "T2", "T3", "T4"}


def test_one_question_has_every_answer_to_it(passer_by: APIClient) -> None:
    measured_run()
    body = passer_by.get(f"{BOARD}/questions/T1/", {"track": "1k"}).json()
    assert body["expectations"][0]["gold_answer"] == "61.5 %"
    assert {row["label"] for row in body["answers"]} == {"bm25", "base-model"}


def test_holdout_questions_are_shown_to_nobody(passer_by: APIClient) -> None:
    measured_run()
    ids = [row["question_id"] for row in passer_by.get(f"{BOARD}/questions/").json()["rows"]]
    assert sorted(ids) == ["T1", "T2", "T3", "T4"]
    assert passer_by.get(f"{BOARD}/questions/TH1/").status_code == 404


def test_the_audit_of_a_benchmark_is_read(passer_by: APIClient) -> None:
    load_benchmark(name_or_path=TOY)
    assert passer_by.get(f"{BOARD}/audit/").json()["checks"] == []
    audit(benchmark=TOY)
    body = passer_by.get(f"{BOARD}/audit/").json()
    assert len(body["checks"]) == 7
    assert [name for name, _, _ in body["classes"]] == ["A", "B", "C", "D", "E"]
    assert body["n_sound"] == 4


def test_memory_systems_are_listed_and_described(passer_by: APIClient) -> None:
    rows = passer_by.get("/api/v1/systems/").json()["results"]
    assert {"bm25", "simple-rag", "base-model"} <= {row["slug"] for row in rows}
    body = passer_by.get("/api/v1/systems/bm25/").json()
    assert body["system"]["modalities"] == ["lexical"]
    assert passer_by.get("/api/v1/systems/nobody/").status_code == 404


@pytest.mark.parametrize(
    ("path", "query", "field", "known"),
    [
        ("leaderboard/", {"track": "77k"}, "track", ["native", "1k"]),
        ("leaderboard/", {"modality": "wet"}, "modality", ["lexical"]),
        ("leaderboard/", {"judge": "nobody"}, "judge", ["rubric"]),
        ("leaderboard/", {"tier": "L7"}, "tier", ["L1", "L2"]),
        ("leaderboard/", {"source": "heard"}, "source", ["measured", "published", "all"]),
        ("leaderboard/", {"internal": "maybe"}, "internal", ["0", "1"]),
        ("leaderboard/", {"order": "sideways"}, "order", ["up", "down"]),
        ("leaderboard/", {"colour": "red"}, "filter", ["tier", "type"]),
        ("sweep/", {"source": "heard"}, "source", ["measured", "published", "all"]),
        ("contrasts/", {"track": "77k"}, "track", ["native", "1k"]),
        ("compare/", {"a": "nobody"}, "a", ["bm25", "base-model"]),
        ("questions/", {"page": "zero"}, "page", ["a number from 1"]),
        ("questions/", {"page": "9" * 5000}, "page", ["a number from 1"]),
        ("questions/", {"page": "9"}, "page", ["a number from 1 to 1"]),
        ("questions/T1/", {"track": "77k"}, "track", ["native", "1k"]),
    ],
)
def test_an_unknown_value_is_refused_with_the_known_ones(
    passer_by: APIClient, path: str, query: dict[str, str], field: str, known: list[str]
) -> None:
    measured_run()
    response = passer_by.get(f"{BOARD}/{path}", query)
    body = response.json()
    assert response.status_code == 400
    assert body["field"] == field
    assert sorted(body["known"]) == sorted(known)
    assert next(iter(query.values())) in body["detail"] or "colour" in body["detail"]


def test_a_protocol_is_chosen_by_the_start_of_its_key(passer_by: APIClient) -> None:
    measured_run()
    measured_run(seed=2)
    key = Protocol.objects.order_by("pk").values_list("key", flat=True)[0]
    body = passer_by.get(f"{BOARD}/leaderboard/", {"protocol": key[:12]}).json()
    assert body["protocol"] == key
    assert len(body["protocols"]) == 2
    assert passer_by.get(f"{BOARD}/leaderboard/", {"protocol": "ffffff000"}).status_code == 400


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/benchmarks/nowhere/leaderboard/",
        "/api/v1/benchmarks/nowhere/sweep/",
        "/api/v1/benchmarks/nowhere/contrasts/",
        "/api/v1/benchmarks/nowhere/compare/",
        "/api/v1/benchmarks/nowhere/questions/",
        f"{BOARD}/questions/T99/",
        "/api/v1/runs/0000000000/",
        "/api/v1/runs/0000000000/answers/",
    ],
)
def test_what_is_not_there_is_a_404_in_words(passer_by: APIClient, path: str) -> None:
    load_benchmark(name_or_path=TOY)
    response = passer_by.get(path)
    assert response.status_code == 404
    assert response.json()["detail"].startswith("there is no")
