"""Which pair a rater decides next: a check or a pair that wants votes, all by the same code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from annotation.campaign_options import CampaignOptions
from annotation.models import Assignment, Campaign, Pair, Rater, Vote
from annotation.pair_sampling.drawing import ACTIVE
from annotation.services.places import release_expired
from annotation.services.statements import Asked, Prepared, Slot
from annotation.services.turns import Turn
from annotation.services.waves import draw_next_wave

SHOWN: Final = ("question", "first_text", "second_text")
CONTEXTS: Final = ("first_context", "second_context")


@dataclass(frozen=True, slots=True)
class Choice:
    """``given_before``: the rater's assignment of the pair, which was skipped or ran out."""

    pair: Pair
    given_before: Assignment | None = None


def n_decided(rater: Rater, options: CampaignOptions) -> int:
    """Votes, attention checks and qualification: what the rater has decided, told apart by
    nothing."""
    n_qualifying = options.n_qualification
    if n_qualifying and rater.qualified_at is None:
        n_qualifying = Vote.objects.filter(rater=rater, pair__kind=Pair.QUALIFICATION).count()
    return rater.n_votes + rater.n_checks + n_qualifying


def n_asked(options: CampaignOptions) -> int | None:
    """What a rater is asked to decide, checks included; None: as much as they like."""
    if options.votes_per_rater is None:
        return None
    return options.votes_per_rater + options.n_qualification


def has_done_all(rater: Rater, options: CampaignOptions) -> bool:
    asked = n_asked(options)
    return asked is not None and n_decided(rater, options) >= asked


def choose_next(turn: Turn, rater: Rater) -> Choice | None:
    """None when the rater has done all, or when nothing is free for them now."""
    if has_done_all(rater, turn.options):
        return None
    if turn.options.n_qualification and rater.qualified_at is None:
        return _check(turn, rater, Pair.QUALIFICATION)
    if _attention_is_due(turn, rater):
        check = _check(turn, rater, Pair.ATTENTION)
        if check is not None:
            return check
    return _vote(turn, rater)


def is_waiting(turn: Turn, rater: Rater) -> bool:
    """Whether others hold pairs that may become free for the rater."""
    decided = Vote.objects.filter(rater=rater, pair=OuterRef("pair"))
    held = Assignment.objects.filter(
        ~Exists(decided), campaign=turn.campaign, is_live=True, pair__kind=Pair.VOTE
    )
    return held.exclude(rater=rater).exists()


def shown_with(pairs: QuerySet[Pair], options: CampaignOptions) -> QuerySet[Pair]:
    """The pairs with all that a rater's page shows of them."""
    related = (*SHOWN, *CONTEXTS) if options.show_context else SHOWN
    return pairs.select_related(*related)


def _attention_is_due(turn: Turn, rater: Rater) -> bool:
    """One check among every ``attention_every`` decisions, at a place drawn anew each time."""
    every = turn.options.attention_every
    if every is None:
        return False
    window, place = divmod(rater.n_votes + rater.n_checks, every)
    return rater.n_checks <= window and turn.rng.random() < 1 / (every - place)


def _vote(turn: Turn, rater: Rater) -> Choice | None:
    """A new pair; else one whose lock ran out; else one that this rater let run out, or skipped
    longest ago. An active campaign draws new pairs before it comes to those."""
    choice = _new_vote(turn, rater)
    if choice is None and release_expired(turn):
        choice = _new_vote(turn, rater)
    if choice is None and _draw_if_active(turn):
        choice = _new_vote(turn, rater)
    return choice or _given_before(turn, rater, Q(pair__kind=Pair.VOTE) & _wanting("pair__"))


def _draw_if_active(turn: Turn) -> int:
    """How many pairs were drawn: an active campaign draws when a rater runs out of new ones."""
    if turn.options.policy != ACTIVE:
        return 0
    return draw_next_wave(campaign_id=turn.campaign.pk, now=turn.now)


def _new_vote(turn: Turn, rater: Rater) -> Choice | None:
    if turn.new_pair is not None and not turn.options.show_context:
        pair, turn.new_pair = turn.new_pair, None
        return Choice(pair)
    new = _NEW_WITH_CONTEXTS if turn.options.show_context else _NEW
    # Only this turn's own assignments and places are held back, and the rater was given those.
    found = new.first(ignores_held=True, rater_key=rater.key, token=turn.campaign.link_token)
    return None if found is None else Choice(found)


def next_new(*, rater_key: str, token: str) -> Asked[Pair]:
    """The question for a pair that is new to the rater, to be asked along with a turn."""
    return _NEW.ask(rater_key=rater_key, token=token)


def _new(*more: str) -> QuerySet[Pair]:
    """New to the rater and wanting votes, in the order of serving."""
    rater = Rater.objects.filter(key=Slot("rater_key", Rater._meta.get_field("key")))
    campaign = Campaign.objects.filter(
        link_token=Slot("token", Campaign._meta.get_field("link_token"))
    )
    had = Assignment.objects.filter(rater=Subquery(rater.values("pk")), pair=OuterRef("pk"))
    wanted = (
        Pair.objects.wanting_votes()
        # Not as EXISTS, for which PostgreSQL reads all that the rater ever had, for every vote.
        .alias(had=Subquery(had.values("pk")[:1]))
        .filter(had=None, campaign=Subquery(campaign.values("pk")), kind=Pair.VOTE)
        .order_by("position")
    )
    # Found first and then joined: else whole tables of texts are joined to all that want votes.
    return (
        Pair.objects.filter(pk=Subquery(wanted.values("pk")[:1]))
        .select_related(*SHOWN, *more)
        .only(
            *("campaign", "kind", "question", "first_system", "second_system"),
            *("first_text__html", "second_text__html"),
            *(f"{name}__html" for name in more),
            *("question__question_html", "question__gold_html"),
            *("question__facts", "question__source_spans"),
        )
    )


_NEW = Prepared(_new)
_NEW_WITH_CONTEXTS = Prepared(lambda: _new(*CONTEXTS))


def _check(turn: Turn, rater: Rater, kind: str) -> Choice | None:
    """Any check of the kind that the rater has not had."""
    had = Assignment.objects.filter(rater=rater, pair=OuterRef("pk"))
    checks = Pair.objects.filter(~Exists(had), campaign=turn.campaign, kind=kind, is_rejected=False)
    ids = list(checks.order_by("position").values_list("pk", flat=True))
    if ids:
        pairs = Pair.objects.filter(pk=turn.rng.choice(ids))
        return Choice(shown_with(pairs, turn.options).get())
    if kind == Pair.ATTENTION:
        return None
    return _given_before(turn, rater, Q(pair__kind=kind, pair__is_rejected=False))


def _given_before(turn: Turn, rater: Rater, which: Q) -> Choice | None:
    undecided = Assignment.objects.filter(which, rater=rater, is_live=False, vote=None)
    assignment = undecided.order_by(F("skipped_at").asc(nulls_first=True), "pk").first()
    if assignment is None:
        return None
    pairs = Pair.objects.filter(pk=assignment.pair_id)
    return Choice(shown_with(pairs, turn.options).get(), assignment)


def _wanting(prefix: str) -> Q:
    return Q(**{f"{prefix}n_taken__lt": F(f"{prefix}n_wanted")})
