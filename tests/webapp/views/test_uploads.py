from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from evaluation.models import Benchmark, Run
from evaluation.services.exporting import export_results
from tests.evaluation.toy_runs import TOY, measured_run

pytestmark = pytest.mark.django_db
SQUAD = {
    "data": [
        {
            "title": "Tea",
            "paragraphs": [
                {
                    "context": "Tea is brewed at 95 °C for three minutes.",
                    "qas": [
                        {
                            "id": 1,
                            "question": "How hot is tea brewed?",
                            "answers": [{"text": "95 °C", "answer_start": 17}],
                        }
                    ],
                }
            ],
        }
    ]
}


def squad_file(body: object = SQUAD) -> SimpleUploadedFile:
    return SimpleUploadedFile("tea.json", json.dumps(body).encode())


def test_a_benchmark_comes_in_through_the_page(lead: Client) -> None:
    reply = lead.post(reverse("upload_benchmark"), {"file": squad_file(), "slug": "tea"})
    assert reply.status_code == 302
    assert reply["Location"] == "/benchmarks/tea/"
    assert Benchmark.objects.get(slug="tea").n_questions == 1


def test_a_file_of_the_wrong_kind_is_refused_in_words_beside_the_file(lead: Client) -> None:
    file = squad_file({"nothing": "known"})
    reply = lead.post(reverse("upload_benchmark"), {"file": file, "slug": "tea"})
    assert reply.status_code == 400
    assert "file" in reply.context["form"].errors
    assert "tea.json" in str(reply.context["form"].errors["file"])
    assert not Benchmark.objects.filter(slug="tea").exists()


def test_results_come_in_through_the_page_as_a_run_of_their_own(
    lead: Client, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    export_results(run=measured_run(systems=("bm25",)), format="jsonl", path=path)
    file = SimpleUploadedFile("results.jsonl", path.read_bytes())
    reply = lead.post(
        reverse("upload_results"), {"file": file, "format": "jsonl", "benchmark": TOY}
    )
    assert reply.status_code == 302
    imported = Run.objects.get(origin=Run.IMPORTED)
    assert reply["Location"] == f"/runs/{imported.public_id}/"
    assert imported.created_by is not None


def test_the_page_takes_the_holdout_alone_where_the_box_is_ticked(
    lead: Client, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    run = measured_run(systems=("bm25",), questions="holdout")
    export_results(run=run, format="jsonl", path=path)
    sent = {"format": "jsonl", "benchmark": TOY}
    file = SimpleUploadedFile("results.jsonl", path.read_bytes())
    refused = lead.post(reverse("upload_results"), {**sent, "file": file})
    assert refused.status_code == 400
    assert "of the holdout" in str(refused.context["form"].errors["file"])
    file = SimpleUploadedFile("results.jsonl", path.read_bytes())
    reply = lead.post(reverse("upload_results"), {**sent, "file": file, "holdout": "on"})
    assert reply.status_code == 302
    assert Run.objects.get(origin=Run.IMPORTED).question_ids == ["TH1"]


@pytest.mark.parametrize("name", ["upload_results", "upload_benchmark"])
def test_the_form_shows_what_it_takes_and_an_empty_one_names_the_file(
    lead: Client, name: str
) -> None:
    assert lead.get(reverse(name)).status_code == 200
    empty = lead.post(reverse(name), {})
    assert empty.status_code == 400
    assert "file" in empty.context["form"].errors


@pytest.mark.parametrize("name", ["upload_results", "upload_benchmark"])
def test_only_a_lead_may_upload(viewer: Client, name: str) -> None:
    assert viewer.get(reverse(name)).status_code == 403
    assert viewer.post(reverse(name), {"file": squad_file()}).status_code == 403
    assert Client().get(reverse(name)).status_code == 302
