"""The addresses of raters, below vote/."""

from __future__ import annotations

from django.urls import path

from annotation.views import voting

urlpatterns = [
    path("<str:campaign_token>/", voting.vote, name="vote"),
    path("<str:campaign_token>/consent/", voting.consent, name="vote_consent"),
    path("<str:campaign_token>/cast/", voting.cast, name="vote_cast"),
    path("<str:campaign_token>/skip/", voting.skip, name="vote_skip"),
    path("<str:campaign_token>/undo/", voting.undo, name="vote_undo"),
    path("<str:campaign_token>/continue/", voting.go_on, name="vote_continue"),
    path("<str:campaign_token>/finish/", voting.finish, name="vote_finish"),
    path("<str:campaign_token>/withdraw/", voting.withdraw, name="vote_withdraw"),
]
