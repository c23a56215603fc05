"""Who wrote the pairs that were revealed to a rater. Nothing else of theirs says so."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from annotation.blinding.voting_page import RevealedPair
from annotation.models import Campaign, Pair, PairScore, Rater, Reveal, Vote

NOT_SCORED = "not scored"


def revealed_pairs(campaign: Campaign, rater: Rater) -> tuple[RevealedPair, ...]:
    """All that was revealed to the rater, in the order of their votes; never a check."""
    revealed = Reveal.objects.filter(rater=rater, pair=OuterRef("pair"))
    votes = Vote.objects.filter(Exists(revealed), rater=rater, pair__kind=Pair.VOTE)
    return as_revealed(campaign, votes.order_by("cast_at", "pk"))


def as_revealed(campaign: Campaign, votes: Iterable[Vote]) -> tuple[RevealedPair, ...]:
    """``votes`` is a QuerySet, or votes that a Reveal was stored for."""
    rows = list(
        Vote.objects.filter(pk__in=[vote.pk for vote in votes])
        .select_related("pair__question", "pair__first_system", "pair__second_system")
        .order_by("cast_at", "pk")
    )
    scores = _scores(campaign, [row.pair_id for row in rows])
    return tuple(_revealed(row, scores.get(row.pair_id, (NOT_SCORED, NOT_SCORED))) for row in rows)


def _revealed(vote: Vote, scores: tuple[str, str]) -> RevealedPair:
    pair = vote.pair
    names = [system.label if system else "" for system in (pair.first_system, pair.second_system)]
    order = (0, 1) if vote.left_is_first else (1, 0)
    return RevealedPair(
        question_html=pair.question.question_html,
        left_system=names[order[0]],
        right_system=names[order[1]],
        choice=vote.choice,
        left_score=scores[order[0]],
        right_score=scores[order[1]],
    )


def _scores(campaign: Campaign, pair_ids: list[int]) -> dict[int, tuple[str, str]]:
    if campaign.judge_id is None:
        return {}
    rows = PairScore.objects.filter(judge=campaign.judge_id, pair__in=pair_ids)
    return {
        pair_id: (_in_words(first), _in_words(second))
        for pair_id, first, second in rows.values_list(
            "pair_id", "first_hundredths", "second_hundredths"
        )
    }


def _in_words(hundredths: int | None) -> str:
    return NOT_SCORED if hundredths is None else f"{hundredths / 100:.2f}"
