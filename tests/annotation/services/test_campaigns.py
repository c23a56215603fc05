"""Making a campaign of measured runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotation.campaign_options import CampaignOptions
from annotation.models import AuditEntry, Campaign, CampaignTally, Pair, PairScore, RenderedText
from annotation.services.campaign_drawing import TooFewPairs
from annotation.services.campaign_identities import campaign_identities
from annotation.services.campaigns import (
    create_campaign,
    get_campaign,
)
from annotation.services.rendering import QuestionContent
from evaluation.formats.rich_text import render_rich_text
from evaluation.models import Run
from tests.annotation.services.measured_campaigns import (
    LABELS,
    NOW,
    answers_of,
    campaign_of,
    scored_run,
    spread_scores,
    tell_apart,
)
from tests.evaluation.toy_runs import measured_run
from tests.webapp.laboratory import STARTED, make_benchmark

pytestmark = pytest.mark.django_db


def drawn(campaign: Campaign) -> list[tuple[Any, ...]]:
    rows = campaign.pairs.order_by("position")
    return list(rows.values_list("position", "first_answer", "second_answer", "stratum"))


def test_a_measured_run_becomes_a_draft_with_everything_rendered() -> None:
    run = measured_run(systems=("bm25", "simple-rag", "simple-rag+bm25", "base-model"))
    tell_apart(run)
    campaign = campaign_of(run, n_pairs=6, overlap=3)
    assert get_campaign("glass-vote") == campaign
    assert campaign.opened_at is None
    assert campaign.track == "1k"
    assert len(campaign.link_token) >= 32
    assert list(campaign.runs.all()) == [run]
    assert CampaignTally.objects.filter(campaign=campaign, version=0).exists()
    assert campaign.systems.count() == 3
    assert "Both bad" in CampaignOptions.from_json(campaign.options).instructions
    pairs = campaign.pairs.select_related("question", "first_text", "first_answer")
    assert pairs.count() == 6
    for pair in pairs:
        assert pair.n_wanted == 3
        assert pair.inclusion_probability == pytest.approx(6 / 12)
        assert pair.first_answer is not None
        assert pair.second_answer is not None
        assert pair.first_text is not None
        assert pair.first_text.html == render_rich_text(pair.first_answer.text)
        assert pair.first_text.n_words == len(pair.first_answer.text.split())
        assert pair.question.question_html == render_rich_text(pair.question.text)
        assert pair.question.gold_html
        assert pair.first_system_id != pair.second_system_id
        assert pair.first_answer.cell.question_id == pair.second_answer.cell.question_id
    assert any(pair.question.facts for pair in pairs)
    assert any("Tin Cabinet: " in span for pair in pairs for span in pair.question.source_spans)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor_name) == ("created", "a command")


def test_controls_in_facts_and_sources_are_made_visible_to_raters() -> None:
    content = QuestionContent(
        question_id=1,
        key="Q1",
        text="What?",
        gold="That.",
        facts=("no\u200bthing",),
        source_spans=("\u202eNotes: nothing.",),
        slices={},
        source_ids=(),
    )
    row = content.as_row(Campaign())
    assert row.facts == ["no⟦U+200B⟧thing"]
    assert row.source_spans == ["⟦U+202E⟧Notes: nothing."]


def test_what_was_drawn_is_kept_by_bucket_and_by_pair_of_systems() -> None:
    campaign = campaign_of(scored_run(), n_pairs=9)
    kept = campaign.sampling
    assert kept["n_candidates"] == 36
    assert kept["n_planned"] == kept["n_drawn"] == 9
    assert [bucket["bucket"] for bucket in kept["buckets"]] == ["0–2", "2–4", "4+"]
    assert sum(bucket["n_candidates"] for bucket in kept["buckets"]) == 36
    for group in ("buckets", "system_pairs"):
        assert sum(one["n_drawn"] for one in kept[group]) == 9
        assert sum(one["n_planned"] for one in kept[group]) == pytest.approx(9, abs=0.05)
    assert all(bucket["n_planned"] == 3.0 for bucket in kept["buckets"])
    json.dumps(kept, allow_nan=False)


def test_a_pair_keeps_its_stratum_and_the_scores_of_every_judge() -> None:
    scores = spread_scores()
    campaign = campaign_of(scored_run(scores, judges=("rubric", "substring")), n_pairs=36)
    assert PairScore.objects.filter(pair__campaign=campaign).count() == 72
    for pair in campaign.pairs.select_related("first_answer__cell__question"):
        assert pair.first_answer is not None
        assert pair.first_system is not None
        assert pair.second_system is not None
        place = pair.first_answer.cell.question.position - 1
        first, second = pair.first_system.label, pair.second_system.label
        score = PairScore.objects.get(pair=pair, judge__name="rubric")
        wanted = [scores[label][place] or 0.0 for label in (first, second)]
        assert score.first_hundredths == wanted[0] * 100
        assert score.second_hundredths == wanted[1] * 100
        gap = abs(wanted[0] - wanted[1]) * 100
        bucket = "0–2" if gap < 200 else "2–4" if gap < 400 else "4+"
        assert pair.stratum == " | ".join((bucket, *sorted((first, second))))
        assert pair.inclusion_probability == 1


def test_answers_that_the_reference_judge_left_unscored_have_no_known_gap() -> None:
    scores = spread_scores()
    scores["bm25"] = [None] * 12
    campaign = campaign_of(scored_run(scores), n_pairs=36)
    unknown = campaign.pairs.filter(stratum__startswith="gap unknown")
    assert unknown.count() == 24
    assert PairScore.objects.filter(pair__in=unknown, first_hundredths=None).exists()
    assert campaign.sampling["buckets"][-1] == {
        "bucket": "gap unknown", "n_candidates": 24, "n_planned": 24.0, "n_drawn": 24,
    }  # fmt: skip


@pytest.mark.parametrize("policy", ["uniform", "stratified", "active"])
def test_the_seed_draws_the_same_pairs_again(policy: str) -> None:
    run = scored_run()
    one = campaign_of(run, policy=policy, seed=4)
    again = campaign_of(run, policy=policy, seed=4)
    other = campaign_of(run, policy=policy, seed=5)
    assert drawn(one) == drawn(again) != drawn(other)
    assert one.slug == "glass-vote"
    assert again.slug == "glass-vote-2"
    assert one.link_token != again.link_token


def test_a_text_is_rendered_once_whoever_wrote_it() -> None:
    run = scored_run()
    answers_of(run, "bm25").update(text="It **anneals**.")
    campaign_of(run, n_pairs=36)
    assert RenderedText.objects.count() == 1 + 24


@pytest.mark.parametrize("policy", ["uniform", "stratified", "active"])
def test_pairs_of_two_equal_texts_are_left_out_of_the_frame_and_counted(policy: str) -> None:
    run = scored_run()
    answers_of(run, "bm25").update(text="It anneals.")
    answers_of(run, "orrery@static").update(text=" It\n\nanneals. ")
    campaign = campaign_of(run, n_pairs=24, policy=policy)
    sampling = campaign.sampling
    assert (sampling["n_candidates"], sampling["n_left_out_identical"]) == (24, 12)
    pairs = campaign.pairs.on_vote()
    both = pairs.values_list("first_system__label", "second_system__label")
    assert {"bm25", "orrery@static"} not in [set(labels) for labels in both]
    assert sum(row["n_candidates"] for row in sampling["system_pairs"]) == 24
    with pytest.raises(TooFewPairs, match=r"24 exist: .* 12 more pairs have two answers that read"):
        campaign_of(run, n_pairs=25)


def test_the_base_model_is_left_out_unless_it_is_asked_for() -> None:
    run = scored_run({**spread_scores(), "base-model": [1.0] * 12, "direct-read": [9.0] * 12})
    assert set(campaign_of(run).systems.values_list("label", flat=True)) == {
        *LABELS, "direct-read",
    }  # fmt: skip
    two = ("base-model", "bm25")
    asked = campaign_of(run, systems=two)
    assert set(asked.systems.values_list("label", flat=True)) == set(two)
    options = CampaignOptions(n_pairs=5)
    both = create_campaign(
        name="All", run_ids=[run.public_id], options=options, with_base_model=True, now=NOW
    )
    assert both.systems.count() == 5


def test_tiers_narrow_the_questions() -> None:
    run = scored_run()
    campaign = create_campaign(
        name="L2", run_ids=[run.public_id], options=CampaignOptions(n_pairs=12), tiers=("L2",),
        now=NOW,
    )  # fmt: skip
    assert {tuple(row.slices["tier"]) for row in campaign.questions.all()} == {("L2",)}
    assert campaign.sampling["n_questions"] == 4


def test_a_later_run_of_the_same_protocol_adds_its_systems_and_renews_its_answers() -> None:
    benchmark = make_benchmark(n_questions=12)
    old = scored_run(spread_scores(("bm25", "orrery@static")), benchmark=benchmark)
    new = scored_run(
        spread_scores(("bm25", "gnomon@static")),
        benchmark=benchmark,
        created_at=STARTED.replace(month=4),
    )
    campaign = create_campaign(
        name="Two runs",
        run_ids=[new.public_id, old.public_id],
        options=CampaignOptions(n_pairs=36),
        now=NOW,
    )
    assert campaign.systems.count() == 3
    of_bm25 = set(answers_of(new, "bm25").values_list("pk", flat=True))
    shown = {pk for row in drawn(campaign) for pk in row[1:3]}
    assert of_bm25 <= shown
    assert not shown & set(answers_of(old, "bm25").values_list("pk", flat=True))


def test_budgets_come_before_native_and_any_judge_can_be_the_reference() -> None:
    benchmark = make_benchmark(n_questions=12)
    scored_run(track="native", benchmark=benchmark)
    run = scored_run(
        benchmark=benchmark, judges=("rubric", "substring"), created_at=STARTED.replace(month=4)
    )
    native = Run.objects.exclude(pk=run.pk).get()
    chosen = create_campaign(
        name="Both",
        run_ids=[run.public_id, native.public_id],
        options=CampaignOptions(n_pairs=3),
        judge="substring",
        now=NOW,
    )
    assert chosen.track == "10k"
    assert chosen.judge is not None
    assert chosen.judge.name == "substring"
    assert campaign_of(native).track == "native"


def test_the_identities_of_a_campaign_are_listed() -> None:
    run = scored_run()
    found = campaign_identities(campaign=campaign_of(run))
    assert {*LABELS, "orrery", run.public_id, "rubric"} <= found


def test_thirty_systems_and_a_hundred_questions_are_drawn_from() -> None:
    labels = [f"system-{number}" for number in range(30)]
    run = scored_run(spread_scores(labels, 100))
    campaign = campaign_of(run, n_pairs=200)
    assert campaign.sampling["n_candidates"] == 43_500
    assert campaign.pairs.filter(kind=Pair.VOTE).count() == 200
