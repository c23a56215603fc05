"""Runs over the API: reading is free, spending is a lead's, refusals are in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from kombu.exceptions import OperationalError
from rest_framework.test import APIClient

from evaluation.models import Judgment, Run
from evaluation.services.exporting import exported_texts
from evaluation.services.in_process import run_to_end
from evaluation.services.loading import load_benchmark
from evaluation.services.runs import get_run
from tests.evaluation.toy_runs import TOY, measured_run, planned_run

pytestmark = pytest.mark.django_db
WANTED: dict[str, Any] = {
    "benchmark": TOY, "systems": ["bm25"], "tracks": ["native", "1k"], "embedder": "static",
}  # fmt: skip


def test_a_lead_starts_a_run(lead: APIClient) -> None:
    load_benchmark(name_or_path=TOY)
    response = lead.post("/api/v1/runs/", WANTED, format="json")
    assert response.status_code == 201
    run = Run.objects.get()
    body = response.json()
    assert body["run"]["public_id"] == run.public_id
    assert body["run"]["created_by"] == "a-lead"
    assert run.tracks == ["native", "1k"]
    assert run_to_end(run=run).finished_at is not None


def test_given_ids_are_the_questions(lead: APIClient) -> None:
    load_benchmark(name_or_path=TOY)
    lead.post("/api/v1/runs/", {**WANTED, "question_ids": ["T2", "T1"]}, format="json")
    assert Run.objects.get().question_ids == ["T1", "T2"]


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        ({"systems": ["nobody"]}, 400, "known: simple-rag"),
        ({"systems": []}, 400, "systems"),
        ({"systems": "bm25"}, 400, "systems"),
        ({"benchmark": "nowhere"}, 404, "no benchmark 'nowhere' is loaded"),
        ({"tracks": ["huge"]}, 400, "unknown track 'huge'"),
        ({"modalities": ["wet"]}, 400, "unknown modality 'wet'"),
        ({"judges": ["nobody"]}, 400, "no judge is called 'nobody'"),
        ({"synthesizer": "nobody"}, 400, "no synthesizer is called 'nobody'"),
        ({"embedder": "word2vec"}, 400, "known: minilm, static"),
        ({"questions": "/etc/passwd"}, 400, "unknown question set"),
        ({"question_ids": ["T99"]}, 400, "T99"),
        ({"repeats": 0}, 400, "repeats"),
        ({"spending_limit_usd": -1}, 400, "spending_limit_usd"),
        ({"seed": "lucky"}, 400, "seed"),
        ({"parameters": {"bm25": {"depth": 3}}}, 400, "no parameter 'depth'"),
        ({"parameters": {"bm25": {"chunk_chars": -1}}}, 400, "no negative or infinite"),
        ({"parameters": {"bm25": {"lexical_engine": "x"}}}, 400, "unknown lexical engine 'x'"),
        (
            {"systems": ["prism"], "parameters": {"prism": {"model": "lab:big"}}},
            400,
            "no endpoint is called 'lab'",
        ),
        ({"colour": "red"}, 400, "unknown field; known: benchmark, systems"),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_what_cannot_be_run_is_refused_in_words(
    lead: APIClient, change: dict[str, Any], status: int, said: str
) -> None:
    load_benchmark(name_or_path=TOY)
    response = lead.post("/api/v1/runs/", {**WANTED, **change}, format="json")
    body = response.json()
    assert response.status_code == status
    assert said in body["detail"]
    assert set(body) == {"detail", "field", "known"}
    assert not Run.objects.exists()


def test_an_unknown_system_is_refused_with_the_list_of_known_ones(lead: APIClient) -> None:
    load_benchmark(name_or_path=TOY)
    response = lead.post("/api/v1/runs/", {**WANTED, "systems": ["nobody"]}, format="json")
    assert "simple-rag" in response.json()["known"]


def test_a_body_that_is_not_json_is_refused(lead: APIClient) -> None:
    response = lead.post("/api/v1/runs/", "{", content_type="application/json")
    assert response.status_code == 400
    assert "JSON" in response.json()["detail"]


POSTS = ("", "0000000000/resume/", "0000000000/pause/", "0000000000/cancel/",
         "0000000000/rejudge/", "import/")  # fmt: skip


@pytest.mark.parametrize("path", POSTS)
def test_a_passer_by_is_asked_for_a_token(passer_by: APIClient, path: str) -> None:
    response = passer_by.post(f"/api/v1/runs/{path}", {}, format="json")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Token")
    assert response.json()["detail"]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("role", ["viewer", "rater"])
def test_spending_needs_the_role_lead(
    client_of: Callable[[str], APIClient], role: str, path: str
) -> None:
    response = client_of(role).post(f"/api/v1/runs/{path}", {}, format="json")
    assert response.status_code == 403
    assert "role lead" in response.json()["detail"]


def test_an_administrator_may_do_what_a_lead_may(client_of: Callable[[str], APIClient]) -> None:
    run = planned_run()
    response = client_of("admin").post(f"/api/v1/runs/{run.public_id}/pause/")
    assert response.status_code == 200


def test_a_wrong_token_is_refused(passer_by: APIClient) -> None:
    passer_by.credentials(HTTP_AUTHORIZATION="Token 0123")
    response = passer_by.get("/api/v1/runs/")
    assert response.status_code == 401
    assert response.json()["detail"] == "Invalid token."


def test_runs_are_listed_a_page_at_a_time(passer_by: APIClient) -> None:
    run = planned_run(systems=("base-model",))
    for number in range(34):
        run.pk = None
        run.public_id = f"copy-{number:05d}"
        run.save()
    first = passer_by.get("/api/v1/runs/").json()
    assert (first["count"], first["page"], first["n_pages"]) == (35, 1, 2)
    assert first["previous"] is None
    second = passer_by.get(first["next"]).json()
    assert second["next"] is None
    ids = [row["public_id"] for row in first["results"] + second["results"]]
    assert len(set(ids)) == 35
    assert passer_by.get("/api/v1/runs/", {"page": 3}).status_code == 400


def test_one_run_says_how_far_it_is(passer_by: APIClient) -> None:
    run = measured_run()
    body = passer_by.get(f"/api/v1/runs/{run.public_id}/").json()
    assert body["run"]["state"] == "finished"
    assert {stage["name"]: (stage["n_done"], stage["n_total"]) for stage in body["stages"]}[
        "Answer"
    ] == (12, 12)


def test_a_run_is_paused_resumed_and_cancelled(lead: APIClient) -> None:
    address = f"/api/v1/runs/{planned_run().public_id}"
    assert lead.post(f"{address}/pause/").json()["run"]["state"] == "paused"
    resumed = lead.post(f"{address}/resume/", {}, format="json").json()
    assert (resumed["run"]["state"], resumed["n_works"]) == ("waiting", 1)
    assert lead.post(f"{address}/cancel/").json()["run"]["state"] == "cancelled"
    refused = lead.post(f"{address}/resume/", {}, format="json")
    assert refused.status_code == 409
    assert "was cancelled" in refused.json()["detail"]


def test_one_more_judge_is_asked_for_over_the_api(lead: APIClient) -> None:
    run = measured_run()
    address = f"/api/v1/runs/{run.public_id}/rejudge/"
    body = {"judge": "substring", "question_ids": ["T1"]}
    assert lead.post(address, body, format="json").status_code == 200
    run_to_end(run=run)
    assert Judgment.objects.filter(judge__name="substring").count() == 3
    assert lead.post(address, body, format="json").status_code == 409


def test_answers_come_in_pages_in_the_order_of_the_exports(passer_by: APIClient) -> None:
    run = get_run(measured_run().public_id)
    address = f"/api/v1/runs/{run.public_id}/answers/"
    seen, query = [], f"{address}?page_size=5"
    while query:
        body = passer_by.get(query).json()
        assert body["count"] == 12
        seen += body["results"]
        query = body["next"]
    exported = [json.loads(text) for text in exported_texts(run=run, format="jsonl")]
    assert [row["answer"] for row in seen] == [row["answer"] for row in exported]
    assert seen[0]["judgments"][0]["judge"] == "rubric"


def test_answers_are_narrowed_and_show_their_contexts(passer_by: APIClient) -> None:
    run = measured_run()
    address = f"/api/v1/runs/{run.public_id}/answers/"
    query = {"variant": "bm25", "track": "1k", "question": "T1", "contexts": "1"}
    (row,) = passer_by.get(address, query).json()["results"]
    assert len(row["context"]) == row["achieved_chars"]
    nonsense = {"variant": "x", "track": "x", "question": "x", "page_size": "0", "page": "9" * 5000}
    for name, value in nonsense.items():
        refused = passer_by.get(address, {name: value})
        assert (refused.status_code, refused.json()["field"]) == (400, name)


def test_a_file_of_results_becomes_a_run(lead: APIClient) -> None:
    run = get_run(measured_run().public_id)
    content = "".join(exported_texts(run=run, format="jsonl")).encode()
    address = "/api/v1/runs/import/"

    def upload(content: bytes, **fields: str) -> Any:
        file = SimpleUploadedFile("answers.jsonl", content)
        return lead.post(address, {"file": file, **fields}, format="multipart")

    response = upload(content)
    body = response.json()
    assert response.status_code == 201
    assert (body["benchmark"], body["n_answers"], body["n_missing"]) == (TOY, 12, 0)
    assert Run.objects.get(public_id=body["run"]).options["imported"]["file"] == "answers.jsonl"
    assert upload(content).status_code == 409
    refused = upload(b"nonsense")
    assert refused.status_code == 400
    assert "not JSON" in refused.json()["detail"]
    unknown = upload(content, format="xml")
    assert (unknown.status_code, "jsonl" in unknown.json()["known"]) == (400, True)
    assert lead.post(address, {}, format="multipart").json()["field"] == "file"
    without = upload(content, holdout="true")
    assert (without.status_code, "not of the holdout" in without.json()["detail"]) == (400, True)


def test_without_a_broker_a_503_says_what_becomes_of_the_run(
    lead: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_broker(**_options: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("webapp.api.runs.create_run", no_broker)
    response = lead.post("/api/v1/runs/", WANTED, format="json")
    assert response.status_code == 503
    assert "broker does not answer" in response.json()["detail"]
