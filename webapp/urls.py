"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path

from webapp.views import boards, documentation, home, questions, runs, systems, uploads


def healthz(request: HttpRequest) -> HttpResponse:
    """Says that the web server answers; asked by the supervisor and by load balancers."""
    del request
    return HttpResponse("ok\n", content_type="text/plain")


pages: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("benchmarks/<slug:slug>/", boards.leaderboard, name="leaderboard"),
    path("benchmarks/<slug:slug>/sweep/", boards.sweep, name="sweep"),
    path("benchmarks/<slug:slug>/contrasts/", boards.contrasts, name="contrasts"),
    path("benchmarks/<slug:slug>/compare/", boards.compare, name="compare"),
    path("benchmarks/<slug:slug>/audit/", boards.audit, name="audit"),
    path("benchmarks/<slug:slug>/questions/", questions.questions, name="questions"),
    path(
        "benchmarks/<slug:slug>/questions/<path:question_id>/answers/<int:cell_id>/",
        questions.answer,
        name="answer",
    ),
    path(
        "benchmarks/<slug:slug>/questions/<path:question_id>/",
        questions.question,
        name="question",
    ),
    path("runs/", runs.runs, name="runs"),
    path("runs/new/", runs.new_run, name="run_new"),
    path("runs/<slug:public_id>/", runs.run, name="run"),
    path("runs/<slug:public_id>/<slug:action>/", runs.run_action, name="run_action"),
    path("upload/results/", uploads.upload_results, name="upload_results"),
    path("upload/benchmark/", uploads.upload_benchmark, name="upload_benchmark"),
    path("systems/", systems.systems, name="systems"),
    path("systems/<path:slug>/", systems.system, name="system"),
    path("docs/<slug:name>/", documentation.documentation, name="documentation"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("", include("webapp.sign_in.views")),
    path("api/", include("webapp.api.urls")),
    *pages,
]
