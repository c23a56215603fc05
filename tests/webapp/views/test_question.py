"""One question and one answer with its context, on a really measured run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from evaluation.models import Benchmark, Cell, CellError, Run
from evaluation.queries.question_page import answer_page, question_page
from evaluation.services.contexts import stored_context
from tests.evaluation.toy_runs import TOY, measured_run
from tests.webapp.laboratory import make_run

GLASS = "/benchmarks/glass/questions/GQ2/"


@pytest.fixture
def toy(db: None) -> Run:
    return measured_run()


def _cell(run: Run, *, track: str = "1k", system: str = "bm25") -> Cell:
    cell = (
        Cell.objects.filter(run_variant__run=run, track=track, run_variant__variant__system=system)
        .exclude(question__data__expectations__main__facts=[])
        .order_by("pk")
        .select_related("question")
        .first()
    )
    assert cell is not None
    return cell


def test_the_page_has_gold_facts_and_every_answer(client: Client, measured: Benchmark) -> None:
    text = client.get(GLASS).content.decode()
    assert "It anneals at 2 degrees." in text
    assert "It is 2 degrees." in text
    assert text.count("It <strong>anneals</strong>.") == 5
    assert "It names the temperature." in text


def test_answers_stand_best_first_and_anchors_last(measured: Benchmark) -> None:
    answers = question_page("glass", "GQ2").answers
    scores = [row.score for row in answers if not row.anchor]
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert [row.anchor for row in answers] == [False] * 3 + [True] * 2


def test_the_same_variant_is_shown_at_every_track(measured: Benchmark) -> None:
    row = next(row for row in question_page("glass", "GQ2").answers if row.label == "bm25")
    assert [track for track, _, _ in row.by_track] == ["10k", "30k", "native"]
    assert {track: cell for track, _, cell in row.by_track}["30k"] == row.cell_id


def test_the_partial_comes_alone(client: Client, measured: Benchmark) -> None:
    text = client.get(GLASS, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert "simple-rag<wbr>@static" in text


def test_neighbours_follow_the_benchmarks_order(measured: Benchmark) -> None:
    page = question_page("glass", "GQ2")
    assert (page.previous_id, page.next_id) == ("GQ1", "GQ3")
    assert question_page("glass", "GQ1").previous_id == ""


def test_a_question_nobody_answered_says_what_to_do(client: Client, glass: Benchmark) -> None:
    assert "Nobody has answered this question here yet." in client.get(GLASS).content.decode()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/benchmarks/steel/questions/GQ2/", 404),
        ("/benchmarks/glass/questions/GQ99/", 404),
        ("/benchmarks/glass/questions/GQ2/answers/999999/", 404),
        (GLASS + "?track=7k", 400),
        (GLASS + "?phase=later", 400),
        (GLASS + "?judge=oracle", 400),
    ],
)
def test_what_is_not_there_is_said(
    client: Client, measured: Benchmark, address: str, status: int
) -> None:
    assert client.get(address).status_code == status


def test_a_holdout_question_is_not_shown_unasked(client: Client, measured: Benchmark) -> None:
    question = measured.questions.get(question_id="GQ2")
    question.is_holdout = True
    question.save()
    run = Run.objects.get()
    run.question_ids = [one for one in run.question_ids if one != "GQ2"]
    run.save()
    assert client.get(GLASS).status_code == 404


def test_every_state_of_a_cell_is_told_apart(glass: Benchmark) -> None:
    unread: list[float | None] = [None, *([6.0] * 23)]
    run = make_run(
        glass,
        {"bm25": {"30k": unread}, "mem0@static": {"30k": [5.0] * 24}, "a-mem": {"30k": [4.0] * 24}},
    )
    cells = Cell.objects.filter(run_variant__run=run, question__question_id="GQ1")
    errored = cells.get(run_variant__variant__system="mem0")
    errored.answer.delete()
    errored.errored_at = timezone.now()
    errored.save()
    CellError.objects.create(
        cell=errored, stage="synthesize", message="the endpoint timed out", at=timezone.now()
    )
    pending = cells.get(run_variant__variant__system="a-mem")
    pending.answer.delete()
    rows = {row.label: row for row in question_page("glass", "GQ1").answers}
    assert (rows["bm25"].state, rows["bm25"].state_reason) == (
        "unscored", "the reply could not be read",
    )  # fmt: skip
    assert (rows["mem0@static"].state, rows["mem0@static"].state_reason) == (
        "errored", "the endpoint timed out",
    )  # fmt: skip
    assert rows["a-mem"].state == "pending"


def test_an_answer_cannot_bring_markup_of_its_own(client: Client, measured: Benchmark) -> None:
    answer = Cell.objects.filter(question__question_id="GQ2", track="30k")[0].answer
    answer.text = "<script>alert(1)</script> $\\href{javascript:x}{y}$ \u202eback"
    answer.save()
    text = client.get(GLASS).content.decode()
    assert "<script>alert(1)" not in text
    assert "javascript:" not in text
    assert "⟦U+202E⟧" in text


def test_the_context_is_shown_with_its_facts_marked(client: Client, toy: Run) -> None:
    cell = _cell(toy)
    page = answer_page(TOY, cell.question.question_id, cell.pk, read_context=stored_context)
    assert page.units
    assert sum(len(piece.text) for unit in page.units for piece in unit.pieces) > 0
    found = [fact for fact in page.facts if fact.in_context]
    assert found
    marked = [piece for unit in page.units for piece in unit.pieces if piece.facts]
    assert marked
    text = client.get(
        f"/benchmarks/{TOY}/questions/{cell.question.question_id}/answers/{cell.pk}/"
    ).content.decode()
    assert "<mark" in text
    assert "in the context" in text


def test_marking_changes_no_character_of_the_context(toy: Run) -> None:
    cell = _cell(toy)
    page = answer_page(
        TOY, cell.question.question_id, cell.pk, whole_context=True, read_context=stored_context
    )
    context = stored_context(retrieval=cell.retrieval)
    shown = ["".join(piece.text for piece in unit.pieces) for unit in page.units]
    assert shown == [unit.text for unit in context.units]


def test_an_answer_without_context_says_so(client: Client, toy: Run) -> None:
    cell = _cell(toy, track="native", system="base-model")
    text = client.get(
        f"/benchmarks/{TOY}/questions/{cell.question.question_id}/answers/{cell.pk}/"
    ).content.decode()
    assert "answered without any context" in text


def test_the_pages_cost_few_queries(
    client: Client, toy: Run, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    cell = _cell(toy)
    address = f"/benchmarks/{TOY}/questions/{cell.question.question_id}/"
    with django_assert_max_num_queries(14):
        client.get(address)
    client.get(f"{address}answers/{cell.pk}/")
    with django_assert_max_num_queries(15):
        client.get(f"{address}answers/{cell.pk}/")
