"""The questions of a benchmark, one question, one answer with its context."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.queries.question_votes import question_votes
from annotation.services.exclusion_rules import apply_rules_of_all_closed
from evaluation.queries.question_page import answer_page, question_page
from evaluation.queries.questions_page import questions_page
from evaluation.services.contexts import stored_context
from webapp.forms.filters import (
    are_keys_chosen,
    board_filters,
    flag,
    is_filtered,
    key_params,
    keys_query,
    page_number,
    text,
)
from webapp.http.embargo import kept_from_raters, without_embargoed_names
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import may_read_campaigns


@require_safe
@answers_in_words
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    page = without_embargoed_names(
        questions_page(slug, board_filters(request.GET), page=page_number(request.GET))
    )
    context = {
        "page": page,
        "sort": page.sort,
        "descending": page.descending,
        "is_filtered": is_filtered(request.GET),
        **_shared(request),
    }
    return render_page(request, "pages/questions.html", context, partial="questions")


@kept_from_raters
@require_safe
@answers_in_words
def question(request: HttpRequest, slug: str, question_id: str) -> HttpResponse:
    keys, now = key_params(request.GET), timezone.now()
    page = question_page(
        slug,
        question_id,
        protocol=keys.protocol,
        judge=keys.judge,
        track=text(request.GET, "track"),
        phase=text(request.GET, "phase"),
    )
    votes = None
    if may_read_campaigns(request.user):
        apply_rules_of_all_closed(now=now)
        votes = question_votes(slug, question_id, now=now)
    context = {"page": page, "votes": votes, **_shared(request)}
    return render_page(request, "pages/question.html", context, partial="answers")


@kept_from_raters
@require_safe
@answers_in_words
def answer(request: HttpRequest, slug: str, question_id: str, cell_id: int) -> HttpResponse:
    page = answer_page(
        slug,
        question_id,
        cell_id,
        judge=key_params(request.GET).judge,
        whole_context=flag(request.GET, "all"),
        read_context=stored_context,
    )
    return render_page(request, "pages/answer.html", {"page": page, **_shared(request)})


def _shared(request: HttpRequest) -> dict[str, object]:
    return {
        "section": "benchmarks",
        "keys_open": are_keys_chosen(request.GET),
        "keys_query": keys_query(request.GET),
    }
