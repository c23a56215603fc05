"""A run with a system in a worker process: it says what happened and finishes the rest."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from evaluation.language_models import upstreams
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.stub_server import StubServer
from evaluation.models import CellError, DoctorFinding, IngestEvent, ModelRequest, Run, ScoreVector
from evaluation.records import Ingest, Scenario
from evaluation.services import benchmarks, stores
from evaluation.services.in_process import run_to_end
from evaluation.services.stores import store_folder
from memory_systems import registry
from tests.evaluation.toy_runs import planned_run
from tests.memory_systems.native.fake_system import LINE, SLUG, FakeNative

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("fake_system"),
]


@pytest.fixture
def fake_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "SYSTEMS", {**registry.SYSTEMS, SLUG: LINE})


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubServer]:
    with StubServer() as stub:
        for name, value in stub.environ.items():
            monkeypatch.setenv(name, value)
        quick = RetryPolicy(attempts=2, rng=Random(1), sleep=lambda _: None)
        monkeypatch.setattr(upstreams, "RetryPolicy", lambda: quick)
        yield stub


def native_run(*, force: bool = False, **parameters: Any) -> Run:
    run = planned_run(
        systems=(SLUG, "bm25"),
        tracks=("native",),
        force=force,
        parameters={SLUG: parameters} if parameters else {},
    )
    return run_to_end(run=run)


def spoil_last_document(monkeypatch: pytest.MonkeyPatch, mishap: str) -> None:
    """Put a mishap into a document as it is taken into a store; the doctor's probe is spared."""
    original = benchmarks.scenario_record

    def spoiled(pk: int) -> Scenario:
        scenario = original(pk)
        steps = list(scenario.steps)
        place = max(n for n, step in enumerate(steps) if isinstance(step, Ingest))
        ingest = steps[place]
        assert isinstance(ingest, Ingest)
        steps[place] = Ingest(replace(ingest.item, text=mishap))
        return replace(scenario, steps=tuple(steps))

    monkeypatch.setattr(stores, "scenario_record", spoiled)


def events() -> list[IngestEvent]:
    return list(IngestEvent.objects.exclude(store_key="").order_by("pk"))


def native_events(run: Run) -> list[IngestEvent]:
    key = run.run_variants.get(variant__system=SLUG).store_key
    return [event for event in events() if event.store_key == key]


def test_a_run_names_the_stub_in_the_label_and_flags_the_row() -> None:
    run = native_run()
    assert run.finished_at is not None
    variant = run.run_variants.get(variant__system=SLUG).variant
    assert variant.label == f"{SLUG}@model=stub"
    vector = ScoreVector.objects.filter(run_variant__variant=variant).first()
    assert vector is not None
    assert "stub-model" in {code for code, _ in vector.flags}
    assert vector.n_scored > 0


@pytest.mark.usefixtures("endpoint")
def test_the_stub_served_over_http_flags_the_row_too() -> None:
    run = native_run(asks_model=True, model="stub:good")
    vector = ScoreVector.objects.filter(run_variant__run=run, run_variant__variant__system=SLUG)[0]
    assert "stub-model" in {code for code, _ in vector.flags}


def test_calls_tokens_and_cost_of_an_ingest_are_logged(endpoint: StubServer) -> None:
    run = native_run(asks_model=True, model="stub:good")
    logged = native_events(run)
    assert sum(event.model_calls for event in logged) > 0
    assert all(event.tokens > 0 and event.cost_usd == 0.0 for event in logged if event.n_units)
    assert ModelRequest.objects.filter(run_public_id=run.public_id).count() == (
        endpoint.count.n_requests
    )


def test_a_store_that_is_built_again_asks_its_model_nothing(endpoint: StubServer) -> None:
    run = native_run(asks_model=True, model="stub:good")
    before = endpoint.count.n_requests
    assert before > 0
    run_variant = run.run_variants.get(variant__system=SLUG)
    scenario = run.benchmark.scenarios.order_by("position")[0]
    folder = store_folder(store_key=run_variant.store_key, scenario=scenario)
    shutil.rmtree(folder)
    again = native_run(asks_model=True, model="stub:good")
    assert again.finished_at is not None
    assert folder.exists()
    assert endpoint.count.n_requests == before


@pytest.mark.parametrize("mishap", ["CRASH in the middle", "RAISE at this", "HANG for long"])
def test_a_document_that_breaks_the_worker_is_an_error_and_the_run_finishes(
    mishap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil_last_document(monkeypatch, mishap)
    run = native_run()
    assert run.finished_at is not None, run.stopped_reason
    logged = native_events(run)
    broken = [event for event in logged if event.errors]
    assert len(broken) == 1
    assert broken[0].n_units == 0
    assert all(event.n_units for event in logged if not event.errors)
    told = DoctorFinding.objects.get(run=run, stage="ingest", check_name="ingest")
    assert told.level == "warning"
    assert broken[0].item_id in told.sentence
    assert not CellError.objects.filter(cell__run_variant__run=run).exists()


def test_a_document_that_left_nothing_is_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    spoil_last_document(monkeypatch, "LOSE all of this")
    run = native_run()
    assert run.finished_at is not None, run.stopped_reason
    flagged = [event for event in native_events(run) if event.errors]
    assert len(flagged) == 1
    assert flagged[0].errors[0].startswith("stored nothing")


def test_an_endpoint_that_fails_pauses_the_run_before_anything_else_is_paid(
    endpoint: StubServer,
) -> None:
    run = native_run(asks_model=True, model="stub:stub-500")
    assert run.paused_at is not None
    assert "documents had errors" in run.stopped_reason
    assert "HTTP Error 502" in run.stopped_reason or "HTTP 500" in run.stopped_reason


def test_a_forced_run_on_an_endpoint_that_fails_says_so_for_every_document(
    endpoint: StubServer,
) -> None:
    run = native_run(asks_model=True, model="stub:stub-500", force=True)
    assert run.finished_at is not None
    logged = native_events(run)
    assert logged
    assert all(event.errors and not event.n_units for event in logged)
    scored = ScoreVector.objects.get(run_variant__run=run, run_variant__variant__system="bm25")
    assert scored.n_scored > 0


def test_a_package_that_does_not_start_is_the_error_of_its_cells_and_others_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = replace(FakeNative.LIMITS, start_s=0.5)
    monkeypatch.setattr(FakeNative, "LIMITS", limits)
    run = native_run(start="hang", force=True)
    errors = CellError.objects.filter(cell__run_variant__variant__system=SLUG)
    assert errors.exists()
    assert all("did not start within 0.5 s" in error.message for error in errors)
    scored = ScoreVector.objects.get(run_variant__run=run, run_variant__variant__system="bm25")
    assert scored.n_scored > 0
    assert run.finished_at is not None
