"""Reading pairs in their order of serving, from a cursor on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.models import Pair
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
from annotation.queries.pairs_found import pair_ids
from evaluation.queries.choices import choices, choose

ROWS_A_PAGE = 50
TEXTS_A_PAGE = 10
_TEXTS = ("first_text", "second_text", "first_context", "second_context")
_OF_TEXTS = tuple(
    f"question__{name}"
    for name in ("question_html", "gold_html", "facts", "source_spans", "slices")
)


def pairs_page(
    slug: str,
    *,
    now: dt.datetime,
    state: str = "",
    question: str = "",
    after: str = "",
    with_texts: bool = False,
) -> PairsPage:
    """50 a page, or 10 ``with_texts``, as those that wait for review always are. Raises NotFound
    and UnknownChoice."""
    chosen = choose("state", state, STATES)
    campaign = read_campaign(slug)
    totals = pair_totals(campaign, now=now)
    head = head_of(campaign, now=now)
    are_read = with_texts or chosen == WAITING
    size = TEXTS_A_PAGE if are_read else ROWS_A_PAGE
    ids = pair_ids(campaign, state=chosen, question=question, after=after, limit=size + 1)
    shown = _read((ids or [])[:size], with_texts=are_read)
    counts = {
        WAITING: totals.n_waiting_for_review,
        COMPLETE: totals.n_complete,
        REJECTED: totals.n_rejected,
        CHECKS: totals.n_attention + totals.n_qualification,
    }
    is_more = bool(shown) and len(ids or []) > size
    return PairsPage(
        head=head,
        state=chosen,
        states=choices(
            [(name, counts.get(name)) for name in STATES], chosen, any_label="every state"
        ),
        rows=() if are_read else tuple(map(_row, shown)),
        texts=tuple(_texts(pair, head.options.show_context) for pair in shown) if are_read else (),
        next_after=f"{shown[-1].kind}.{shown[-1].position}" if is_more else "",
        question=question,
        with_texts=with_texts,
        is_unknown_question=ids is None,
        can_review=head.state != "closed",
    )


def _read(ids: Sequence[int], *, with_texts: bool) -> list[Pair]:
    """The rows in this order."""
    pairs = Pair.objects.select_related("question", "reviewed_by")
    pairs = pairs.select_related(*_TEXTS) if with_texts else pairs.defer(*_OF_TEXTS)
    found = pairs.in_bulk(ids)
    return [found[pk] for pk in ids if pk in found]


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
        n_taken=pair.n_taken,
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


def _texts(pair: Pair, shows_context: bool) -> PairTexts:
    texts = [pair.first_text, pair.second_text]
    contexts = [pair.first_context, pair.second_context] if shows_context else [None, None]
    first, second, first_context, second_context = (
        text.html if text else "" for text in (*texts, *contexts)
    )
    return PairTexts(
        row=_row(pair),
        question_html=pair.question.question_html,
        gold_html=pair.question.gold_html,
        facts=tuple(str(fact) for fact in pair.question.facts),
        source_spans=tuple(str(span) for span in pair.question.source_spans),
        first_html=first,
        second_html=second,
        first_context_html=first_context,
        second_context_html=second_context,
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
