from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annotation.calibration.data import BOTH_BAD, CalibrationData
from annotation.calibration.report import compute_report
from annotation.calibration.settings import CalibrationSettings
from annotation.models import Campaign, Pair, PairScore, Rater
from annotation.queries.calibration_data import calibration_data, voters_of
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.toy_votes import add_rater, add_vote

pytestmark = pytest.mark.django_db


def read(campaign: Campaign, **options: Any) -> CalibrationData:
    return calibration_data(campaign, judge_id=campaign.judge_id, **options)


def test_labels_are_of_first_and_second_whatever_side_was_shown() -> None:
    campaign = make_campaign(n_pairs=5)
    pairs = list(campaign.pairs.order_by("pk"))
    ann = add_rater(campaign, "ann")
    add_vote(ann, pairs[0], "a")
    add_vote(ann, pairs[1], "a", left_is_first=False)
    add_vote(ann, pairs[2], "b", left_is_first=False)
    add_vote(ann, pairs[3], "tie")
    add_vote(ann, pairs[4], "both_bad", n_reveals_seen=3)
    data = read(campaign)
    assert data.vote_label.tolist() == [0, 1, 0, 2, BOTH_BAD]
    assert data.vote_reveals.tolist() == [0, 0, 0, 0, 3]
    assert [data.systems[code] for code in data.pair_first] == [
        pair.first_system.label for pair in pairs if pair.first_system
    ]


def test_scores_are_those_of_the_asked_judge_and_missing_ones_stay_missing() -> None:
    campaign = make_campaign(n_pairs=2)
    first, second = campaign.pairs.order_by("pk")
    PairScore.objects.filter(pair=first).update(first_hundredths=725, second_hundredths=700)
    PairScore.objects.filter(pair=second).update(first_hundredths=None)
    for pair in (first, second):
        add_vote(add_rater(campaign, f"r{pair.pk}"), pair, "a")
    data = read(campaign)
    assert (data.pair_first_score[0], data.pair_second_score[0]) == (725, 700)
    pairs, _ = data.tables()
    assert pairs.is_judged.tolist() == [True, False]
    unjudged = calibration_data(campaign, judge_id=None)
    assert not unjudged.tables()[0].is_judged.any()


def test_only_counted_votes_on_pairs_of_the_vote_are_read() -> None:
    campaign = make_campaign(n_pairs=2, n_attention=1)
    pair = campaign.pairs.filter(kind=Pair.VOTE).order_by("pk")[0]
    check = campaign.pairs.get(kind=Pair.ATTENTION)
    add_vote(add_rater(campaign, "counted"), pair, "a")
    for reason in ("surplus", "unblinded", "excluded"):
        add_vote(add_rater(campaign, reason), pair, "b", not_counted=reason)
    add_vote(add_rater(campaign, "checked"), check, "a", not_counted="check")
    add_vote(add_rater(campaign, "robot", kind=Rater.SIMULATED), pair, "b")
    assert read(campaign).vote_label.tolist() == [0]
    assert sorted(read(campaign, with_excluded=True).vote_label.tolist()) == [0, 1]


def test_a_simulated_campaign_is_read_by_its_simulated_raters_alone() -> None:
    campaign = make_campaign(n_pairs=1, is_simulated=True)
    pair = campaign.pairs.get()
    add_vote(add_rater(campaign, "robot", kind=Rater.SIMULATED), pair, "b")
    add_vote(add_rater(campaign, "ann"), pair, "a")
    assert voters_of(campaign).name == "simulated raters"
    assert read(campaign).vote_label.tolist() == [1]


def test_verdicts_of_models_are_read_only_where_nobody_else_voted() -> None:
    campaign = make_campaign(n_pairs=1)
    pair = campaign.pairs.get()
    add_vote(add_rater(campaign, "gpt", kind=Rater.MODEL), pair, "a")
    assert voters_of(campaign).name == "language models"
    assert read(campaign).vote_label.tolist() == [0]
    add_vote(add_rater(campaign, "ann"), pair, "b")
    assert read(campaign).vote_label.tolist() == [1]


def test_data_survive_json_with_the_same_hash_and_the_same_numbers() -> None:
    campaign = make_campaign(n_pairs=12)
    for place, pair in enumerate(campaign.pairs.order_by("pk")):
        add_vote(add_rater(campaign, f"r{place}"), pair, ("a", "b", "tie")[place % 3])
    data = read(campaign)
    again = CalibrationData.from_json(data.as_json())
    assert again.sha256 == data.sha256
    settings = CalibrationSettings(n_resamples=200)
    assert compute_report(again, settings) == compute_report(data, settings)
    turned = data.as_json()
    turned["vote_label"][0] = 1 - turned["vote_label"][0]
    assert CalibrationData.from_json(turned).sha256 != data.sha256


def test_without_votes_every_section_says_so() -> None:
    report = compute_report(read(make_campaign(n_pairs=1)), CalibrationSettings())
    assert {name for name, of in report.items() if "undefined" not in of} == {"counts"}
    assert report["counts"]["n_votes"] == 0


def test_reading_costs_the_same_queries_whatever_the_number_of_votes(
    django_assert_num_queries: Any,
) -> None:
    campaign = make_campaign(n_pairs=30)
    for place, pair in enumerate(campaign.pairs.order_by("pk")):
        add_vote(add_rater(campaign, f"r{place}"), pair, "a")
    with django_assert_num_queries(6):
        assert np.all(read(campaign).vote_label == 0)
