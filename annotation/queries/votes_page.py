"""Reading votes, newest first, by the place of the last one read and never by counting."""

from __future__ import annotations

import datetime as dt
import re

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from annotation.models import Campaign, CampaignQuestion, CampaignSystem, Pair, Rater, Vote
from annotation.queries.campaign_heads import head_of, read_campaign
from annotation.queries.votes import COUNTED, STATUSES, VoteFilters, VoteRow, VotesPage
from evaluation.queries.choices import Choice, UnknownChoice, choices, choose

ROWS_A_PAGE = 50
CHOICE_NAMES = {Vote.A: "left", Vote.B: "right", Vote.TIE: "tie", Vote.BOTH_BAD: "both bad"}
_CURSOR = re.compile(r"(\d{1,17}|undated)\.(\d{1,18})")
# Long texts are left out, and JSON that would be parsed for nothing.
_SHOWN = (
    "cast_at", "choice", "left_is_first", "not_counted", "seconds", "is_too_fast",
    "n_reveals_seen", "confidence", "reasons", "comment", "rater__pseudonym", "pair__kind",
    "pair__question__key", "pair__question__text", "pair__first_system__label",
    "pair__second_system__label",
)  # fmt: skip
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def votes_page(slug: str, filters: VoteFilters, *, now: dt.datetime) -> VotesPage:
    """50 votes from the cursor on. Raises NotFound and UnknownChoice. A rater or question that
    the campaign does not have gives no rows, and the page says so."""
    campaign = read_campaign(slug)
    systems = dict(
        CampaignSystem.objects.filter(campaign=campaign)
        .order_by("label")
        .values_list("label", "pk")
    )
    choose("system", filters.system, tuple(systems))
    choose("choice", filters.choice, Vote.CHOICES)
    choose("status", filters.status, STATUSES)
    rater_id, pair_ids = _rater(campaign, filters), _pairs(campaign, filters)
    is_unknown_rater = bool(filters.rater) and rater_id is None
    is_unknown_question = bool(filters.question) and pair_ids is None
    rows: list[Vote] = []
    if not (is_unknown_rater or is_unknown_question):
        votes = _narrowed(campaign, filters, rater_id, pair_ids, systems.get(filters.system))
        is_of_days = bool(filters.since or filters.until)
        rows = _read(_from_cursor(votes, filters.before, is_of_days=is_of_days))
    return VotesPage(
        head=head_of(campaign, now=now),
        filters=filters,
        rows=tuple(_row(vote) for vote in rows[:ROWS_A_PAGE]),
        next_before=_cursor(rows[ROWS_A_PAGE - 1]) if len(rows) > ROWS_A_PAGE else "",
        n_votes=campaign.tally.n_votes,
        n_counted=campaign.tally.n_counted,
        systems=choices([(label, None) for label in systems], filters.system, any_label="any"),
        choices=_choices(campaign, filters),
        statuses=choices([(name, None) for name in STATUSES], filters.status, any_label="any"),
        is_unknown_rater=is_unknown_rater,
        is_unknown_question=is_unknown_question,
    )


def _rater(campaign: Campaign, filters: VoteFilters) -> int | None:
    if not filters.rater:
        return None
    raters = Rater.objects.filter(campaign=campaign, pseudonym=filters.rater)
    return raters.values_list("pk", flat=True).first()


def _pairs(campaign: Campaign, filters: VoteFilters) -> list[int] | None:
    """The pairs about the question, None where there is no such question."""
    if not filters.question:
        return None
    questions = CampaignQuestion.objects.filter(campaign=campaign, key=filters.question)
    question_id = questions.values_list("pk", flat=True).first()
    if question_id is None:
        return None
    pairs = Pair.objects.filter(campaign=campaign, question=question_id)
    return list(pairs.values_list("pk", flat=True))


def _narrowed(
    campaign: Campaign,
    filters: VoteFilters,
    rater_id: int | None,
    pair_ids: list[int] | None,
    system_id: int | None,
) -> QuerySet[Vote]:
    votes = Vote.objects.all()
    # A rater's or a question's votes are few and all of this campaign. Naming it as well would
    # let a database walk through all of its votes by time instead.
    if rater_id is not None:
        votes = votes.filter(rater=rater_id)
    if pair_ids is not None:
        votes = votes.filter(pair__in=pair_ids)
    if rater_id is None and pair_ids is None:
        votes = votes.filter(campaign=campaign)
    if system_id is not None:
        wrote = Q(first_system=system_id) | Q(second_system=system_id)
        votes = votes.filter(Exists(Pair.objects.filter(wrote, pk=OuterRef("pair"))))
    if filters.choice:
        votes = votes.filter(choice=filters.choice)
    if filters.status == COUNTED:
        votes = votes.filter(slot__isnull=False)
    elif filters.status:
        votes = votes.filter(slot=None, not_counted=filters.status)
    if filters.has_comment:
        votes = votes.exclude(comment="")
    if filters.since:
        votes = votes.filter(cast_at__gte=_midnight(filters.since))
    if filters.until:
        votes = votes.filter(cast_at__lt=_midnight(filters.until) + dt.timedelta(days=1))
    return votes


def _from_cursor(votes: QuerySet[Vote], before: str, *, is_of_days: bool) -> list[int]:
    """Ids, one more than a page has: first those with a time, then (unless only votes of some days
    are wanted) those without. Databases do not agree on where a missing time sorts."""
    wanted = ROWS_A_PAGE + 1
    at, vote_id = _read_cursor(before)
    newest = votes.order_by("-cast_at", "-pk").values_list("pk", flat=True)
    rows: list[int] = []
    if not before or at is not None:
        dated = newest.filter(cast_at__isnull=False)
        if at is not None:
            dated = dated.filter(Q(cast_at__lt=at) | Q(pk__lt=vote_id), cast_at__lte=at)
        rows = list(dated[:wanted])
    if len(rows) < wanted and not is_of_days:
        undated = newest.filter(cast_at=None)
        if before and at is None:
            undated = undated.filter(pk__lt=vote_id)
        rows += undated[: wanted - len(rows)]
    return rows


def _read(vote_ids: list[int]) -> list[Vote]:
    """The rows in this order. Databases sort ids much faster than rows with all that hangs on
    them."""
    related = ("rater", "pair__question", "pair__first_system", "pair__second_system")
    found = Vote.objects.select_related(*related).only(*_SHOWN).in_bulk(vote_ids)
    return [found[vote_id] for vote_id in vote_ids if vote_id in found]


def _cursor(vote: Vote) -> str:
    if vote.cast_at is None:
        return f"undated.{vote.pk}"
    return f"{(vote.cast_at - _EPOCH) // dt.timedelta(microseconds=1)}.{vote.pk}"


def _read_cursor(text: str) -> tuple[dt.datetime | None, int]:
    """Raises UnknownChoice."""
    if not text:
        return None, 0
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise UnknownChoice("before", text, ("the place of a vote, as “Older” links give it",))
    at, vote_id = found.groups()
    if at == "undated":
        return None, int(vote_id)
    return _EPOCH + dt.timedelta(microseconds=int(at)), int(vote_id)


def _midnight(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(), tzinfo=dt.UTC)


def _choices(campaign: Campaign, filters: VoteFilters) -> tuple[Choice, ...]:
    counts: dict[str, int] = {}
    if not filters.is_narrowed:
        sums = Rater.objects.filter(campaign=campaign).aggregate(
            a=Sum("n_left", default=0),
            b=Sum("n_right", default=0),
            tie=Sum("n_tie", default=0),
            both_bad=Sum("n_both_bad", default=0),
        )
        counts = dict(sums)
    named = [
        Choice(value, name, counts.get(value), value == filters.choice)
        for value, name in CHOICE_NAMES.items()
    ]
    return (Choice("", "any", None, not filters.choice), *named)


def _row(vote: Vote) -> VoteRow:
    pair = vote.pair
    first = pair.first_system.label if pair.first_system else ""
    second = pair.second_system.label if pair.second_system else ""
    left, right = (first, second) if vote.left_is_first else (second, first)
    return VoteRow(
        cast_at=vote.cast_at,
        rater=vote.rater.pseudonym,
        question=pair.question.key,
        question_text=pair.question.text,
        kind=pair.kind,
        left=left,
        right=right,
        choice=CHOICE_NAMES[vote.choice],
        winner={Vote.A: left, Vote.B: right}.get(vote.choice, ""),
        status=vote.not_counted or COUNTED,
        seconds=vote.seconds,
        is_too_fast=vote.is_too_fast,
        n_reveals_seen=vote.n_reveals_seen,
        confidence=vote.confidence,
        reasons=tuple(str(reason) for reason in vote.reasons),
        comment=vote.comment,
    )
