"""Giving a rater the next pair, with sides of its own, and finding the one they have."""

from __future__ import annotations

import secrets

from annotation.blinding.voting_page import BlindPair
from annotation.campaign_options import CampaignOptions
from annotation.models import Assignment, Pair, Rater, RenderedText
from annotation.services.choosing import CONTEXTS, SHOWN, Choice, choose_next
from annotation.services.sides import draw_left_is_first
from annotation.services.statements import change, insert
from annotation.services.turns import Turn


def current_assignment(rater: Rater, options: CampaignOptions) -> Assignment | None:
    """The pair that the rater has to decide: the one given or taken back last."""
    related = (*SHOWN, *CONTEXTS) if options.show_context else SHOWN
    live = Assignment.objects.filter(campaign=rater.campaign_id, rater=rater, is_live=True)
    return (
        live.select_related(*(f"pair__{name}" for name in related))
        .order_by("-assigned_at", "shown_at", "pk")
        .first()
    )


def renew_lock(turn: Turn, current: Assignment) -> None:
    Assignment.objects.filter(pk=current.pk).update(lock_until=turn.lock_until)


def next_pair(turn: Turn, rater: Rater) -> BlindPair | None:
    """A new pair for a rater without an open one; None when there is none for them now."""
    choice = choose_next(turn, rater)
    if choice is None:
        return None
    return blind_pair(_give(turn, rater, choice), choice.pair, turn.options)


def blind_pair(assignment: Assignment, pair: Pair, options: CampaignOptions) -> BlindPair:
    """The pair as this rater sees it."""
    left, right = _on_sides(assignment, pair.first_text, pair.second_text)
    left_context, right_context = (
        _on_sides(assignment, pair.first_context, pair.second_context)
        if options.show_context
        else ("", "")
    )
    question = pair.question
    return BlindPair(
        assignment_id=assignment.public_id,
        question_html=question.question_html,
        gold_html=question.gold_html,
        facts=tuple(question.facts),
        source_spans=tuple(question.source_spans),
        left_html=left,
        right_html=right,
        left_context_html=left_context,
        right_context_html=right_context,
    )


def new_public_id() -> str:
    return secrets.token_urlsafe(24)


def _give(turn: Turn, rater: Rater, choice: Choice) -> Assignment:
    """A pair whose lock ran out comes back as it was, since the rater may still have it before
    them. One that they skipped gets new sides, so that skipping cannot tip the balance, and a new
    name, so that an old page of it cannot be misread."""
    pair, assignment = choice.pair, choice.given_before
    ids = pair.first_system_id, pair.second_system_id
    if assignment is None or assignment.skipped_at is not None:
        assignment = assignment or Assignment(campaign=turn.campaign, pair=pair, rater=rater)
        assignment.public_id = new_public_id()
        first, second = map(_name, ids)
        assignment.left_is_first = draw_left_is_first(turn.balance, first, second, turn.rng)
        assignment.shown_at = turn.now
        assignment.skipped_at = None
    assignment.assigned_at = turn.now
    assignment.lock_until = turn.lock_until
    assignment.is_live = True
    if choice.given_before is None:
        insert(assignment)
    else:
        assignment.save()
    if pair.kind == Pair.VOTE:
        change(Pair, pair.pk, add={"n_taken": 1})
        turn.move(*ids, assignment.left_is_first, 1)
    return assignment


def _name(system_id: int | None) -> str | None:
    return None if system_id is None else str(system_id)


def _on_sides(
    assignment: Assignment, first: RenderedText | None, second: RenderedText | None
) -> tuple[str, str]:
    htmls = (first.html if first else "", second.html if second else "")
    return htmls if assignment.left_is_first else htmls[::-1]
