"""Whoever joins a campaign and has not voted yet changes no report."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from annotation.calibration.bundle import verify_bundle
from annotation.calibration.settings import CalibrationSettings
from annotation.queries.calibration_data import calibration_data
from annotation.queries.calibration_page import pseudonyms
from annotation.services.calibration import kept_report
from tests.annotation.toy_campaigns import NOW
from tests.annotation.toy_votes import add_rater, add_vote
from tests.annotation.voted_campaigns import voted_campaign
from webapp.http.calibration_files import calibration_file

pytestmark = pytest.mark.django_db

SETTINGS = CalibrationSettings(n_resamples=200)


def test_the_bundle_opens_after_somebody_joined_and_did_not_vote() -> None:
    campaign = voted_campaign()
    report = kept_report(campaign=campaign, settings=SETTINGS, now=NOW)
    add_rater(campaign, "looker")
    again = kept_report(campaign=campaign, settings=SETTINGS, now=NOW + timedelta(hours=1))
    assert again.data_hash == report.data_hash
    bundle = json.loads(calibration_file(campaign, again, "json").content)
    assert verify_bundle(bundle) == ()
    assert "looker" not in bundle["data"]["raters"]


def test_a_rater_keeps_their_place_beside_those_who_did_not_vote() -> None:
    campaign = voted_campaign()
    add_rater(campaign, "looker")
    late = add_rater(campaign, "late")
    add_vote(late, campaign.pairs.order_by("pk")[0], "a", left_is_first=False)
    add_rater(campaign, "another looker")
    data = calibration_data(campaign, judge_id=campaign.judge_id)
    place = int(data.vote_rater[-1])
    assert data.raters[place] == "late"
    assert data.raters[-2:] == ("looker", "late")
    assert pseudonyms(campaign.slug, [place]) == {place: "late"}


def test_without_a_vote_nobody_is_listed() -> None:
    campaign = voted_campaign()
    campaign.votes.all().delete()
    assert calibration_data(campaign, judge_id=campaign.judge_id).raters == ()
