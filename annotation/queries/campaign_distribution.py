"""What was drawn, by bucket of the judge's score gap and by pair of systems, beside the plan."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import (
    Case,
    Count,
    F,
    FilteredRelation,
    IntegerField,
    Q,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Abs

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignSystem, Pair
from annotation.pair_sampling.candidates import UNKNOWN_GAP, bucket_names
from annotation.queries.campaign import Distribution, StratumRow
from annotation.queries.campaign_counts import MANY_PAIRS
from evaluation.queries.kept import Kept

SHOWN_SYSTEM_PAIRS = 40
UNSCORED = -1
SEPARATOR = " × "
Plan = tuple[int, float]

kept_distributions: Kept[tuple[int, int], Distribution] = Kept(64)


@dataclass(slots=True)
class _Sum:
    n_pairs: int = 0
    n_wanted: int = 0
    n_counted: int = 0
    lowest: float | None = None
    highest: float | None = None

    def add(self, row: Mapping[str, Any]) -> None:
        self.n_pairs += row["n_pairs"]
        self.n_wanted += row["wanted"]
        self.n_counted += row["counted"]
        probability = row["inclusion_probability"]
        if probability is not None:
            self.lowest = probability if self.lowest is None else min(self.lowest, probability)
            self.highest = probability if self.highest is None else max(self.highest, probability)


def distribution_of(campaign: Campaign, *, now: dt.datetime) -> Distribution:
    """In two queries; of a large campaign it is kept for ten minutes and says when it was
    counted."""
    key = (campaign.pk, int(now.timestamp()) // 600)
    held = kept_distributions.get(key)
    if held is not None:
        return held
    made = _read(campaign)
    if made.n_drawn < MANY_PAIRS:
        return made
    return kept_distributions.put(key, replace(made, counted_at=now))


def _read(campaign: Campaign) -> Distribution:
    options = CampaignOptions.from_json(campaign.options)
    edges = [round(edge * 100) for edge in options.gap_edges]
    labels = dict(CampaignSystem.objects.filter(campaign=campaign).values_list("pk", "label"))
    buckets: dict[int, _Sum] = {number: _Sum() for number in range(len(edges))}
    system_pairs: dict[str, _Sum] = {}
    n_of_probability: Counter[float] = Counter()
    for row in _groups(campaign, edges):
        if row["inclusion_probability"] is not None:
            n_of_probability[row["inclusion_probability"]] += row["n_pairs"]
        buckets.setdefault(row["bucket"], _Sum()).add(row)
        name = _pair_name(labels, row["first_system"], row["second_system"])
        system_pairs.setdefault(name, _Sum()).add(row)
    names = dict(enumerate(bucket_names(edges))) | {UNSCORED: UNKNOWN_GAP}
    planned_buckets, planned_pairs = _planned(campaign.sampling)
    if UNKNOWN_GAP in planned_buckets:
        buckets.setdefault(UNSCORED, _Sum())
    for name in planned_pairs:
        system_pairs.setdefault(name, _Sum())
    fullest = sorted(system_pairs.items(), key=lambda item: (-item[1].n_pairs, item[0]))
    probabilities = sorted(n_of_probability.items())
    return Distribution(
        buckets=tuple(
            _row(names[number], total, planned_buckets.get(names[number]))
            for number, total in sorted(
                buckets.items(), key=lambda item: (item[0] == UNSCORED, item[0])
            )
        ),
        system_pairs=tuple(
            _row(name, total, planned_pairs.get(name))
            for name, total in fullest[:SHOWN_SYSTEM_PAIRS]
        ),
        n_more_system_pairs=max(0, len(fullest) - SHOWN_SYSTEM_PAIRS),
        n_drawn=sum(total.n_pairs for total in buckets.values()),
        n_left_out_identical=int(campaign.sampling.get("n_left_out_identical", 0)),
        lowest_probability=probabilities[0][0] if probabilities else None,
        median_probability=_median(probabilities),
        highest_probability=probabilities[-1][0] if probabilities else None,
    )


def _groups(campaign: Campaign, edges: Sequence[int]) -> Iterable[Mapping[str, Any]]:
    """A row a bucket, ordered pair of systems and inclusion probability: as many as strata, or a
    few to a wave of active drawing."""
    gap = Abs(F("score__first_hundredths") - F("score__second_hundredths"))
    lowest_first = [
        When(gap__gte=edge, then=Value(number)) for number, edge in reversed(list(enumerate(edges)))
    ]
    rows = (
        Pair.objects.on_vote()
        .filter(campaign=campaign)
        .annotate(
            score=FilteredRelation("scores", condition=Q(scores__judge=campaign.judge_id)),
            gap=gap,
            bucket=Case(*lowest_first, default=Value(UNSCORED), output_field=IntegerField()),
        )
        .values("bucket", "first_system", "second_system", "inclusion_probability")
        .annotate(
            n_pairs=Count("pk"),
            wanted=Sum("n_wanted"),
            counted=Sum(F("n_first") + F("n_second") + F("n_tie") + F("n_both_bad")),
        )
    )
    return rows.order_by("bucket", "first_system", "second_system", "inclusion_probability")


def _pair_name(labels: Mapping[int, str], first: int | None, second: int | None) -> str:
    """The two in the order of their names: which one is first in a pair means nothing."""
    return SEPARATOR.join(sorted(labels.get(one or 0, "not named") for one in (first, second)))


def _planned(sampling: Mapping[str, Any]) -> tuple[dict[str, Plan], dict[str, Plan]]:
    """By bucket and by pair of systems: the candidates, and how many of them were to be drawn."""
    by_bucket = {
        one["bucket"]: (one["n_candidates"], one["n_planned"])
        for one in sampling.get("buckets", ())
    }
    by_pair = {
        SEPARATOR.join(sorted(one["systems"])): (one["n_candidates"], one["n_planned"])
        for one in sampling.get("system_pairs", ())
    }
    return by_bucket, by_pair


def _row(label: str, total: _Sum, planned: Plan | None) -> StratumRow:
    return StratumRow(
        label=label,
        n_candidates=planned[0] if planned else None,
        n_planned=planned[1] if planned else None,
        n_pairs=total.n_pairs,
        n_wanted=total.n_wanted,
        n_counted=total.n_counted,
        lowest_probability=total.lowest,
        highest_probability=total.highest,
    )


def _median(probabilities: Sequence[tuple[float, int]]) -> float | None:
    """The lower median of the pairs' probabilities."""
    half = sum(n for _, n in probabilities) / 2
    passed = 0
    for probability, n in probabilities:
        passed += n
        if passed >= half:
            return probability
    return None
