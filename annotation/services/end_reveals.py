"""What a rater who has finished may be told of who wrote their pairs.

A link that is open to everybody lets one person join again as somebody else. So while such a
campaign runs, its end pages tell only of pairs that have all their votes; the rest is told once it
is over (docs/decisions/0019-reveals-at-the-end.md). And whatever a campaign reveals, it tells of no
question that people vote on in another one.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import Pair, Rater, Reveal, Vote
from annotation.queries.embargo import embargoed_questions
from annotation.services.standing import is_over
from annotation.services.tallying import change_rater
from annotation.services.turns import Turn

N_COUNTED = F("pair__n_first") + F("pair__n_second") + F("pair__n_tie") + F("pair__n_both_bad")


def reveal(turn: Turn, rater: Rater, pair_ids: Sequence[int]) -> None:
    """Note that the rater is shown who wrote these pairs, none of which was shown before."""
    Reveal.objects.bulk_create(
        [Reveal(rater=rater, pair_id=pair_id, at=turn.now) for pair_id in pair_ids],
        batch_size=500,
    )
    change_rater(rater, {"n_reveals_seen": len(pair_ids)}, by=1)


def reveal_at_end(turn: Turn, rater: Rater) -> int:
    """Reveal what is due to a rater who has finished; how many of their pairs wait for the end of
    the campaign."""
    if turn.options.reveal == "never":
        return 0
    shown = Reveal.objects.filter(rater=rater).values("pair")
    hidden = Vote.objects.filter(rater=rater, pair__kind=Pair.VOTE).exclude(pair__in=shown)
    due = not_asked_elsewhere(turn, _due(turn, hidden))
    n_waiting = hidden.count() - len(due)
    if due:
        reveal(turn, rater, due)
    return n_waiting


def not_asked_elsewhere(turn: Turn, votes: QuerySet[Vote]) -> list[int]:
    """The pairs of these votes but for those about a question that another campaign's raters
    decide now: it may serve the same answers."""
    benchmark = turn.campaign.benchmark
    asked = Coalesce("pair__question__question__question_id", "pair__question__key")
    pairs = list(votes.values_list("pair_id", asked))
    if benchmark is None or not pairs:
        return [pair_id for pair_id, _ in pairs]
    elsewhere = {
        question
        for question, embargo in embargoed_questions(benchmark.slug, now=turn.now).items()
        if set(embargo.campaign_ids) != {turn.campaign.pk}
    }
    return [pair_id for pair_id, question in pairs if question not in elsewhere]


def _due(turn: Turn, hidden: QuerySet[Vote]) -> QuerySet[Vote]:
    """All, where nobody can come back as somebody else, where the lead chose to reveal after each
    vote, or where no vote can follow; else the votes on pairs that have every vote they want."""
    options = turn.options
    if options.reveal == "each" or options.invite_only or is_over(turn.campaign, turn.now):
        return hidden
    return hidden.filter(pair__n_wanted__gt=0, pair__n_wanted__lte=N_COUNTED)
