"""Campaigns whose votes give the figures of a paper, and such as give hardly any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, cycle, repeat

from annotation.models import Campaign, Pair, PairScore, Rater
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.toy_votes import add_rater, add_vote

AGREES, DISAGREES, TIES = "agrees", "disagrees", "ties"
PAPER: Sequence[tuple[int, str, int]] = (
    (50, AGREES, 5), (50, DISAGREES, 8), (150, AGREES, 6), (150, DISAGREES, 3),
    (300, AGREES, 9), (300, DISAGREES, 1), (500, AGREES, 29),
    (0, TIES, 22), (100, TIES, 20), (350, TIES, 9),
)  # fmt: skip
"""(gap in hundredths, what people say, pairs): 11 of 22, 9 of 10 and 29 of 29 decisive pairs
agree, and with 51 ties 71 of 112 outcomes are the same at τ = 0, 86 of 112 at τ = 1."""


def paper_campaign(*, slug: str = "paper", n_systems: int = 4, **options: object) -> Campaign:
    """112 pairs with one vote each by eight raters, as the table above says."""
    campaign = make_campaign(slug=slug, n_pairs=112, n_questions=28, n_systems=n_systems, **options)  # type: ignore[arg-type]
    kind = Rater.SIMULATED if campaign.is_simulated else Rater.ANONYMOUS
    raters = [add_rater(campaign, f"rater {place}", kind=kind) for place in range(1, 9)]
    pairs = campaign.pairs.filter(kind=Pair.VOTE).order_by("pk")
    for place, (pair, (gap, said), rater) in enumerate(
        zip(pairs, _table(), cycle(raters), strict=False)
    ):
        first_is_better = place % 2 == 0
        PairScore.objects.filter(pair=pair).update(
            first_hundredths=400 + (gap if first_is_better else 0),
            second_hundredths=400 + (0 if first_is_better else gap),
        )
        left_is_first = place % 3 == 0
        for_first = first_is_better == (said == AGREES)
        choice = "tie" if said == TIES else "a" if for_first == left_is_first else "b"
        add_vote(rater, pair, choice, left_is_first=left_is_first, n_reveals_seen=place // 8)
    return campaign


def _table() -> Iterator[tuple[int, str]]:
    """Kinds take turns, so that no system and no rater has them all."""
    listed = list(chain.from_iterable(repeat((gap, said), n) for gap, said, n in PAPER))
    return iter(listed[start + step * 7] for start in range(7) for step in range(16))
