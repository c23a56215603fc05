"""Votes in and out: for leads, since an export says who wrote what."""

from __future__ import annotations

from typing import Any, cast

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.queries.transfers import export_page, exported_file, recent_imports, transfer_row
from annotation.services.transfers import Download, start_export, start_import
from evaluation.services.refusals import REFUSALS
from webapp.forms.votes import ExportVotesForm, ImportVotesForm
from webapp.http.embargo import mark_reader_of_export
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import lead_required, signed_in

KINDS = {"csv": "text/csv", "jsonl": "application/jsonl", "json": "application/json"}


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
def import_page(request: HttpRequest) -> HttpResponse:
    given = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportVotesForm(*given)
    if form.is_valid():
        try:
            return redirect("transfer", _started(request, form))
        except REFUSALS as refusal:
            form.refuse(refusal)
    context: dict[str, Any] = {"form": form, "section": "campaigns", "imports": recent_imports()}
    status = 400 if form.errors else 200
    return render_page(request, "pages/transfer_import.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
@answers_in_words
def export(request: HttpRequest, slug: str) -> HttpResponse:
    page = export_page(slug, now=timezone.now())
    form = ExportVotesForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        made = start_export(slug=slug, what=form.what(), by=signed_in(request), now=timezone.now())
        return (
            _download(made) if isinstance(made, Download) else redirect("transfer", made.public_id)
        )
    context = {"form": form, "page": page, "section": "campaigns"}
    status = 400 if form.errors else 200
    return render_page(request, "pages/transfer_export.html", context, status=status)


@require_safe
@lead_required
@answers_in_words
def transfer(request: HttpRequest, public_id: str) -> HttpResponse:
    context = {"transfer": transfer_row(public_id), "section": "campaigns"}
    return render_page(request, "pages/transfer.html", context, partial="progress")


@require_safe
@lead_required
@answers_in_words
def transfer_file(request: HttpRequest, public_id: str) -> HttpResponse:
    path = exported_file(public_id)
    mark_reader_of_export(request.user, public_id, what=request.path)
    headers = {"Content-Type": f"{KINDS[path.suffix.lstrip('.')]}; charset=utf-8"}
    sent = FileResponse(path.open("rb"), as_attachment=True, filename=path.name, headers=headers)
    return cast(HttpResponse, sent)


def _started(request: HttpRequest, form: ImportVotesForm) -> str:
    asked = form.cleaned_data
    return start_import(
        name=asked["name"],
        uploads=form.uploads(),
        format=asked["format"],
        by=signed_in(request),
        now=timezone.now(),
        options=form.read_options(),
    ).public_id


def _download(made: Download) -> HttpResponse:
    kind = KINDS[made.file_name.rpartition(".")[2]]
    sent = StreamingHttpResponse(
        made.texts,
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{made.file_name}"'},
    )
    return cast(HttpResponse, sent)
