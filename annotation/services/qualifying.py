"""Passing or failing the pairs that a rater is tried with first."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Pair, Rater
from annotation.services.tallying import is_right
from annotation.services.turns import Turn


def standing_after(turn: Turn, rater: Rater) -> dict[str, datetime]:
    """What is to be set on the rater once the qualification is decided, else nothing.

    It is decided by ``n_qualification`` votes, or by as many such pairs as there are.
    """
    votes = list(rater.votes.filter(pair__kind=Pair.QUALIFICATION).select_related("pair"))
    there_are = Pair.objects.filter(
        campaign=turn.campaign, kind=Pair.QUALIFICATION, is_rejected=False
    ).count()
    if len(votes) < min(turn.options.n_qualification, there_are):
        return {}
    n_right = sum(is_right(vote, vote.pair) for vote in votes)
    has_passed = n_right >= turn.options.qualification_pass_share * len(votes)
    return {"qualified_at" if has_passed else "disqualified_at": turn.now}
