"""Answers that raters are deciding about are kept from everyone but leads, and a lead who opens one
is marked: they know who wrote it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from annotation.queries.embargo import (
    Embargo,
    embargo_of,
    embargo_of_campaign,
    embargo_of_export,
    embargoed_questions,
    is_unblinded,
)
from annotation.services.unblinding import mark_unblinded
from evaluation.queries.board_keys import board_keys
from evaluation.queries.choices import UnknownChoice
from evaluation.queries.compare import ComparePage, SliceTally
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.question_index import question_index
from evaluation.queries.questions import QuestionRow, QuestionsPage
from evaluation.queries.runs import RunPage
from webapp.http.pages import render_page, wants_partial
from webapp.http.roles import may_spend

View = Callable[..., HttpResponse]
FEWEST_OF_A_SLICE = 5
"""Questions that a figure must be made of while people vote on one of them."""


class AnswersEmbargoed(Exception):
    """The answers to this question are kept back while people vote on them."""

    def __init__(self, question_id: str, embargo: Embargo) -> None:
        super().__init__(f"the answers to {question_id} are {embargo.sentence}")


def kept_from_raters(view: View) -> View:
    """For pages of one question that show who answered what. A lead is asked before the page
    opens, and marked as unblinded by opening it."""

    @wraps(view)
    def wrapped(
        request: HttpRequest, slug: str, question_id: str, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        embargo = embargo_of(slug, question_id, now=timezone.now())
        if embargo is None:
            return view(request, slug, question_id, *args, **kwargs)
        if not may_spend(request.user):
            return _kept_back(request, embargo, question_id=question_id, status=403)
        return _asked_first(request, embargo, question_id=question_id) or view(
            request, slug, question_id, *args, **kwargs
        )

    return wrapped


def asked_before_unblinding(
    *, when: Callable[[HttpRequest], bool] = lambda _: True
) -> Callable[[View], View]:
    """For a lead's pages of a campaign, ``when`` they tell what a voter must not know: who wrote
    the answers people vote on, or what the answers say. The lead is asked before, and marked by
    going on. Below ``lead_required``, above ``require_safe``."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            tells = when(request)
            embargo = embargo_of_campaign(slug, now=timezone.now()) if tells else None
            asked = _asked_first(request, embargo) if embargo is not None else None
            return asked or view(request, slug, *args, **kwargs)

        return wrapped

    return decorate


def _asked_first(
    request: HttpRequest, embargo: Embargo, *, question_id: str = ""
) -> HttpResponse | None:
    """None once the lead behind the request is marked; else the question, or what follows it."""
    user = request.user
    if not isinstance(user, User):
        return _kept_back(request, embargo, question_id=question_id, status=403)
    if request.method == "POST":
        mark(user, embargo, what=request.path)
        return redirect(request.get_full_path())
    if is_unblinded(user_id=user.pk, campaign_ids=embargo.campaign_ids):
        return None
    if wants_partial(request):  # the question is a page of its own, and no part of this one
        return HttpResponse(headers={"HX-Redirect": request.get_full_path()})
    return _kept_back(request, embargo, question_id=question_id, status=200)


def _kept_back(
    request: HttpRequest, embargo: Embargo, *, question_id: str, status: int
) -> HttpResponse:
    section = "benchmarks" if question_id else "campaigns"
    context = {"embargo": embargo, "question_id": question_id, "section": section}
    return render_page(request, "pages/embargoed.html", context, status=status)


def open_to_reader(
    user: User | AnonymousUser | Any, slug: str, question_id: str, *, what: str
) -> None:
    """For the API: marks a lead, refuses everybody else.

    Raises AnswersEmbargoed where the question is under an embargo.
    """
    embargo = embargo_of(slug, question_id, now=timezone.now())
    if embargo is None:
        return
    if not (isinstance(user, User) and may_spend(user)):
        raise AnswersEmbargoed(question_id, embargo)
    mark(user, embargo, what=what)


def kept_from_reader(
    user: User | AnonymousUser | Any, slug: str, question_ids: Collection[str], *, what: str
) -> Mapping[str, Embargo]:
    """Those of the questions whose answers the reader may not have; a lead may have all of them,
    and is marked."""
    kept_back = {
        key: embargo
        for key, embargo in embargoed_questions(slug, now=timezone.now()).items()
        if key in question_ids
    }
    if not (isinstance(user, User) and may_spend(user)):
        return kept_back
    for embargo in set(kept_back.values()):
        mark(user, embargo, what=what)
    return {}


def mark_reader_of_export(user: User | AnonymousUser | Any, public_id: str, *, what: str) -> None:
    """Whoever downloads the votes of an open campaign, also when somebody else exported them."""
    embargo = embargo_of_export(public_id, now=timezone.now())
    if embargo is not None and isinstance(user, User):
        mark(user, embargo, what=what)


def mark(user: User, embargo: Embargo, *, what: str) -> None:
    """In every campaign of the embargo; whoever is marked already stays so."""
    for campaign_id in embargo.campaign_ids:
        mark_unblinded(user=user, campaign_id=campaign_id, what=what, now=timezone.now())


def wide_enough(filters: BoardFilters, slug: str, user: Any) -> BoardFilters:
    """The filters, where they leave so many questions that no single one can be read from them
    while people vote, or where the reader is a lead. Raises NotFound, UnknownChoice."""
    if not filters.slices or may_spend(user):
        return filters
    kept_back = embargoed_questions(slug, now=timezone.now())
    keys = board_keys(slug, protocol=filters.protocol, judge=filters.judge)
    chosen = question_index(keys).with_slices(filters.slices)
    if len(chosen) < FEWEST_OF_A_SLICE and not kept_back.keys().isdisjoint(chosen):
        field, value = next(iter(filters.slices.items()))
        known = f"slices of at least {FEWEST_OF_A_SLICE} questions, while people vote on fewer"
        raise UnknownChoice(field, value, (known,))
    return filters


def without_embargoed_names(page: QuestionsPage) -> QuestionsPage:
    """Who was best and worst on a question is kept back; means and spreads stay, unless they are
    of one variant alone."""
    kept_back = embargoed_questions(page.keys.benchmark.slug, now=timezone.now())
    if not kept_back:
        return page
    rows = (_nameless(row) if row.question_id in kept_back else row for row in page.rows)
    return replace(page, rows=tuple(rows))


def _nameless(row: QuestionRow) -> QuestionRow:
    if row.n_scored > 1:
        return replace(row, best="", worst="")
    return replace(row, best="", worst="", mean=None, drop=None)


def without_embargoed_differences(page: ComparePage) -> ComparePage:
    """The page without the differences on questions under an embargo, and saying so. Slices go
    too from whose means these could be told: those of few questions, and those of which few are
    kept back, since the differences on the others are shown."""
    all_kept_back = embargoed_questions(page.keys.benchmark.slug, now=timezone.now())
    kept_back = {
        row.question_id: all_kept_back[row.question_id]
        for row in page.differences
        if row.question_id in all_kept_back
    }
    if not kept_back:
        return page
    shown = tuple(row for row in page.differences if row.question_id not in kept_back)
    index = question_index(page.keys)

    def tells_nothing(tally: SliceTally) -> bool:
        of_slice = index.with_slices({tally.slice_name: tally.slice_value})
        n_kept_back = len(kept_back.keys() & set(of_slice))
        return tally.n >= FEWEST_OF_A_SLICE and not 0 < n_kept_back < FEWEST_OF_A_SLICE

    tallies = tuple(filter(tells_nothing, page.tallies))
    sentence = f"{sentence_of(kept_back)} The figures above are of all {len(page.differences)}."
    return replace(page, differences=shown, tallies=tallies, embargoed=sentence)


def sentence_of(kept_back: Mapping[str, Embargo]) -> str:
    """What is kept back, in one sentence; empty where nothing is."""
    if not kept_back:
        return ""
    names = sorted({name for embargo in kept_back.values() for name in embargo.names})
    closes = "closes" if len(names) == 1 else "close"
    questions = "1 question" if len(kept_back) == 1 else f"{len(kept_back)} questions"
    until = f"{' and '.join(names)} {closes}"
    return f"Of {questions} nothing is shown one by one: embargoed until {until}."


def without_embargoed_errors(page: RunPage) -> RunPage:
    """What went wrong with a question may quote its answer."""
    kept_back = embargoed_questions(page.run.benchmark, now=timezone.now())
    if not kept_back:
        return page
    errors = (
        replace(error, message=kept_back[error.question_id].sentence)
        if error.question_id in kept_back
        else error
        for error in page.errors
    )
    return replace(page, errors=tuple(errors))
