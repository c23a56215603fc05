"""The form that starts a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Run
from evaluation.services.dispatch import works_kept_here
from evaluation.services.loading import load_benchmark
from tests.evaluation.toy_runs import TOY

FORM = {
    "benchmark": TOY, "systems": ["bm25", "base-model"], "tracks": "native, 1k",
    "embedder": "static", "synthesizer": "extractive", "judges": ["rubric"],
    "questions": "all", "budget_mode": "capped", "seed": "7", "repeats": "1",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _no_worker() -> Iterator[None]:
    with works_kept_here():
        yield


def test_the_form_offers_what_this_machine_has(lead: Client, db: None) -> None:
    load_benchmark(name_or_path=TOY)
    text = lead.get("/runs/new/", {"benchmark": TOY}).content.decode()
    for offered in ("simple-rag+bm25", "oracle-context", "rubric", "minilm", "extractive"):
        assert offered in text
    assert 'checked id="id_systems_0"' in text or 'id="id_systems_0" checked' in text


def test_without_a_benchmark_the_form_says_what_to_load(lead: Client, db: None) -> None:
    assert "No benchmark with questions is loaded." in lead.get("/runs/new/").content.decode()


def test_a_lead_starts_a_run_and_lands_on_it(lead: Client, db: None) -> None:
    load_benchmark(name_or_path=TOY)
    reply = lead.post("/runs/new/", FORM)
    run = Run.objects.get()
    assert reply["Location"] == f"/runs/{run.public_id}/"
    assert (run.options["seed"], run.created_by and run.created_by.get_username()) == (7, "lead")
    assert sorted(run.tracks) == ["1k", "native"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"tracks": "40 parsecs"}, "Unknown track"),
        ({"systems": []}, "Choose at least one."),
        ({"judges": [], "model_judges": ""}, "name at least one judge"),
        ({"seed": "many"}, "Enter a whole number."),
        ({"repeats": "0"}, "greater than or equal to 1"),
        ({"spending_limit_usd": "-1"}, "greater than or equal to 0"),
        ({"synthesizer": "poet"}, "no synthesizer is called"),
        ({"model_judges": "oracle"}, "No judge is called"),
        ({"model_judges": "openai:gpt-4.1-mini"}, "OPENAI_API_KEY"),
        ({"questions": "hard ones"}, "hard ones"),
    ],
)
def test_a_wrong_field_is_named_and_what_was_typed_is_kept(
    lead: Client,
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, Any],
    sentence: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    load_benchmark(name_or_path=TOY)
    reply = lead.post("/runs/new/", {**FORM, **change})
    text = reply.content.decode()
    assert reply.status_code == 400
    assert sentence.casefold() in text.casefold()
    assert "The run was not started." in text
    assert str(next(iter(change.values())) or "native, 1k") in text
    assert not Run.objects.exists()


def test_a_viewer_may_not_start_a_run(viewer: Client, db: None) -> None:
    assert viewer.get("/runs/new/").status_code == 403
    assert viewer.post("/runs/new/", FORM).status_code == 403
