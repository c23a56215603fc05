"""The places of pairs: K counted votes or live locks each, taken and freed within a turn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from django.db.models import F, Q

from annotation.models import Assignment, Pair, Vote
from annotation.services.statements import change
from annotation.services.turns import Turn

FIRST, SECOND = "first", "second"
COUNTERS: Final[Mapping[str, str]] = {
    FIRST: "n_first",
    SECOND: "n_second",
    Vote.TIE: "n_tie",
    Vote.BOTH_BAD: "n_both_bad",
}
MOST_IN_A_QUERY: Final = 500


def label_of(choice: str, left_is_first: bool) -> str:
    """What a choice says of the pair, whatever side it was seen on: a key of COUNTERS."""
    if choice == Vote.A:
        return FIRST if left_is_first else SECOND
    if choice == Vote.B:
        return SECOND if left_is_first else FIRST
    return choice


def n_counted(pair: Pair) -> int:
    return pair.n_first + pair.n_second + pair.n_tie + pair.n_both_bad


def free_slot(pair: Pair) -> int:
    """The lowest place without a counted vote."""
    if not n_counted(pair):
        return 1
    taken = set(Vote.objects.filter(pair=pair).counted().values_list("slot", flat=True))
    return next(slot for slot in range(1, len(taken) + 2) if slot not in taken)


def change_pair(pair_id: int, changes: Mapping[str, int]) -> None:
    """Add to counts of one pair."""
    change(Pair, pair_id, add={name: added for name, added in changes.items() if added})


def change_n_taken(by_pair: Mapping[int, int]) -> None:
    """Add to ``n_taken`` of each pair."""
    pairs_by_change: dict[int, list[int]] = defaultdict(list)
    for pair_id, added in by_pair.items():
        pairs_by_change[added].append(pair_id)
    for added, pair_ids in pairs_by_change.items():
        for some in _in_parts(pair_ids):
            Pair.objects.filter(pk__in=some).update(n_taken=F("n_taken") + added)


def release_expired(turn: Turn) -> int:
    """Free the places of all locks that ran out; how many there were."""
    return release(turn, Q(campaign=turn.campaign, lock_until__lt=turn.now))


def release(turn: Turn, which: Q) -> int:
    """Free the places of the live locks that match; how many there were."""
    rows = list(
        Assignment.objects.filter(which, is_live=True).values_list(
            "pk",
            "pair_id",
            "pair__kind",
            "left_is_first",
            "pair__first_system_id",
            "pair__second_system_id",
        )
    )
    for some in _in_parts([row[0] for row in rows]):
        Assignment.objects.filter(pk__in=some).update(is_live=False)
    freed: Counter[int] = Counter()
    for _, pair_id, kind, left_is_first, first_id, second_id in rows:
        if kind == Pair.VOTE:
            freed[pair_id] -= 1
            turn.move(first_id, second_id, left_is_first, -1)
    change_n_taken(freed)
    return len(rows)


def uncount(turn: Turn, votes: Iterable[Vote]) -> None:
    """Free the places of counted votes, read with their pairs; the rows are the caller's."""
    pairs_by_label: dict[str, list[int]] = defaultdict(list)
    for vote in votes:
        if vote.slot is None:
            continue
        pairs_by_label[label_of(vote.choice, vote.left_is_first)].append(vote.pair_id)
        pair = vote.pair
        turn.move(pair.first_system_id, pair.second_system_id, vote.left_is_first, -1)
        turn.n_counted -= 1
        turn.has_news = True
    for label, pair_ids in pairs_by_label.items():
        counter = COUNTERS[label]
        for some in _in_parts(pair_ids):
            Pair.objects.filter(pk__in=some).update(
                **{counter: F(counter) - 1}, n_taken=F("n_taken") - 1
            )


def _in_parts(ids: list[int]) -> Iterable[list[int]]:
    return (ids[start : start + MOST_IN_A_QUERY] for start in range(0, len(ids), MOST_IN_A_QUERY))
