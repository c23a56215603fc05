"""Whether every count that the writes keep is what the rows say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from annotation.models import Assignment, Campaign, CampaignTally, Pair, Rater, Vote
from annotation.services.places import label_of


def check_books(campaign: Campaign) -> None:
    """Pairs, raters, the tally and the balance agree with votes and live locks; never more counted
    votes or places than a pair wants."""
    votes = list(Vote.objects.filter(campaign=campaign).select_related("pair"))
    live = list(Assignment.objects.filter(campaign=campaign, is_live=True).select_related("pair"))
    counted = [vote for vote in votes if vote.slot is not None]
    assert all(vote.pair.kind == Pair.VOTE for vote in counted)
    held = Counter(lock.pair_id for lock in live if lock.pair.kind == Pair.VOTE)
    n_votes_of = Counter(vote.pair_id for vote in counted)
    labels = Counter((vote.pair_id, label_of(vote.choice, vote.left_is_first)) for vote in counted)
    for pair in Pair.objects.filter(campaign=campaign):
        kept = (pair.n_first, pair.n_second, pair.n_tie, pair.n_both_bad)
        names = ("first", "second", "tie", "both_bad")
        assert kept == tuple(labels[pair.pk, name] for name in names)
        assert pair.n_taken == n_votes_of[pair.pk] + held[pair.pk]
        if pair.n_wanted:
            assert pair.n_taken <= pair.n_wanted
    tally = CampaignTally.objects.get(campaign=campaign)
    assert tally.n_counted == len(counted)
    assert tally.n_votes == sum(vote.pair.kind == Pair.VOTE for vote in votes)
    standing: list[Vote | Assignment] = [*counted]
    standing += [lock for lock in live if lock.pair.kind == Pair.VOTE]
    balance = balance_of(standing)
    assert {key: value for key, value in tally.side_balance.items() if value} == balance
    for rater in Rater.objects.filter(campaign=campaign):
        own = [vote for vote in votes if vote.rater_id == rater.pk and vote.pair.kind == Pair.VOTE]
        assert rater.n_votes == len(own)
        assert rater.n_counted == sum(vote.slot is not None for vote in own)
        by_choice = Counter(vote.choice for vote in own)
        assert (rater.n_left, rater.n_right) == (by_choice["a"], by_choice["b"])
        assert (rater.n_tie, rater.n_both_bad) == (by_choice["tie"], by_choice["both_bad"])
        assert rater.n_too_fast == sum(vote.is_too_fast for vote in own)
        assert abs(rater.seconds_total - sum(vote.seconds or 0 for vote in own)) < 1e-6


def balance_of(shown: Iterable[Vote | Assignment]) -> dict[str, int]:
    """Left minus right of each system that is not even."""
    balance: Counter[str] = Counter()
    for one in shown:
        first, second = str(one.pair.first_system_id), str(one.pair.second_system_id)
        sign = 1 if one.left_is_first else -1
        balance[first] += sign
        balance[second] -= sign
    return {key: value for key, value in balance.items() if value}
