"""The judges' scores of the answers of a campaign's pairs, in whole hundredths."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from annotation.models import Campaign, CampaignTally, Pair, PairScore
from annotation.pair_sampling.scores import hundredths
from annotation.services.audit import record
from annotation.services.campaign_runs import judges_of
from evaluation.models import Judge, Judgment

ROWS_AT_ONCE = 500


def store_pair_scores(*, pairs: Sequence[Pair], judges: Sequence[Judge]) -> int:
    """Write what each judge gave both answers of each pair, rounded half up to hundredths of a
    point; unscored is null, and a judge who judged neither answer has no row. Rows that are there
    are brought up to date. Returns the number of rows. Runs in the caller's transaction."""
    answered = [pair for pair in pairs if pair.first_answer_id and pair.second_answer_id]
    scores = _scores(
        {pk for pair in answered for pk in (pair.first_answer_id, pair.second_answer_id) if pk},
        judges,
    )
    rows = [
        PairScore(
            pair=pair,
            judge=judge,
            first_hundredths=scores.get((judge.pk, pair.first_answer_id)),
            second_hundredths=scores.get((judge.pk, pair.second_answer_id)),
        )
        for judge in judges
        for pair in answered
        if (judge.pk, pair.first_answer_id) in scores or (judge.pk, pair.second_answer_id) in scores
    ]
    PairScore.objects.bulk_create(
        rows,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["pair", "judge"],
        update_fields=["first_hundredths", "second_hundredths"],
    )
    return len(rows)


@transaction.atomic
def refresh_pair_scores(*, campaign: Campaign, by: User | None = None, now: datetime) -> int:
    """After a run was judged again: rows for its new judges, and scores that came since for the
    old ones. The reference judge and the strata stay as they were frozen. Returns the number of
    rows."""
    tally = CampaignTally.objects.select_for_update().filter(campaign=campaign)
    tally.update(version=F("version") + 1)
    judges = judges_of(list(campaign.runs.all()))
    pairs = list(Pair.objects.on_vote().filter(campaign=campaign).order_by("pk"))
    n_rows = store_pair_scores(pairs=pairs, judges=judges)
    detail = {"judges": [judge.name for judge in judges], "rows": n_rows}
    record(action="scores refreshed", by=by, campaign=campaign, detail=detail, now=now)
    return n_rows


def _scores(
    answer_ids: set[int], judges: Sequence[Judge]
) -> dict[tuple[int, int | None], int | None]:
    """(Judge row, answer row) → hundredths, None for unscored."""
    wanted = sorted(answer_ids)
    return {
        (judge, answer): hundredths(composite)
        for start in range(0, len(wanted), ROWS_AT_ONCE)
        for judge, answer, composite in Judgment.objects.filter(
            answer__in=wanted[start : start + ROWS_AT_ONCE], judge__in=judges
        ).values_list("judge", "answer", "composite")
    }
