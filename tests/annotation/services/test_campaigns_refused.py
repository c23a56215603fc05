"""Of what no campaign can be made, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign
from annotation.services.campaign_drawing import TooFewPairs
from annotation.services.campaign_runs import NotOfTheRuns, RunNotReady, RunsNotComparable
from annotation.services.campaigns import (
    CampaignNameUnusable,
    CampaignNotFound,
    TextNotBlind,
    create_campaign,
    get_campaign,
)
from evaluation.models import Run
from evaluation.services.runs import RunNotFound
from tests.annotation.services.measured_campaigns import (
    NOW,
    campaign_of,
    scored_run,
)
from tests.webapp.laboratory import make_benchmark

pytestmark = pytest.mark.django_db


def test_runs_with_different_comparison_keys_are_refused_with_what_differs() -> None:
    benchmark = make_benchmark(n_questions=12)
    one = scored_run(benchmark=benchmark)
    other = scored_run(benchmark=benchmark, seed=2, synthesizer="openai:gpt-4.1-mini")
    with pytest.raises(RunsNotComparable) as refused:
        create_campaign(
            name="Mixed",
            run_ids=[one.public_id, other.public_id],
            options=CampaignOptions(n_pairs=2),
            now=NOW,
        )
    said = str(refused.value)
    assert one.public_id in said
    assert other.public_id in said
    assert "seed (1, 2)" in said
    assert "synthesizer: synthesizer (extractive, openai:gpt-4.1-mini)" in said
    assert not Campaign.objects.exists()


def test_too_few_answers_are_refused_with_how_many_pairs_exist() -> None:
    run = scored_run()
    with pytest.raises(TooFewPairs) as refused:
        campaign_of(run, n_pairs=37)
    assert str(refused.value) == (
        "37 pairs are asked for and 36 exist: 3 systems have answered 12 questions at 10k"
    )
    with pytest.raises(TooFewPairs, match="0 exist: 1 system has answered 12 questions"):
        campaign_of(run, systems=["bm25"])
    assert not Campaign.objects.exists()


def test_a_run_that_is_still_going_is_refused() -> None:
    run = scored_run(is_finished=False)
    with pytest.raises(RunNotReady, match="still being worked on"):
        campaign_of(run)
    Run.objects.update(paused_at=NOW)
    assert campaign_of(run).pairs.count() == 9


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"judge": "nobody"}, "no judge 'nobody'; they have: rubric"),
        ({"track": "70k"}, "no track '70k'; they have: 10k"),
        ({"systems": ["bm25", "nobody"]}, "no system 'nobody'; they have: bm25, orrery@static"),
        ({"tiers": ["L9"]}, "no tier 'L9'; they have: L1, L2, L3"),
    ],
)
def test_what_the_runs_do_not_have_is_refused_with_what_they_have(
    wrong: dict[str, Any], said: str
) -> None:
    run = scored_run()
    with pytest.raises(NotOfTheRuns, match=said) as refused:
        create_campaign(
            name="Wrong", run_ids=[run.public_id], options=CampaignOptions(n_pairs=3), now=NOW,
            **wrong,
        )  # fmt: skip
    assert refused.value.known


@pytest.mark.parametrize("name", ["", "  ", "x" * 201])
def test_a_campaign_needs_a_name(name: str) -> None:
    with pytest.raises(CampaignNameUnusable):
        campaign_of(scored_run(), name=name)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"name": "Orrery against the others"}, "name"),
        ({"decision": "Is BM25 better?"}, "decision"),
        ({"instructions": "One is by *simple-rag*."}, "instructions"),
        ({"reasons": ("better", "sounds like orrery")}, "reasons"),
    ],
)
def test_a_text_for_raters_that_names_a_system_is_refused(
    options: dict[str, Any], option: str
) -> None:
    with pytest.raises(TextNotBlind) as refused:
        campaign_of(scored_run(), **options)
    assert refused.value.option == option


def test_names_that_give_no_slug_and_names_that_do_not_exist_are_told_apart() -> None:
    assert campaign_of(scored_run(), name="投票").slug == "campaign"
    with pytest.raises(CampaignNotFound, match="there is no campaign 'nowhere'"):
        get_campaign("nowhere")
    with pytest.raises(RunNotFound):
        create_campaign(name="x", run_ids=["nowhere"], options=CampaignOptions(), now=NOW)
    with pytest.raises(RunsNotComparable, match="at least one run"):
        create_campaign(name="x", run_ids=[], options=CampaignOptions(), now=NOW)
