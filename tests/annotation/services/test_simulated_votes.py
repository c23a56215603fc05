"""Simulated raters: where they may vote, what they know, and that they know nothing else."""

from __future__ import annotations

import datetime as dt
import random

import pytest

from annotation.blinding.simulated_reading import SimulatedReader, rubric_mark
from annotation.blinding.voting_page import BlindPair
from annotation.campaign_options import CampaignOptions
from annotation.models import AuditEntry, Campaign, CampaignTally, Pair, PairScore, Rater, Vote
from annotation.services.campaign_control import open_campaign
from annotation.services.campaigns import create_campaign
from annotation.services.simulated_votes import (
    NotASimulation,
    SimulationClosed,
    simulate_votes,
)
from annotation.services.voting import admit_rater
from annotation.services.voting_refusals import CampaignClosed
from evaluation.models import Judgment
from tests.annotation.services.measured_campaigns import scored_run
from tests.annotation.toy_campaigns import NOW, make_campaign

LATER = NOW + dt.timedelta(hours=3)
RIGHT, WRONG = (
    "<p>It anneals at <strong>40 degrees</strong>.</p>",
    "<p>It anneals at 70 degrees.</p>",
)


def pair_of(left: str, right: str) -> BlindPair:
    return BlindPair(
        assignment_id="x",
        question_html="<p>At how many degrees does sample 4 anneal?</p>",
        gold_html="<p>It anneals at 40 degrees.</p>",
        facts=("It is 40 degrees.",),
        source_spans=(),
        left_html=left,
        right_html=right,
    )


def reader(noise: float = 0.0, seed: int = 1) -> SimulatedReader:
    return SimulatedReader(random.Random(seed), noise)


def test_the_mark_is_the_share_of_facts_that_the_answer_states() -> None:
    pair = pair_of(RIGHT, WRONG)
    asked = (pair.question_html, pair.gold_html, pair.facts)
    assert rubric_mark(*asked, RIGHT) == 10.0
    assert rubric_mark(*asked, WRONG) == 0.0
    assert rubric_mark(*asked, "") == 0.0


@pytest.mark.parametrize(
    ("left", "right", "choices", "choice"),
    [
        (RIGHT, WRONG, "a b tie both_bad", "a"),
        (WRONG, RIGHT, "a b tie both_bad", "b"),
        (RIGHT, RIGHT, "a b tie both_bad", "tie"),
        (WRONG, WRONG, "a b tie both_bad", "both_bad"),
        (WRONG, WRONG, "a b tie", "tie"),
    ],
)
def test_without_noise_the_better_answer_wins(
    left: str, right: str, choices: str, choice: str
) -> None:
    assert reader().choose(pair_of(left, right), choices.split()) == choice


def test_noise_makes_raters_err_now_and_then() -> None:
    noisy = reader(noise=6.0)
    chosen = [noisy.choose(pair_of(RIGHT, WRONG), ("a", "b", "tie")) for _ in range(200)]
    assert 0.5 < chosen.count("a") / 200 < 1.0
    assert chosen.count("b") > 0


@pytest.mark.django_db
def test_a_simulation_fills_the_places_and_is_labelled() -> None:
    campaign = make_campaign(n_pairs=6, overlap=2, is_simulated=True)
    done = simulate_votes(campaign=campaign, n_raters=4, now=LATER)
    assert (done.n_raters, done.n_votes, done.n_without_pairs) == (4, 12, 4)
    assert set(Rater.objects.values_list("kind", flat=True)) == {Rater.SIMULATED}
    assert not Pair.objects.exclude(n_taken=2).exists()
    assert all(abs(left) <= 4 for left in CampaignTally.objects.get().side_balance.values())
    entry = AuditEntry.objects.get(action="votes simulated")
    assert entry.detail["n_votes"] == 12


@pytest.mark.django_db
def test_a_simulation_takes_the_time_of_reading_and_ends_by_now() -> None:
    campaign = make_campaign(n_pairs=20, overlap=3, is_simulated=True)
    simulate_votes(campaign=campaign, n_raters=3, n_votes=10, now=LATER)
    votes = Vote.objects.all()
    assert votes.count() == 30
    assert not votes.filter(cast_at__gt=LATER).exists()
    assert not votes.filter(cast_at__lt=NOW).exists()
    assert not votes.filter(is_too_fast=True).exists()


@pytest.mark.django_db
def test_the_same_raters_go_on_when_it_is_called_again() -> None:
    campaign = make_campaign(n_pairs=10, overlap=2, is_simulated=True)
    for _ in range(2):
        simulate_votes(campaign=campaign, n_raters=2, n_votes=3, now=LATER)
    assert Rater.objects.count() == 2
    assert set(Rater.objects.values_list("n_votes", flat=True)) == {6}


@pytest.mark.django_db
def test_reveals_checks_and_qualification_are_gone_through() -> None:
    campaign = make_campaign(
        n_pairs=6, is_simulated=True, n_attention=3, n_qualification=2, attention_every=3,
        reveal="each", qualification_pass_share=0.0,
    )  # fmt: skip
    done = simulate_votes(campaign=campaign, n_raters=2, now=LATER)
    assert Vote.objects.counted().count() == 6
    assert done.n_votes == Vote.objects.count() > 6


@pytest.mark.django_db
def test_a_vote_of_people_is_refused_in_words() -> None:
    campaign = make_campaign()
    with pytest.raises(NotASimulation, match="toy is a vote of people and never takes simulated"):
        simulate_votes(campaign=campaign, n_raters=1, now=LATER)
    assert not Rater.objects.exists()


@pytest.mark.django_db
def test_a_draft_is_refused_in_words() -> None:
    campaign = make_campaign(is_simulated=True, is_open=False)
    with pytest.raises(SimulationClosed, match="not open yet"):
        simulate_votes(campaign=campaign, n_raters=1, now=LATER)


@pytest.mark.django_db
def test_people_have_no_part_in_a_simulation() -> None:
    campaign = make_campaign(is_simulated=True)
    with pytest.raises(CampaignClosed, match="simulation"):
        admit_rater(campaign_token=campaign.link_token, user=None, invitation=None, now=LATER)


def simulated() -> list[tuple[str, int, str, bool]]:
    """The votes of a fresh simulation of the one run's campaign, which is then removed."""
    campaign = Campaign.objects.get()
    simulate_votes(campaign=campaign, n_raters=3, n_votes=4, seed=5, now=LATER)
    rows = Vote.objects.order_by("rater__pseudonym", "pair__position").values_list(
        "rater__pseudonym", "pair__position", "choice", "left_is_first"
    )
    votes = list(rows)
    Rater.objects.all().delete()
    Pair.objects.update(n_taken=0, n_first=0, n_second=0, n_tie=0, n_both_bad=0)
    CampaignTally.objects.update(side_balance={}, n_votes=0, n_counted=0)
    return votes


@pytest.mark.django_db
def test_changing_every_judgment_and_score_changes_no_vote() -> None:
    run = scored_run()
    campaign = create_campaign(
        name="Glass", run_ids=[run.public_id], options=CampaignOptions(n_pairs=9, overlap=2),
        is_simulated=True, now=NOW,
    )  # fmt: skip
    open_campaign(campaign=campaign, by=None, now=NOW)
    votes = simulated()
    assert len(votes) == 12
    assert simulated() == votes
    Judgment.objects.update(composite=5.0, scores={}, reason="the other one is better")
    PairScore.objects.update(first_hundredths=0, second_hundredths=1000)
    assert simulated() == votes
    PairScore.objects.all().delete()
    Judgment.objects.all().delete()
    assert simulated() == votes
