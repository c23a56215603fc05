"""Reading pairs in their order of serving, from a cursor on."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from django.db.models import F, Q, QuerySet

from annotation.models import Campaign, CampaignQuestion, Pair
from annotation.queries.campaign_counts import pair_totals
from annotation.queries.campaign_heads import head_of, read_campaign
from annotation.queries.pairs import (
    CHECKS,
    COMPLETE,
    ON_VOTE,
    REJECTED,
    STATES,
    WAITING,
    PairRow,
    PairsPage,
    PairTexts,
    ScanFinding,
)
from evaluation.queries.choices import UnknownChoice, choices, choose

ROWS_A_PAGE = 50
TEXTS_A_PAGE = 10
_CURSOR = re.compile(r"([a-z]{1,13})\.(\d{1,9})")
_COUNTED = F("n_first") + F("n_second") + F("n_tie") + F("n_both_bad")
_WAITING = Q(n_wanted=0, needs_review=True, reviewed_at=None)
_ON_VOTE = Q(kind=Pair.VOTE, n_wanted__gt=0)


def pairs_page(
    slug: str, *, now: dt.datetime, state: str = "", question: str = "", after: str = ""
) -> PairsPage:
    """50 a page, or 10 with their texts where they wait for review. Raises NotFound and
    UnknownChoice."""
    chosen = choose("state", state, STATES)
    campaign = read_campaign(slug)
    totals = pair_totals(campaign, now=now)
    head = head_of(campaign, now=now)
    pairs = _of_question(_of_state(campaign, chosen), campaign, question)
    size = TEXTS_A_PAGE if chosen == WAITING else ROWS_A_PAGE
    listed = [] if pairs is None else list(_from_cursor(pairs, after)[: size + 1])
    shown = listed[:size]
    counts = {
        WAITING: totals.n_waiting_for_review,
        COMPLETE: totals.n_complete,
        REJECTED: totals.n_rejected,
        CHECKS: totals.n_attention + totals.n_qualification,
    }
    return PairsPage(
        head=head,
        state=chosen,
        states=choices(
            [(name, counts.get(name)) for name in STATES], chosen, any_label="every state"
        ),
        rows=tuple(_row(pair) for pair in shown) if chosen != WAITING else (),
        texts=tuple(_texts(pair) for pair in shown) if chosen == WAITING else (),
        next_after=f"{shown[-1].kind}.{shown[-1].position}" if len(listed) > size else "",
        question=question,
        is_unknown_question=pairs is None,
        can_review=head.state != "closed",
    )


def _of_state(campaign: Campaign, state: str) -> QuerySet[Pair]:
    pairs = Pair.objects.filter(campaign=campaign).select_related("question", "reviewed_by")
    if state == WAITING:
        return pairs.filter(_WAITING).select_related("first_text", "second_text")
    if state == REJECTED:
        return pairs.filter(n_wanted=0, is_rejected=True)
    if state == CHECKS:
        return pairs.exclude(kind=Pair.VOTE)
    if state == COMPLETE:
        return pairs.filter(_ON_VOTE).annotate(counted=_COUNTED).filter(counted__gte=F("n_wanted"))
    if state == ON_VOTE:
        return pairs.filter(_ON_VOTE).annotate(counted=_COUNTED).filter(counted__lt=F("n_wanted"))
    return pairs


def _of_question(pairs: QuerySet[Pair], campaign: Campaign, question: str) -> QuerySet[Pair] | None:
    """None where the campaign has no such question."""
    if not question:
        return pairs
    found = CampaignQuestion.objects.filter(campaign=campaign, key=question)
    question_id = found.values_list("pk", flat=True).first()
    return None if question_id is None else pairs.filter(question=question_id)


def _from_cursor(pairs: QuerySet[Pair], after: str) -> QuerySet[Pair]:
    """By kind, then by position; raises UnknownChoice."""
    if after:
        found = _CURSOR.fullmatch(after)
        if found is None:
            raise UnknownChoice("after", after, ("the place of a pair, as “Next” links give it",))
        kind, position = found[1], int(found[2])
        pairs = pairs.filter(Q(kind__gt=kind) | Q(position__gt=position), kind__gte=kind)
    return pairs.order_by("kind", "position")


def _row(pair: Pair) -> PairRow:
    return PairRow(
        id=pair.pk,
        position=pair.position,
        kind=pair.kind,
        question=pair.question.key,
        question_text=pair.question.text,
        state=_state_of(pair),
        probability=pair.inclusion_probability,
        n_wanted=pair.n_wanted,
        n_first=pair.n_first,
        n_second=pair.n_second,
        n_tie=pair.n_tie,
        n_both_bad=pair.n_both_bad,
        findings=tuple(_finding(entry) for entry in pair.scan),
        reviewed_by=pair.reviewed_by.get_username() if pair.reviewed_by else "",
        known_winner=pair.known_winner,
    )


def _state_of(pair: Pair) -> str:
    if pair.is_rejected:
        return REJECTED
    if pair.needs_review and pair.reviewed_at is None:
        return WAITING
    if pair.kind != Pair.VOTE:
        return CHECKS
    n_counted = pair.n_first + pair.n_second + pair.n_tie + pair.n_both_bad
    return COMPLETE if n_counted >= pair.n_wanted else ON_VOTE


def _texts(pair: Pair) -> PairTexts:
    return PairTexts(
        row=_row(pair),
        question_html=pair.question.question_html,
        gold_html=pair.question.gold_html,
        facts=tuple(str(fact) for fact in pair.question.facts),
        first_html=pair.first_text.html if pair.first_text else "",
        second_html=pair.second_text.html if pair.second_text else "",
    )


def _finding(entry: Mapping[str, Any]) -> ScanFinding:
    return ScanFinding(
        side=entry["side"],
        kind=entry["kind"],
        found=entry["found"],
        quote=entry.get("quote", ""),
        times=entry.get("times", 1),
        is_topic=entry.get("is_topic", False),
    )
