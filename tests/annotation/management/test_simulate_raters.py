"""The command that lets simulated raters vote: through the services, and over real HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection

from annotation.management.http_raters import SiteUnusable, read_pair
from annotation.models import Campaign, Pair, Rater, Vote
from annotation.services.voting import admit_simulated_rater, voting_page
from annotation.views.places import COOKIE, signed_place
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.evaluation.management.commands_run import run_command


def simulated(*options: str) -> Any:
    return run_command("simulate_raters", "toy", *options, app="annotation")


@pytest.mark.django_db
def test_it_says_how_many_voted() -> None:
    make_campaign(n_pairs=6, overlap=2, is_simulated=True)
    done = simulated("--raters", "3", "--votes", "2", "--seed", "4", "--noise", "0.5")
    assert done.code == 0, done.err
    assert "raters: 3" in done.out
    assert "votes: 6" in done.out
    assert Vote.objects.count() == 6


@pytest.mark.django_db
def test_json_holds_the_same_numbers() -> None:
    make_campaign(n_pairs=2, is_simulated=True)
    done = simulated("--raters", "1", "--format", "json")
    assert json.loads(done.out) == {"n_raters": 1, "n_votes": 2, "n_without_pairs": 1}


@pytest.mark.django_db
@pytest.mark.parametrize("over", [[], ["--http", "http://127.0.0.1:9"]])
def test_a_vote_of_people_is_refused_in_words(over: list[str]) -> None:
    make_campaign()
    done = simulated("--raters", "2", *over)
    assert done.code == 1
    assert "toy is a vote of people and never takes simulated raters" in done.err
    assert not Rater.objects.exists()


@pytest.mark.django_db
def test_a_site_that_does_not_answer_is_said_in_words() -> None:
    make_campaign(is_simulated=True)
    done = simulated("--raters", "1", "--http", "http://127.0.0.1:9")
    assert done.code == 1
    assert "http://127.0.0.1:9 does not answer" in done.err
    done = simulated("--raters", "1", "--http", "nowhere")
    assert "no address such as" in done.err


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [["--raters", "0"], ["--raters", "1", "--noise", "x"], []])
def test_options_that_make_no_sense_are_used_wrongly(wrong: list[str]) -> None:
    assert simulated(*wrong).code == 2


@pytest.mark.django_db
def test_what_is_read_off_the_page_is_the_pair_that_is_served(client: Any) -> None:
    campaign = make_campaign(is_simulated=True, n_pairs=1)
    token = campaign.link_token
    key = admit_simulated_rater(campaign_token=token, name="one", now=NOW)
    client.cookies[COOKIE] = signed_place(token, key)
    html = client.get(f"/vote/{token}/").content.decode()
    served = voting_page(campaign_token=token, rater_key=key, user=None, now=NOW).pair
    assert served is not None
    seen = read_pair(html)
    for name in ("assignment_id", "question_html", "gold_html", "left_html", "right_html"):
        assert getattr(seen, name).strip() == getattr(served, name).strip(), name
    assert seen.facts == served.facts
    with pytest.raises(SiteUnusable):
        read_pair("<p>nothing</p>")


@pytest.mark.django_db(transaction=True)
def test_a_rater_votes_over_real_http(live_server: Any) -> None:
    """One: the threads of this server share a connection where the database is in memory."""
    make_campaign(n_pairs=6, overlap=2, is_simulated=True, n_attention=2, attention_every=3)
    done = simulated("--raters", "1", "--http", live_server.url, "--format", "json")
    connection.close()
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["n_raters"] == 1
    assert Vote.objects.counted().count() == 6
    assert told["n_votes"] == Vote.objects.count()
    assert told["median_ms"] > 0
    assert not Pair.objects.filter(kind=Pair.VOTE, n_taken__gt=2).exists()
    assert set(Rater.objects.values_list("kind", flat=True)) == {Rater.SIMULATED}
    assert Campaign.objects.get().is_simulated
