"""The audit page of a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from evaluation.models import AuditCheck, AuditFinding, Benchmark
from evaluation.queries.audit_page import audit_page
from tests.webapp.laboratory import STARTED

ADDRESS = "/benchmarks/glass/audit/"


def _audited(benchmark: Benchmark) -> None:
    sound = AuditCheck.objects.create(
        benchmark=benchmark, name="Source pointers", position=1, n_checked=24, at=STARTED,
        description="Every question names sources that exist.",
    )  # fmt: skip
    AuditCheck.objects.create(
        benchmark=benchmark, name="Answerable without the corpus", position=2, at=STARTED,
        refusal="There is no base-model run to read.",
    )  # fmt: skip
    for question_id, name in (("GQ3", "C"), ("GQ3", "D"), ("GQ4", "")):
        AuditFinding.objects.create(
            audit_check=sound, question_id=question_id, position=1, audit_class=name,
            sentence=f"{question_id} points nowhere",
        )  # fmt: skip


def test_the_page_shows_checks_findings_and_refusals(client: Client, glass: Benchmark) -> None:
    _audited(glass)
    text = client.get(ADDRESS).content.decode()
    assert "GQ3 points nowhere" in text
    assert "There is no base-model run to read." in text
    assert "/benchmarks/glass/questions/GQ3/" in text


def test_a_question_with_two_classes_counts_in_both(glass: Benchmark) -> None:
    _audited(glass)
    page = audit_page("glass")
    counts = {name: n for name, _, n in page.classes}
    assert (counts["A"], counts["C"], counts["D"]) == (0, 1, 1)
    assert page.n_sound == 22


def test_a_benchmark_not_audited_names_the_command(client: Client, glass: Benchmark) -> None:
    assert "manage.py audit_benchmark glass" in client.get(ADDRESS).content.decode()


def test_what_the_loader_found_is_shown(client: Client, glass: Benchmark) -> None:
    glass.report = {"n_spans_relocated": 190, "problems": ["line 7: no gold"]}
    glass.save()
    text = client.get(ADDRESS).content.decode()
    assert "Source spans relocated" in text
    assert "line 7: no gold" in text


def test_an_unknown_benchmark_is_not_found(client: Client, db: None) -> None:
    assert client.get("/benchmarks/steel/audit/").status_code == 404


def test_the_page_costs_few_queries(
    client: Client, glass: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    _audited(glass)
    with django_assert_max_num_queries(7):
        client.get(ADDRESS)
