from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from celery import current_app

from annotation.calibration.settings import CalibrationSettings
from annotation.models import (
    AuditEntry,
    CalibrationReport,
    Campaign,
    CampaignTally,
    PairScore,
)
from annotation.services import calibration
from annotation.services.calibration import (
    CannotAdopt,
    KeptReport,
    adopt_resolution,
    kept_report,
    withdraw_resolution,
)
from evaluation.models import AdoptedResolution, Judge
from evaluation.queries.choices import UnknownChoice
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.annotation.voted_campaigns import voted_campaign
from tests.webapp.laboratory import make_benchmark

pytestmark = pytest.mark.django_db

SETTINGS = CalibrationSettings(n_resamples=200)
LATER = NOW + timedelta(hours=1)


def closed(campaign: Campaign) -> Campaign:
    campaign.benchmark = make_benchmark()
    campaign.closed_at = NOW
    campaign.save()
    return campaign


def read(campaign: Campaign, **options: Any) -> KeptReport:
    return kept_report(campaign=campaign, settings=SETTINGS, now=LATER, **options)


def test_a_report_is_computed_once_until_something_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = voted_campaign()
    first = read(campaign)
    assert first.is_current
    monkeypatch.setattr(calibration, "compute_report", lambda *_: pytest.fail("computed again"))
    assert read(campaign) == first
    monkeypatch.undo()
    add_vote(add_rater(campaign, "new"), campaign.pairs.order_by("pk")[0], "tie")
    CampaignTally.objects.filter(campaign=campaign).update(version=99)
    again = read(campaign)
    assert again.body["counts"]["n_votes"] == first.body["counts"]["n_votes"] + 1
    assert again.report_hash != first.report_hash


def test_a_report_that_takes_long_is_served_as_it_was_and_computed_by_a_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = voted_campaign()
    first = read(campaign)
    kept = CalibrationReport.objects.get()
    CalibrationReport.objects.update(body={**kept.body, "seconds": 3.0})
    CampaignTally.objects.filter(campaign=campaign).update(version=99)
    asked: list[Any] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args: asked.append((name, args)))
    served = kept_report(campaign=campaign, settings=SETTINGS, now=LATER + timedelta(minutes=1))
    assert not served.is_current
    assert served.report_hash == first.report_hash
    assert asked == [(calibration.TASK, [campaign.pk, SETTINGS.as_json(), ""])]
    assert read(campaign, must_be_current=True).is_current


def test_the_oldest_choices_of_readers_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "MOST_KEPT", 3)
    campaign = make_campaign(n_pairs=1)
    for seed in range(1, 6):
        settings = CalibrationSettings(n_resamples=200, seed=seed)
        kept_report(campaign=campaign, settings=settings, now=NOW + timedelta(minutes=seed))
    kept = CalibrationReport.objects.order_by("computed_at").values_list("computed_at", flat=True)
    assert list(kept) == [NOW + timedelta(minutes=minute) for minute in (3, 4, 5)]


def test_reports_of_two_judges_are_kept_apart() -> None:
    campaign = voted_campaign()
    other = Judge.objects.create(key="o" * 64, name="other", parts={}, created_at=NOW)
    PairScore.objects.bulk_create(
        [
            PairScore(pair=pair, judge=other, first_hundredths=0, second_hundredths=1000)
            for pair in campaign.pairs.all()
        ]
    )
    assert read(campaign).body["decisive"]["overall"]["n_agree"] == 48
    assert read(campaign, judge="other").body["decisive"]["overall"]["n_agree"] == 12
    with pytest.raises(UnknownChoice):
        read(campaign, judge="nobody")


def test_what_an_exclusion_changes_stands_beside_the_report() -> None:
    campaign = voted_campaign()
    out = add_rater(campaign, "out", excluded_at=NOW, excluded_reason="always left")
    for pair in campaign.pairs.order_by("pk")[:10]:
        add_vote(out, pair, "b", not_counted="excluded")
    body = read(campaign).body
    assert body["context"]["excluded_raters"][0]["excluded_reason"] == "always left"
    assert body["context"]["not_counted"] == {"excluded": 10}
    assert body["counts"]["n_votes"] == 60
    assert body["including_excluded"]["counts"]["n_votes"] == 70


def test_a_lead_adopts_what_the_report_says() -> None:
    campaign = closed(voted_campaign())
    report = read(campaign)
    adopted = adopt_resolution(campaign=campaign, settings=SETTINGS, by=None, now=LATER)
    assert (adopted.value, adopted.level, adopted.n_pairs) == (3.0, 0.75, 60)
    assert adopted.report_hash == report.report_hash
    assert adopted.judge == campaign.judge
    assert AuditEntry.objects.filter(action="adopted the resolution").count() == 1
    assert withdraw_resolution(campaign=campaign, by=None, now=LATER) == 1
    assert AdoptedResolution.objects.get().withdrawn_at == LATER
    with pytest.raises(CannotAdopt):
        withdraw_resolution(campaign=campaign, by=None, now=LATER)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"is_simulated": True}, "simulated"),
        ({"origin": Campaign.IMPORTED}, "imported"),
        ({"closed_at": None}, "still open"),
    ],
)
def test_what_cannot_calibrate_a_board_is_not_adopted(change: dict[str, Any], reason: str) -> None:
    campaign = closed(voted_campaign())
    Campaign.objects.update(**change)
    campaign.refresh_from_db()
    with pytest.raises(CannotAdopt, match=reason):
        adopt_resolution(campaign=campaign, settings=SETTINGS, by=None, now=LATER)
    assert not AdoptedResolution.objects.exists()


def test_a_vote_that_showed_the_context_is_not_adopted() -> None:
    campaign = closed(voted_campaign(show_context=True))
    with pytest.raises(CannotAdopt, match="not blind to retrieval"):
        adopt_resolution(campaign=campaign, settings=SETTINGS, by=None, now=LATER)


def test_too_few_votes_are_refused_with_the_reason_of_the_statistic() -> None:
    campaign = closed(make_campaign(n_pairs=3))
    add_vote(add_rater(campaign, "ann"), campaign.pairs.order_by("pk")[0], "a")
    with pytest.raises(CannotAdopt, match="30"):
        adopt_resolution(campaign=campaign, settings=SETTINGS, by=None, now=LATER)


@pytest.mark.parametrize(
    "choices", ["", "t", "a", "ab", "x"], ids=["none", "ties", "one side", "both", "both bad"]
)
@pytest.mark.parametrize("n_systems", [2, 3, 5])
@pytest.mark.parametrize("scores", ["equal", "missing", "drawn"])
def test_degenerate_votes_give_words_and_never_a_number_that_is_none(
    choices: str, n_systems: int, scores: str
) -> None:
    campaign = make_campaign(n_pairs=12, n_systems=n_systems)
    if scores == "equal":
        PairScore.objects.update(first_hundredths=500, second_hundredths=500)
    elif scores == "missing":
        PairScore.objects.update(first_hundredths=None, second_hundredths=None)
    word = {"t": "tie", "x": "both_bad"}
    for place, pair in enumerate(campaign.pairs.order_by("pk") if choices else []):
        chosen = choices[place % len(choices)]
        add_vote(add_rater(campaign, f"r{place}"), pair, word.get(chosen, chosen))
    body = read(campaign).body
    text = json.dumps(body, allow_nan=False)
    assert "nan" not in text.lower().replace("resonan", "")
    for name, section in body.items():
        if isinstance(section, dict) and "undefined" in section and name != "context":
            assert section["undefined"].endswith(".")


def test_the_same_votes_give_the_same_report_whatever_sides_were_shown() -> None:
    """Two campaigns with the same votes; in one every pair was shown the other way round."""
    bodies = []
    for slug, left_is_first in (("here", True), ("there", False)):
        campaign = make_campaign(n_pairs=20, slug=slug)
        rng = np.random.default_rng(3)
        for place, pair in enumerate(campaign.pairs.order_by("pk")):
            winner = rng.integers(0, 2)
            choice = "ab"[winner] if left_is_first else "ba"[winner]
            rater = add_rater(campaign, f"r{place}")
            add_vote(rater, pair, choice, left_is_first=left_is_first)
        bodies.append(read(campaign).body)
    for name in ("decisive", "tolerance", "systems", "bradley_terry", "raters"):
        assert bodies[0][name] == bodies[1][name]
