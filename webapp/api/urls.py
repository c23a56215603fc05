"""The addresses under /api/."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from webapp.api import benchmarks, documentation, results, runs, systems
from webapp.api.schema import FrozenRows

# The schema's extension is known to drf-spectacular once its class exists.
SCHEMA_EXTENSIONS = (FrozenRows,)

BENCHMARK = "v1/benchmarks/<slug:slug>"
RUN = "v1/runs/<slug:public_id>"

urlpatterns = [
    path("docs/", documentation.docs, name="api_docs"),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("v1/benchmarks/", benchmarks.benchmarks, name="api_benchmarks"),
    path(f"{BENCHMARK}/leaderboard/", benchmarks.leaderboard, name="api_leaderboard"),
    path(f"{BENCHMARK}/sweep/", benchmarks.sweep, name="api_sweep"),
    path(f"{BENCHMARK}/contrasts/", benchmarks.contrasts, name="api_contrasts"),
    path(f"{BENCHMARK}/compare/", benchmarks.compare, name="api_compare"),
    path(f"{BENCHMARK}/questions/", benchmarks.questions, name="api_questions"),
    path(f"{BENCHMARK}/questions/<path:question_id>/", benchmarks.question, name="api_question"),
    path(f"{BENCHMARK}/audit/", benchmarks.audit, name="api_audit"),
    path("v1/systems/", systems.systems, name="api_systems"),
    path("v1/systems/<slug:slug>/", systems.system, name="api_system"),
    path("v1/runs/", runs.runs, name="api_runs"),
    path("v1/runs/import/", results.import_file, name="api_import"),
    path(f"{RUN}/", runs.run, name="api_run"),
    path(f"{RUN}/answers/", results.answers, name="api_answers"),
    path(f"{RUN}/resume/", runs.resume, name="api_resume"),
    path(f"{RUN}/pause/", runs.pause, name="api_pause"),
    path(f"{RUN}/cancel/", runs.cancel, name="api_cancel"),
    path(f"{RUN}/rejudge/", runs.judge_again, name="api_rejudge"),
]
