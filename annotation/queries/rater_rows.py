"""Raters as rows: the counts kept by the writes, and what is read from their votes."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.campaign_options import CampaignOptions
from annotation.models import Rater
from annotation.queries.exclusion_rules import is_often_too_fast, met_rules
from annotation.queries.rater_votes import VoteSums, sums_of_votes
from annotation.queries.raters import RaterRow
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval

MOST_VOTES_READ = 10_000
"""Votes that a list of raters reads for their times and agreement; one rater's page reads all."""


def rater_rows(raters: Sequence[Rater], options: CampaignOptions) -> tuple[RaterRow, ...]:
    """In one query, whatever the number."""
    is_summed = sum(rater.n_votes for rater in raters) <= MOST_VOTES_READ
    sums = sums_of_votes([rater.pk for rater in raters]) if is_summed else {}
    return tuple(rater_row(rater, options, sums.get(rater.pk)) for rater in raters)


def rater_row(rater: Rater, options: CampaignOptions, sums: VoteSums | None) -> RaterRow:
    """``sums`` is None where the rater's votes were not read."""
    return RaterRow(
        pseudonym=rater.pseudonym,
        kind=rater.kind,
        standing=standing_of(rater),
        n_votes=rater.n_votes,
        n_counted=rater.n_counted,
        n_skips=rater.n_skips,
        n_too_fast=rater.n_too_fast,
        median_s=sums.median_s if sums else None,
        left=_share(rater.n_left, rater.n_left + rater.n_right),
        checks_right=_share(rater.n_checks_right, rater.n_checks),
        agreement=_share(sums.n_agree, sums.n_shared) if sums else None,
        is_summed=sums is not None,
        met_rules=met_rules(
            options,
            n_checks=rater.n_checks,
            n_checks_right=rater.n_checks_right,
            n_votes=rater.n_votes,
            n_too_fast=rater.n_too_fast,
        ),
        is_often_too_fast=rater.excluded_at is None
        and rater.kind != Rater.SIMULATED
        and is_often_too_fast(options, n_votes=rater.n_votes, n_too_fast=rater.n_too_fast),
        excluded_reason=rater.excluded_reason,
        created_at=rater.created_at,
    )


def standing_of(rater: Rater) -> str:
    """The strongest of what holds: one of raters.STANDINGS."""
    if rater.withdrawn_at is not None:
        return "withdrawn"
    if rater.excluded_at is not None:
        return "excluded"
    if rater.unblinded_at is not None:
        return "unblinded"
    if rater.disqualified_at is not None:
        return "disqualified"
    return "finished" if rater.finished_at is not None else "voting"


def _share(n: int, of: int) -> RateInterval | None:
    try:
        return wilson_interval(n, of)
    except StatisticUndefined:
        return None
