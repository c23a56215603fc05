"""The printed forms say what the page says, and nothing that only a program would."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.services.calibration import kept_report
from tests.annotation.toy_campaigns import NOW
from tests.annotation.toy_votes import add_rater, add_vote
from tests.annotation.voted_campaigns import voted_campaign
from tests.webapp.http.test_calibration_files import SETTINGS, report_of
from webapp.http import report_sections as sections
from webapp.http.calibration_files import calibration_file

pytestmark = pytest.mark.django_db


def test_a_correlation_has_both_of_its_intervals() -> None:
    section = report_of(voted_campaign()).body["ranks"]
    first, second = sections.ranks({**section, "low": -0.5, "high": 0.75})["sentences"]
    assert "95 % interval from -0.50 to 0.75, questions resampled." in first
    assert second.startswith("Taking the systems for a sample of systems: ")
    refused = {**section, "low": None, "interval_undefined": "Only one question."}
    assert sections.ranks(refused)["sentences"][0].endswith("Only one question.")


def test_counts_are_whole_numbers_and_a_span_of_one_is_one() -> None:
    campaign = voted_campaign()
    text = calibration_file(campaign, report_of(campaign), "md").content.decode()
    assert "n = 60." in text
    assert "| 0 |" in text
    assert "0–0" not in text


def test_nothing_needed_is_said_as_such() -> None:
    section = report_of(voted_campaign()).body["stopping"]
    (sentence,) = sections.stopping({**section, "pairs_needed": 0})["sentences"]
    assert sentence == "Every bucket's interval is narrower than 20% already."


def test_a_report_that_counts_excluded_raters_says_so_where_it_names_them() -> None:
    campaign = voted_campaign()
    out = add_rater(campaign, "out", excluded_at=NOW, excluded_reason="always left")
    add_vote(out, campaign.pairs.order_by("pk")[0], "b", not_counted="excluded")
    without = calibration_file(campaign, report_of(campaign), "md").content.decode()
    counted = kept_report(
        campaign=campaign, settings=replace(SETTINGS, with_excluded=True), now=NOW
    )
    with_them = calibration_file(campaign, counted, "md").content.decode()
    assert "61 counted votes" in with_them
    assert "always left (1 vote). Counted in everything below." in with_them
    assert "Counted in everything below" not in without
