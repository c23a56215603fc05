"""The demo's campaign: once, from the demo's run, labelled as simulated."""

from __future__ import annotations

import datetime as dt

import pytest

from annotation.models import Campaign, Rater, Vote
from annotation.services import demo
from evaluation.models import Run
from tests.annotation.services.measured_campaigns import answers_of, scored_run
from tests.annotation.toy_campaigns import make_campaign

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 6, 1, 12, 0, tzinfo=dt.UTC)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(demo, "BENCHMARK", "glass")
    monkeypatch.setattr(demo, "PAIRS", (40, 12))
    monkeypatch.setattr(demo, "RATERS", 4)
    return scored_run()


def test_the_finished_run_gets_a_closed_campaign_with_simulated_votes(run: Run) -> None:
    assert demo.prepare_demo_campaign(now=NOW) is True
    campaign = Campaign.objects.get()
    assert campaign.is_simulated
    assert "simulated" in campaign.name
    assert campaign.closed_at == NOW
    assert campaign.options["n_pairs"] == 12
    assert Vote.objects.counted().count() == 36
    assert set(Rater.objects.values_list("kind", flat=True)) == {Rater.SIMULATED}


def test_it_is_made_once(run: Run) -> None:
    for _ in range(2):
        assert demo.prepare_demo_campaign(now=NOW) is True
    assert Campaign.objects.count() == 1
    assert Vote.objects.count() == 36


def test_it_waits_for_the_run_and_gives_up_on_a_cancelled_one(run: Run) -> None:
    Run.objects.update(finished_at=None)
    assert demo.prepare_demo_campaign(now=NOW) is False
    Run.objects.update(cancelled_at=NOW)
    assert demo.prepare_demo_campaign(now=NOW) is True
    assert not Campaign.objects.exists()


def test_a_run_whose_systems_all_answer_alike_gets_none(run: Run) -> None:
    answers_of(run).update(text="It anneals.")
    assert demo.prepare_demo_campaign(now=NOW) is True
    assert not Campaign.objects.exists()


def test_a_site_with_campaigns_of_its_own_gets_none(run: Run) -> None:
    make_campaign()
    assert demo.prepare_demo_campaign(now=NOW) is True
    assert Campaign.objects.get().slug == "toy"


def test_a_killed_simulation_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(**_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(demo, "close_campaign", killed)
        with pytest.raises(KeyboardInterrupt):
            demo.prepare_demo_campaign(now=NOW)
    assert demo.prepare_demo_campaign(now=NOW) is True
    assert Campaign.objects.get().closed_at is not None
    assert Vote.objects.counted().count() == 36
