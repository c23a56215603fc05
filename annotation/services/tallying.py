"""What a vote adds to its rater's counts, and takes away again when it goes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from annotation.models import Pair, Rater, Vote, VoteEvent
from annotation.services.places import label_of
from annotation.services.statements import change

OF_CHOICE: Final = {
    Vote.A: "n_left",
    Vote.B: "n_right",
    Vote.TIE: "n_tie",
    Vote.BOTH_BAD: "n_both_bad",
}
UNDONE, EXCLUDED, RESTORED, UNBLINDED = "undone", "excluded", "restored", "unblinded"


def is_right(vote: Vote, pair: Pair) -> bool:
    """Whether a vote on a check found its known winner; both bad counts as a tie."""
    label = label_of(vote.choice, vote.left_is_first)
    return pair.known_winner == (Vote.TIE if label == Vote.BOTH_BAD else label)


def rater_changes(vote: Vote, pair: Pair) -> dict[str, float]:
    """Field of Rater → what the vote adds. Qualification pairs add nothing; attention checks
    only to the checks."""
    if pair.kind == Pair.QUALIFICATION:
        return {}
    if pair.kind == Pair.ATTENTION:
        return {"n_checks": 1, "n_checks_right": int(is_right(vote, pair))}
    return {
        "n_votes": 1,
        "n_counted": int(vote.slot is not None),
        OF_CHOICE[vote.choice]: 1,
        "n_too_fast": int(vote.is_too_fast),
        "seconds_total": vote.seconds or 0.0,
    }


def change_rater(rater: Rater, changes: dict[str, float], *, by: int, **set_too: Any) -> None:
    """Add the changes ``by`` times (-1 takes them back), in the row and in the object."""
    added = {name: by * each for name, each in changes.items() if each}
    change(Rater, rater.pk, add=added, put=set_too)
    for name, each in added.items():
        setattr(rater, name, getattr(rater, name) + each)
    for name, value in set_too.items():
        setattr(rater, name, value)


def event_of(vote: Vote, action: str, at: datetime) -> VoteEvent:
    """The vote as it was, for its history; not stored yet."""
    return VoteEvent(
        campaign_id=vote.campaign_id,
        pair_id=vote.pair_id,
        rater_id=vote.rater_id,
        action=action,
        at=at,
        vote={
            "id": vote.pk,
            "choice": vote.choice,
            "left_is_first": vote.left_is_first,
            "slot": vote.slot,
            "not_counted": vote.not_counted,
            "reasons": vote.reasons,
            "comment": vote.comment,
            "confidence": vote.confidence,
            "seconds": vote.seconds,
            "is_too_fast": vote.is_too_fast,
            "n_reveals_seen": vote.n_reveals_seen,
            "client_token": vote.client_token,
            "cast_at": vote.cast_at.isoformat() if vote.cast_at else None,
        },
    )
