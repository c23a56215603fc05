"""Who beat whom how often: the tables that systems are rated from."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet, Sum

from annotation.models import Campaign, CampaignSystem, Pair, Rater, Vote
from evaluation.queries.choices import NotFound


@dataclass(frozen=True, slots=True)
class VoteCounts:
    """``systems`` by label; ``wins[i][j]``: votes for i against j; ``ties[i][j]`` = ``ties[j][i]``:
    votes for neither, both bad among them. Comparisons of a system with itself are left out and
    counted in ``n_with_itself``."""

    systems: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    ties: tuple[tuple[int, ...], ...]
    n_votes: int
    n_with_itself: int


def vote_counts(slug: str) -> VoteCounts:
    """The counted votes, from the pairs' own counts, in three queries: of people, or of simulated
    raters or language models in a campaign that has no others. Raises NotFound."""
    campaign = _campaign(slug)
    rows = (
        Pair.objects.on_vote()
        .filter(campaign=campaign)
        .values_list("first_system", "second_system")
        .annotate(
            n_first=Sum("n_first"),
            n_second=Sum("n_second"),
            n_tie=Sum(F("n_tie") + F("n_both_bad")),
        )
        .order_by("first_system", "second_system")
    )
    return _counts(campaign, list(rows))


def verdict_counts(slug: str, *, rater: str = "") -> VoteCounts:
    """The verdicts of language models, counted or not: all, or those of one model by its pseudonym.
    Raises NotFound."""
    campaign = _campaign(slug)
    votes = Vote.objects.filter(campaign=campaign, rater__kind=Rater.MODEL)
    if rater:
        votes = votes.filter(rater__pseudonym=rater)
    return _counts(campaign, list(_by_systems(votes)))


def _by_systems(votes: QuerySet[Vote]) -> QuerySet[Vote, tuple[int, int, int, int, int]]:
    first = Q(choice=Vote.A, left_is_first=True) | Q(choice=Vote.B, left_is_first=False)
    second = Q(choice=Vote.A, left_is_first=False) | Q(choice=Vote.B, left_is_first=True)
    neither = Q(choice__in=(Vote.TIE, Vote.BOTH_BAD))
    return (
        votes.values_list("pair__first_system", "pair__second_system")
        .annotate(
            n_first=Count("pk", filter=first),
            n_second=Count("pk", filter=second),
            n_tie=Count("pk", filter=neither),
        )
        .order_by("pair__first_system", "pair__second_system")
    )


def _campaign(slug: str) -> Campaign:
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise NotFound("campaign", slug)
    return campaign


def _counts(campaign: Campaign, rows: list[tuple[int, int, int, int, int]]) -> VoteCounts:
    rows_of_systems = CampaignSystem.objects.filter(campaign=campaign).values_list("pk", "label")
    systems = sorted(rows_of_systems, key=lambda row: row[1])
    place = {pk: number for number, (pk, _) in enumerate(systems)}
    wins = [[0] * len(systems) for _ in systems]
    ties = [[0] * len(systems) for _ in systems]
    n_with_itself = 0
    for first, second, n_first, n_second, n_tie in rows:
        one, other = place[first], place[second]
        if one == other:
            n_with_itself += n_first + n_second + n_tie
            continue
        wins[one][other] += n_first
        wins[other][one] += n_second
        ties[one][other] += n_tie
        ties[other][one] += n_tie
    total = sum(map(sum, wins)) + sum(map(sum, ties)) // 2
    return VoteCounts(
        systems=tuple(label for _, label in systems),
        wins=tuple(map(tuple, wins)),
        ties=tuple(map(tuple, ties)),
        n_votes=total,
        n_with_itself=n_with_itself,
    )
