"""``create_campaign`` and ``campaign``: the doors to making campaigns."""

from __future__ import annotations

import re

import pytest

from annotation.campaign_options import CampaignOptions, InvalidCampaignOption
from annotation.management.option_values import read_options
from annotation.models import Campaign
from tests.annotation.services.measured_campaigns import scored_run
from tests.evaluation.management.commands_run import Outcome, run_command

pytestmark = pytest.mark.django_db


def manage(*arguments: str) -> Outcome:
    return run_command(*arguments, app="annotation")


def test_a_campaign_is_made_opened_shown_and_closed() -> None:
    run = scored_run()
    made = manage(
        "create_campaign", "First vote", "--runs", run.public_id, "--pairs", "12", "--overlap", "3",
        "--seed", "7", "--policy", "uniform", "--set", "attention_every=4", "--set", "reveal=never",
        "--set", "gap_edges=0, 1.5, 4", "--simulated", "--open",
    )  # fmt: skip
    assert made.code == 0, made.err
    campaign = Campaign.objects.get()
    assert "first-vote: simulated, open" in made.out
    assert re.search(rf"link: http\S+/vote/{campaign.link_token}/", made.out)
    assert "12 of 12 planned pairs drawn from 36 (uniform, seed 7); 3 votes wanted" in made.out
    assert "4 attention checks" in made.out
    assert "bm25 / simple-rag@static" in made.out
    assert "1.5–4" in made.out
    options = CampaignOptions.from_json(campaign.options)
    assert (options.reveal, options.attention_every, options.overlap) == ("never", 4, 3)
    assert "pseudonym" in options.consent
    assert "first-vote  open  First vote" in manage("campaign", "list").out
    assert manage("campaign", "close", "first-vote").code == 0
    assert "first-vote: simulated, closed" in manage("campaign", "status", "first-vote").out
    assert manage("campaign", "reopen", "first-vote").code == 0
    assert (
        "scores of pairs are up to date" in manage("campaign", "refresh-scores", "first-vote").out
    )
    refused = manage("campaign", "delete", "first-vote")
    assert refused.code == 1
    assert "opened already" in refused.err


def test_a_draft_can_be_deleted() -> None:
    run = scored_run()
    assert manage("create_campaign", "d", "--runs", run.public_id, "--pairs", "3").code == 0
    assert manage("campaign", "delete", "d").code == 0
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--runs", "nowhere"), "there is no run 'nowhere'"),
        (("--pairs", "37"), "37 pairs are asked for and 36 exist"),
        (("--judge", "nobody"), "no judge 'nobody'"),
        (("--track", "huge"), "unknown track 'huge'"),
        (("--set", "colour=red"), "colour: there is no such option"),
        (("--set", "reveal=maybe"), "reveal: one of end, each, never"),
        (("--set", "overlap"), "give it a value, as overlap="),
        (("--set", "lock_minutes=nan"), "lock_minutes: from 0.01 to 1440"),
        (("--set", "overlap=many"), "overlap: a whole number, not many"),
        (("--set", "ask_comment=perhaps"), "ask_comment: true or false"),
        (("--set", "decision=Is bm25 better?"), "it names the system 'bm25'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    run = scored_run()
    outcome = manage("create_campaign", "x", "--runs", run.public_id, *arguments)
    assert outcome.code == 1
    assert said in outcome.err
    assert "\n" not in outcome.err.strip()
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("create_campaign", "x"),
        ("create_campaign", "x", "--runs", "r", "--pairs", "0"),
        ("create_campaign", "x", "--runs", "r", "--policy", "random"),
        ("campaign", "explode"),
        ("campaign", "open"),
    ],
    ids=" ".join,
)
def test_a_command_that_is_used_wrongly_ends_with_2(arguments: tuple[str, ...]) -> None:
    assert manage(*arguments).code == 2


def test_options_are_read_as_their_kind() -> None:
    assert read_options(
        ["votes-per-rater=none", "reasons=clear, right", "too_fast_floor_s=2.5", "invite_only=yes"]
    ) == {
        "votes_per_rater": None,
        "reasons": ("clear", "right"),
        "too_fast_floor_s": 2.5,
        "invite_only": True,
    }
    with pytest.raises(InvalidCampaignOption) as refused:
        read_options(["colour=red"])
    assert "overlap" in refused.value.known
