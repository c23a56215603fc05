"""Runs: the list, one run's live progress, starting one, and what a lead can do to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluation.queries.choices import choose
from evaluation.queries.ingest_report import ingest_report
from evaluation.queries.run_choices import run_choices
from evaluation.queries.run_pages import run_page, runs_page
from evaluation.services.refusals import REFUSALS
from evaluation.services.run_control import (
    RunCannotChange,
    cancel_run,
    pause_run,
    resume_run,
)
from evaluation.services.runs import create_run, get_run
from webapp.forms.filters import page_number, text
from webapp.forms.new_run import NewRunForm
from webapp.http.embargo import without_embargoed_errors
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import lead_required, signed_in

ACTIONS: dict[str, tuple[Callable[..., object], str]] = {
    "pause": (pause_run, "It pauses after the cells in progress; everything done is kept."),
    "cancel": (cancel_run, "It is cancelled; what was measured is kept."),
    "resume": (resume_run, "It goes on where it stopped."),
    "force": (
        partial(resume_run, force=True),
        "It goes on despite what the doctor found; the findings stay on it.",
    ),
    "retry": (
        partial(resume_run, retry_errored=True),
        "The errored cells are tried again; their earlier attempts are kept.",
    ),
}


@require_safe
@answers_in_words
def runs(request: HttpRequest) -> HttpResponse:
    page = runs_page(page=page_number(request.GET))
    return render_page(
        request, "pages/runs.html", {"page": page, "section": "runs"}, partial="runs"
    )


@require_safe
@answers_in_words
def run(request: HttpRequest, public_id: str) -> HttpResponse:
    page = without_embargoed_errors(run_page(public_id, now=timezone.now()))
    return render_page(
        request, "pages/run.html", {"page": page, "section": "runs"}, partial="progress"
    )


@require_safe
@answers_in_words
def run_ingest(request: HttpRequest, public_id: str) -> HttpResponse:
    context = {"page": ingest_report(public_id), "section": "runs"}
    return render_page(request, "pages/ingest.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
def new_run(request: HttpRequest) -> HttpResponse:
    chosen = {"benchmark": text(request.GET, "benchmark")} if request.GET else {}
    form = NewRunForm(request.POST or None, choices=run_choices(), initial=chosen)
    if form.is_valid():
        try:
            made = create_run(options=form.options(), by=signed_in(request))
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            return redirect("run", made.public_id)
    status = 400 if form.errors else 200
    context: dict[str, Any] = {"form": form, "section": "runs"}
    return render_page(request, "pages/run_new.html", context, status=status)


@require_POST
@lead_required
@answers_in_words
def run_action(request: HttpRequest, public_id: str, action: str) -> HttpResponse:
    act, sentence = ACTIONS[choose("action", action, list(ACTIONS))]
    try:
        act(run=get_run(public_id))
        messages.success(request, sentence)
    except RunCannotChange as refusal:
        messages.error(request, str(refusal))
    return redirect("run", public_id)
