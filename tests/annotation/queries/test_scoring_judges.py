"""The judges that have scored a campaign's pairs, read or remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from annotation.models import AuditEntry, Campaign, CampaignTally, Pair, PairScore
from annotation.queries import scoring_judges as module
from annotation.queries.calibration_context import judges_of_pairs
from annotation.queries.scoring_judges import scoring_judge_ids
from evaluation.models import Judge
from tests.annotation.toy_campaigns import NOW, make_campaign


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    module.kept_judges.clear()


def _second_judge(campaign: Campaign) -> Judge:
    judge = Judge.objects.create(key="2" * 64, name="a second", parts={}, created_at=NOW)
    pair = campaign.pairs.filter(kind=Pair.VOTE).order_by("position")[0]
    PairScore.objects.create(pair=pair, judge=judge, first_hundredths=100, second_hundredths=None)
    return judge


def test_judges_come_with_the_reference_judge_first_and_others_by_name(toy: Campaign) -> None:
    second = _second_judge(toy)
    make_campaign(slug="another")
    assert [judge.pk for judge in judges_of_pairs(toy)] == [toy.judge_id, second.pk]


def test_a_campaign_without_pairs_or_scores_has_none(toy: Campaign) -> None:
    PairScore.objects.all().delete()
    assert scoring_judge_ids(toy) == ()
    toy.pairs.all().delete()
    assert scoring_judge_ids(toy) == ()


def test_of_a_large_campaign_they_are_read_once_until_something_is_logged(
    toy: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Callable[..., Any],
) -> None:
    monkeypatch.setattr(module, "MANY_PAIRS", 6)
    first = scoring_judge_ids(toy)
    assert first == (toy.judge_id,)
    CampaignTally.objects.filter(campaign=toy).update(version=7)  # as votes do
    with django_assert_num_queries(2):
        assert scoring_judge_ids(toy) == first
    second = _second_judge(toy)
    AuditEntry.objects.create(campaign=toy, at=NOW, actor_name="x", action="scores refreshed")
    assert scoring_judge_ids(toy) == (*first, second.pk)
