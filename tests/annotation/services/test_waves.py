"""The later draws of an active campaign."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import F, Value
from django.db.models.functions import Concat

from annotation.models import AuditEntry, Campaign, CampaignTally, Pair
from annotation.services.waves import draw_next_wave, wave_size
from evaluation.models import Judgment, RunVariant
from tests.annotation.services.measured_campaigns import (
    LATER,
    answers_of,
    campaign_of,
    scored_run,
    spread_scores,
)

pytestmark = pytest.mark.django_db
N_PAIRS = 40


@pytest.fixture
def active() -> Campaign:
    run = scored_run(spread_scores(n_questions=24))
    return campaign_of(run, n_pairs=N_PAIRS, policy="active")


def next_wave(campaign: Campaign) -> int:
    return draw_next_wave(campaign_id=campaign.pk, now=LATER)


def served(campaign: Campaign) -> list[Any]:
    rows = campaign.pairs.order_by("position")
    return list(rows.values_list("position", "first_answer", "second_answer"))


def test_waves_follow_until_the_planned_number_is_drawn(active: Campaign) -> None:
    assert active.pairs.count() == 12
    assert [next_wave(active) for _ in range(4)] == [10, 10, 8, 0]
    active.refresh_from_db()
    assert active.sampling["n_drawn"] == N_PAIRS
    assert [wave["n"] for wave in active.sampling["waves"]] == [12, 10, 10, 8]
    assert sum(bucket["n_drawn"] for bucket in active.sampling["buckets"]) == N_PAIRS
    rows = served(active)
    assert [row[0] for row in rows] == list(range(N_PAIRS))
    assert len({frozenset(row[1:]) for row in rows}) == N_PAIRS
    assert CampaignTally.objects.get(campaign=active).version == 3
    last = AuditEntry.objects.order_by("pk").last()
    assert last is not None
    assert (last.action, last.actor_name) == ("pairs drawn", "the site")


def test_pairs_of_a_stratum_share_a_probability_whenever_they_were_drawn(active: Campaign) -> None:
    while next_wave(active):
        pass
    by_stratum: dict[str, set[float | None]] = {}
    for pair in active.pairs.all():
        by_stratum.setdefault(pair.stratum, set()).add(pair.inclusion_probability)
    assert all(len(probabilities) == 1 for probabilities in by_stratum.values())
    weights = [1 / pair.inclusion_probability for pair in active.pairs.all()]  # type: ignore[operator]
    assert sum(weights) == pytest.approx(active.sampling["n_candidates"], rel=0.15)


def test_a_wave_looks_at_counts_and_never_at_who_won(active: Campaign) -> None:
    run = active.runs.get()
    twin = campaign_of(run, n_pairs=N_PAIRS, policy="active")
    small = Pair.objects.filter(stratum__startswith="0–2")
    small.filter(campaign=active).update(n_first=1)
    small.filter(campaign=twin).update(n_second=F("position") % 3 + 1, n_tie=1, n_both_bad=1)
    assert next_wave(active) == next_wave(twin) == 10
    assert served(active) == served(twin)
    without = campaign_of(run, n_pairs=N_PAIRS, policy="active")
    next_wave(without)
    n_small = [
        campaign.pairs.filter(stratum__startswith="0–2").count() for campaign in (active, without)
    ]
    assert n_small[0] < n_small[1]


def test_what_is_answered_or_judged_after_the_making_stays_outside(active: Campaign) -> None:
    run = active.runs.get()
    lost = list(Judgment.objects.filter(answer__in=answers_of(run, "bm25")))
    Judgment.objects.filter(answer__in=answers_of(run, "bm25")).delete()
    one, twin = (campaign_of(run, n_pairs=N_PAIRS, policy="active") for _ in range(2))
    next_wave(twin)
    later = scored_run({"gnomon": [5.0] * 24}, benchmark=run.benchmark)
    for campaign_run in answers_of(later).values_list("cell__run_variant", flat=True).distinct():
        RunVariant.objects.filter(pk=campaign_run).update(run=run, position=9)
    top = max(Judgment.objects.values_list("pk", flat=True))
    for number, judgment in enumerate(lost, start=top + 1):
        judgment.pk = number
    Judgment.objects.bulk_create(lost)
    next_wave(one)
    assert served(one) == served(twin)


def test_a_text_that_tells_is_held_back_in_waves_too(active: Campaign) -> None:
    run = active.runs.get()
    answers_of(run).update(text=Concat("text", Value(" [edge 3]")))
    assert next_wave(active) == 10
    late = active.pairs.filter(position__gte=12)
    assert late.filter(needs_review=True, n_wanted=0).count() == 10


@pytest.mark.parametrize("policy", ["uniform", "stratified"])
def test_other_policies_draw_all_at_once(policy: str) -> None:
    campaign = campaign_of(scored_run(), policy=policy)
    assert campaign.pairs.count() == 9
    assert next_wave(campaign) == 0


def test_a_wave_is_a_tenth_within_bounds() -> None:
    assert [wave_size(n) for n in (5, 100, 250, 10_000)] == [10, 10, 25, 50]
