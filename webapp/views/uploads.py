"""Files that come in through the page: results made elsewhere, and benchmarks."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from evaluation.queries.run_choices import run_choices
from evaluation.services.importing import import_results
from evaluation.services.loading import load_benchmark
from evaluation.services.refusals import REFUSALS
from evaluation.services.uploads import uploaded_file
from webapp.forms.uploads import ImportResultsForm, LoadBenchmarkForm, UploadForm
from webapp.http.pages import render_page
from webapp.http.roles import lead_required, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
def upload_results(request: HttpRequest) -> HttpResponse:
    given = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportResultsForm(*given, benchmarks=run_choices().benchmarks)
    if form.is_valid():
        try:
            return _imported(request, form)
        except REFUSALS as refusal:
            form.refuse(refusal)
    return _page(request, form, "Results from elsewhere")


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
def upload_benchmark(request: HttpRequest) -> HttpResponse:
    given = (request.POST, request.FILES) if request.method == "POST" else ()
    form = LoadBenchmarkForm(*given)
    if form.is_valid():
        try:
            return _loaded(request, form)
        except REFUSALS as refusal:
            form.refuse(refusal)
    return _page(request, form, "A benchmark from a file")


def _imported(request: HttpRequest, form: ImportResultsForm) -> HttpResponse:
    asked = form.cleaned_data
    file = asked["file"]
    with uploaded_file(chunks=file.chunks(), original_name=file.name) as path:
        imported = import_results(
            path=path,
            format=asked["format"],
            benchmark=asked["benchmark"] or None,
            original_name=file.name,
            holdout=asked["holdout"],
            by=signed_in(request),
        )
    messages.success(request, f"{imported.n_answers:,} answers were imported.")
    for problem in imported.problems[:10]:
        messages.warning(request, problem)
    return redirect("run", imported.run.public_id)


def _loaded(request: HttpRequest, form: LoadBenchmarkForm) -> HttpResponse:
    asked = form.cleaned_data
    file = asked["file"]
    with uploaded_file(chunks=file.chunks(), original_name=file.name) as path:
        loaded = load_benchmark(
            name_or_path=str(path),
            format=asked["format"] or None,
            slug=asked["slug"],
            title=asked["title"] or None,
            licence=asked["licence"] or None,
            is_upload=True,
        )
    report = loaded.report
    messages.success(
        request, f"{report.n_documents:,} documents, {report.n_questions:,} questions are loaded."
    )
    for problem in report.problems[:10]:
        messages.warning(request, problem)
    return redirect("leaderboard", loaded.benchmark.slug)


def _page(request: HttpRequest, form: UploadForm, title: str) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "section": "runs", "title": title}
    status = 400 if form.errors else 200
    return render_page(request, "pages/upload.html", context, status=status)
