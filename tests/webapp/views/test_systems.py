"""Memory systems: the list and one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Benchmark, DoctorFinding, Run
from evaluation.queries.system_pages import system_page, system_rows
from evaluation.services.published import load_published
from memory_systems import registry
from tests.webapp.laboratory import STARTED, make_run


def test_the_list_has_every_registered_system_anchors_last(client: Client, db: None) -> None:
    rows = system_rows()
    assert {row.slug for row in rows} == set(registry.system_slugs())
    kinds = [row.is_anchor for row in rows]
    assert kinds == sorted(kinds)
    text = client.get("/systems/").content.decode()
    assert "Anchors" in text
    assert "/systems/simple-rag/" in text


def test_a_system_shows_its_contract(client: Client, db: None) -> None:
    text = client.get("/systems/simple-rag/").content.decode()
    for part in ("Granularity", "Knob", "Options", "Not measured here yet."):
        assert part in text


def test_a_measured_system_shows_where_and_how_well(client: Client, measured: Benchmark) -> None:
    row = next(row for row in system_page("bm25").measured if row.track == "30k")
    assert (row.benchmark, row.n_scored, row.n_total, row.judge) == ("glass", 24, 24, "rubric")
    assert "Glass" in client.get("/systems/bm25/").content.decode()


def test_the_doctors_last_report_is_that_of_the_newest_run(measured: Benchmark) -> None:
    run = Run.objects.get()
    for level, sentence in (("ok", "170 units are stored"), ("warning", "the knob does nothing")):
        DoctorFinding.objects.create(
            run=run, system="bm25", label="bm25", stage="probe", check_name="knob", level=level,
            sentence=sentence, at=STARTED,
        )  # fmt: skip
    page = system_page("bm25")
    assert page.doctor_run == run.public_id
    assert [check.message for check in page.doctor] == [
        "170 units are stored", "the knob does nothing",
    ]  # fmt: skip
    assert page.doctor_outcomes == (("warning", 1), ("ok", 1))


def test_the_status_sums_up_the_doctor_and_the_declared_departures(
    client: Client, measured: Benchmark
) -> None:
    before = client.get("/systems/graphiti/").content.decode()
    assert "has not examined it yet" in before
    assert "what they are" in before
    DoctorFinding.objects.create(
        run=None, system="bm25", label="bm25", stage="probe", check_name="knob", level="failed",
        sentence="the knob does nothing", at=STARTED,
    )  # fmt: skip
    text = client.get("/systems/bm25/").content.decode()
    assert '<span class="chip bad">1 failed</span>' in text
    assert "part of MemJury: nothing to install" in text
    assert "none declared" in text


def test_a_system_known_from_imports_only_says_so(client: Client, glass: Benchmark) -> None:
    make_run(glass, {"zep": {"30k": [5.0] * 24}}, origin=Run.IMPORTED)
    assert "only imported or published results know it" in (
        client.get("/systems/zep/").content.decode()
    )


def test_a_published_system_can_be_opened(client: Client, db: None) -> None:
    load_published()
    assert client.get("/systems/graphiti/").status_code == 200


def test_an_unknown_system_is_not_found(client: Client, db: None) -> None:
    reply = client.get("/systems/hal/")
    assert (reply.status_code, "memory system" in reply.content.decode()) == (404, True)


def test_a_system_that_cannot_be_imported_says_what_to_install(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.SYSTEMS, "bm25", "not_installed_anywhere:Bm25")
    assert "not_installed_anywhere" in client.get("/systems/").content.decode()
    assert "not_installed_anywhere" in client.get("/systems/bm25/").content.decode()


def test_the_pages_cost_few_queries(
    client: Client, measured: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(2):
        client.get("/systems/")
    with django_assert_max_num_queries(9):
        client.get("/systems/bm25/")
    with django_assert_max_num_queries(8):
        client.get("/systems/bm25/")
