"""A campaign with votes of every kind, and texts that files stumble over."""

from __future__ import annotations

import datetime as dt

from annotation.models import Campaign, Pair, Rater, Vote
from tests.annotation.toy_campaigns import NOW, make_campaign

COMMENTS = (
    "plain",
    "two\nlines\r\nand a \"quote\", a comma",
    "=cmd|' /C calc'!A0",
    "+1", "-1", "@here", "\ttab", "'=quoted", "''twice", "＝full width",
    "😀 العربية עברית 日本語 \u202eright to left\u202c \u2028 separator",
    "",
    " spaces around ",
    "\r carriage",
)  # fmt: skip


def voted_campaign(slug: str = "toy", *, is_simulated: bool = False, raters: int = 3) -> Campaign:
    """14 pairs; three raters (one excluded, one unblinded) who voted with every comment, in ways
    that count, are surplus, excluded and unblinded; two votes on checks."""
    campaign = make_campaign(
        slug=slug, n_pairs=len(COMMENTS), overlap=2, n_attention=2, is_simulated=is_simulated
    )
    kind = Rater.SIMULATED if is_simulated else Rater.ANONYMOUS
    people = [_rater(campaign, number, kind) for number in range(raters)]
    pairs = list(campaign.pairs.filter(kind=Pair.VOTE).order_by("position"))
    votes = []
    for place, (pair, comment) in enumerate(zip(pairs, COMMENTS, strict=True)):
        for number, rater in enumerate(people):
            why = ("", "excluded" if place % 2 else "surplus", "unblinded")[number]
            votes.append(
                Vote(
                    campaign=campaign, pair=pair, rater=rater,
                    choice=Vote.CHOICES[(place + number) % 4], left_is_first=place % 3 == 0,
                    slot=None if why else 1 + place % 2, not_counted=why, comment=comment,
                    reasons=["more correct", "=clear\n"] if place % 2 else [],
                    confidence=1 + place % 5 if number else None,
                    seconds=12.345 + place / 7 if number else None, is_too_fast=place == 3,
                    n_reveals_seen=place,
                    cast_at=NOW + dt.timedelta(seconds=place * 60 + number, microseconds=place),
                )
            )  # fmt: skip
    checks = campaign.pairs.filter(kind=Pair.ATTENTION).order_by("position")
    for check, choice in zip(checks, ("a", "b"), strict=True):
        votes.append(
            Vote(
                campaign=campaign, pair=check, rater=people[0], choice=choice, left_is_first=True,
                not_counted="check", cast_at=NOW,
            )
        )  # fmt: skip
    Vote.objects.bulk_create(votes)
    return campaign


def _rater(campaign: Campaign, number: int, kind: str) -> Rater:
    return Rater.objects.create(
        campaign=campaign,
        kind=kind,
        key=f"{campaign.slug}-key-{number}",
        pseudonym=("rater-0", "=rater,1", "ראטר 2")[number],
        created_at=NOW,
        excluded_at=NOW if number == 1 else None,
        excluded_reason="too\nfast" if number == 1 else "",
        unblinded_at=NOW if number == 2 else None,
    )
