"""The addresses under /api/."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from webapp.api import (
    benchmarks,
    calibration,
    campaigns,
    documentation,
    results,
    runs,
    systems,
    votes,
)
from webapp.api.schema import FrozenRows

# The schema's extension is known to drf-spectacular once its class exists.
SCHEMA_EXTENSIONS = (FrozenRows,)

BENCHMARK = "v1/benchmarks/<slug:slug>"
RUN = "v1/runs/<slug:public_id>"
CAMPAIGN = "v1/campaigns/<slug:slug>"
ASSIGNMENT = "v1/assignments/<slug:assignment_id>"

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
    path("v1/campaigns/", campaigns.campaigns, name="api_campaigns"),
    path(f"{CAMPAIGN}/calibration/", calibration.calibration, name="api_calibration"),
    path(f"{CAMPAIGN}/", campaigns.campaign, name="api_campaign"),
    path(f"{CAMPAIGN}/open/", campaigns.open_one, name="api_campaign_open"),
    path(f"{CAMPAIGN}/close/", campaigns.close_one, name="api_campaign_close"),
    path(f"{CAMPAIGN}/votes/", campaigns.votes, name="api_votes"),
    path(f"{CAMPAIGN}/assignments/", votes.assignments, name="api_assignments"),
    path(f"{CAMPAIGN}/undo/", votes.undo, name="api_undo"),
    path(f"{CAMPAIGN}/continue/", votes.go_on, name="api_continue"),
    path(f"{CAMPAIGN}/finish/", votes.finish, name="api_finish"),
    path(f"{CAMPAIGN}/withdraw/", votes.withdraw, name="api_withdraw"),
    path(f"{ASSIGNMENT}/vote/", votes.vote, name="api_vote"),
    path(f"{ASSIGNMENT}/skip/", votes.skip, name="api_skip"),
]
