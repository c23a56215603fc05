"""Scores of judges that came after the campaign was made."""

from __future__ import annotations

import pytest

from annotation.models import CampaignTally, PairScore
from annotation.services.pair_scores import refresh_pair_scores
from evaluation.models import Judge, Judgment, RunJudge
from tests.annotation.services.measured_campaigns import (
    LATER,
    NOW,
    answers_of,
    campaign_of,
    scored_run,
)

pytestmark = pytest.mark.django_db


def test_a_further_judge_and_late_judgments_come_with_a_refresh() -> None:
    run = scored_run()
    campaign = campaign_of(run, n_pairs=36)
    late = Judgment.objects.filter(answer__in=answers_of(run, "bm25"))
    late.update(composite=6.125)
    judge = Judge.objects.create(key="k", name="typed", parts={}, created_at=NOW)
    RunJudge.objects.create(run=run, judge=judge, position=1)
    Judgment.objects.bulk_create(
        [
            Judgment(
                answer=answer, judge=judge, composite=None, unscored_reason="no", created_at=NOW
            )
            for answer in answers_of(run, "bm25")
        ]
    )
    assert refresh_pair_scores(campaign=campaign, now=LATER) == 36 + 24
    of_typed = PairScore.objects.filter(pair__campaign=campaign, judge=judge)
    assert of_typed.count() == 24
    assert set(of_typed.values_list("first_hundredths", "second_hundredths")) == {(None, None)}
    of_rubric = PairScore.objects.filter(pair__campaign=campaign, judge__name="rubric")
    assert of_rubric.count() == 36
    assert of_rubric.filter(pair__first_system__label="bm25", first_hundredths=613).count() == (
        of_rubric.filter(pair__first_system__label="bm25").count()
    )
    assert CampaignTally.objects.get(campaign=campaign).version == 1
