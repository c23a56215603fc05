"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path

from webapp.views import (
    boards,
    calibration,
    calibration_exports,
    calibration_published,
    campaigns,
    campaigns_form,
    campaigns_pairs,
    campaigns_raters,
    campaigns_votes,
    documentation,
    home,
    judges,
    questions,
    ratings,
    runs,
    systems,
    theoria,
    transfers,
    uploads,
)


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
    path("benchmarks/<slug:slug>/judges/", judges.judges, name="judges"),
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
    path("runs/<slug:public_id>/ingest/", runs.run_ingest, name="run_ingest"),
    path("runs/<slug:public_id>/theoria/", theoria.theoria, name="theoria"),
    path("runs/<slug:public_id>/<slug:action>/", runs.run_action, name="run_action"),
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/new/", campaigns_form.campaign_new, name="campaign_new"),
    path("campaigns/import/", transfers.import_page, name="campaign_import"),
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/export/", transfers.export, name="campaign_export"),
    path("campaigns/<slug:slug>/edit/", campaigns_form.campaign_edit, name="campaign_edit"),
    path("campaigns/<slug:slug>/audit/", campaigns.campaign_audit, name="campaign_audit"),
    path("campaigns/<slug:slug>/times/", campaigns.campaign_times, name="campaign_times"),
    path("campaigns/<slug:slug>/votes/", campaigns_votes.campaign_votes, name="campaign_votes"),
    path("campaigns/<slug:slug>/pairs/", campaigns_pairs.campaign_pairs, name="campaign_pairs"),
    path(
        "campaigns/<slug:slug>/pairs/<int:pair_id>/<slug:decision>/",
        campaigns_pairs.campaign_pair,
        name="campaign_pair",
    ),
    path("campaigns/<slug:slug>/raters/", campaigns_raters.campaign_raters, name="campaign_raters"),
    path("campaigns/<slug:slug>/rules/", campaigns_raters.campaign_rules, name="campaign_rules"),
    path(
        "campaigns/<slug:slug>/raters/<path:pseudonym>/",
        campaigns_raters.campaign_rater,
        name="campaign_rater",
    ),
    path(
        "campaigns/<slug:slug>/invitations/",
        campaigns_raters.campaign_invitations,
        name="campaign_invitations",
    ),
    path(
        "campaigns/<slug:slug>/invitations/<int:invitation_id>/revoke/",
        campaigns_raters.campaign_invitation,
        name="campaign_invitation",
    ),
    path(
        "campaigns/<slug:slug>/state/<slug:action>/",
        campaigns.campaign_action,
        name="campaign_action",
    ),
    path("calibration/", calibration.calibrations, name="calibrations"),
    path(
        "calibration/published/<slug:slug>/",
        calibration_published.calibration_published,
        name="calibration_published",
    ),
    path("calibration/<slug:slug>/", calibration.calibration, name="calibration"),
    path(
        "calibration/<slug:slug>/export/",
        calibration_exports.calibration_export,
        name="calibration_export",
    ),
    path(
        "calibration/<slug:slug>/resolution/<slug:deed>/",
        calibration.calibration_deed,
        name="calibration_deed",
    ),
    path("ratings/", ratings.ratings, name="ratings"),
    path("ratings/<slug:slug>/", ratings.rating_study, name="rating_study"),
    path("transfers/<slug:public_id>/", transfers.transfer, name="transfer"),
    path("transfers/<slug:public_id>/file/", transfers.transfer_file, name="transfer_file"),
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
    path("vote/", include("annotation.urls")),
    *pages,
]
