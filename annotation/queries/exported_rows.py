"""Reading a campaign's votes for export, in small parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from annotation.models import Campaign, Pair, Rater, Vote, VoteEvent
from annotation.vote_formats.exported_votes import ExportedCheck, ExportedVote, preferred_of
from annotation.vote_formats.formats import OWN, WRITERS, UnknownVoteFormat
from annotation.vote_formats.rows import MODEL, PERSON, SIMULATED, UNSCORED

Progress = Callable[[int], None] | None

BATCH: Final = 2_000
_VOTE: Final = (
    "pk", "pair__question__key", "pair__question__text", "pair__question__slices",
    "pair__position", "pair__stratum", "pair__inclusion_probability",
    "pair__first_system__label", "pair__second_system__label", "left_is_first", "choice", "slot",
    "not_counted", "rater__pseudonym", "rater__kind", "rater__excluded_at",
    "rater__excluded_reason", "rater__unblinded_at", "cast_at", "seconds", "is_too_fast",
    "confidence", "comment", "reasons", "n_reveals_seen", "extra",
)  # fmt: skip
_CHECK: Final = (
    "pk", "pair__kind", "pair__question__key", "pair__position", "pair__known_winner",
    "left_is_first", "choice", "rater__pseudonym", "rater__kind", "cast_at", "seconds",
    "is_too_fast", "comment", "reasons",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WhatToExport:
    """``checks``: the votes on pairs with a known winner, which are in no other export."""

    format: str
    checks: bool = False

    def __post_init__(self) -> None:
        """Raises UnknownVoteFormat."""
        known = OWN if self.checks else tuple(WRITERS)
        if self.format not in known:
            raise UnknownVoteFormat(self.format, known, "written as")


def n_rows(*, campaign: Campaign, what: WhatToExport) -> int:
    """How many rows the export has."""
    if what.checks:
        return _of_checks(campaign).count()
    if what.format in OWN:
        return _of_votes(campaign).count() + _unscored(campaign).count()
    return _of_battles(campaign).count()


def _of_votes(campaign: Campaign) -> QuerySet[Vote]:
    return Vote.objects.filter(campaign=campaign, pair__kind=Pair.VOTE)


def _of_checks(campaign: Campaign) -> QuerySet[Vote]:
    return Vote.objects.filter(campaign=campaign).exclude(pair__kind=Pair.VOTE)


def _of_battles(campaign: Campaign) -> QuerySet[Vote]:
    """The arena's format knows no flags: counted votes alone."""
    return _of_votes(campaign).exclude(slot=None)


def _unscored(campaign: Campaign) -> QuerySet[VoteEvent]:
    return VoteEvent.objects.filter(campaign=campaign, action=UNSCORED)


def _read(
    rows: QuerySet[Vote], names: tuple[str, ...], on_progress: Progress
) -> Iterator[dict[str, Any]]:
    """By key, a batch a query: no cursor is held open, and later votes are not in it."""
    newest = rows.order_by("-pk").values_list("pk", flat=True).first() or 0
    last, n_done = 0, 0
    while True:
        within = rows.filter(pk__gt=last, pk__lte=newest).order_by("pk")
        batch = list(within.values(*names)[:BATCH])
        if not batch:
            break
        yield from batch
        last = batch[-1]["pk"]
        n_done += len(batch)
        if on_progress is not None:
            on_progress(n_done)


def exported_rows(
    campaign: Campaign, what: WhatToExport, on_progress: Progress
) -> Iterator[ExportedVote]:
    """The votes that were there when the reading began, in the order in which they were stored;
    in our own formats the verdicts that could not be read follow."""
    is_own = what.format in OWN
    n_votes = 0
    for row in _read(_of_votes(campaign) if is_own else _of_battles(campaign), _VOTE, on_progress):
        n_votes += 1
        yield _vote(campaign, row)
    if not is_own:
        return
    events = _unscored(campaign).select_related(
        "pair__question", "pair__first_system", "pair__second_system", "rater"
    )
    n_unscored = 0
    for event in events.order_by("pk").iterator(chunk_size=BATCH):
        n_unscored += 1
        yield _unscored_vote(campaign, event)
    if n_unscored and on_progress is not None:
        on_progress(n_votes + n_unscored)


def votes_after(campaign: Campaign, *, after: int, n: int) -> list[tuple[int, ExportedVote]]:
    """(Key, vote) of the first ``n`` votes behind that key, checks not among them."""
    rows = _of_votes(campaign).filter(pk__gt=after).order_by("pk").values(*_VOTE)[:n]
    return [(row["pk"], _vote(campaign, row)) for row in rows]


def _vote(campaign: Campaign, row: dict[str, Any]) -> ExportedVote:
    first, second = row["pair__first_system__label"], row["pair__second_system__label"]
    left_is_first = row["left_is_first"]
    return ExportedVote(
        campaign=campaign.slug,
        campaign_name=campaign.name,
        simulated=campaign.is_simulated,
        track=campaign.track,
        question=row["pair__question__key"],
        question_text=row["pair__question__text"],
        pair=row["pair__position"],
        first_system=first,
        second_system=second,
        left="first" if left_is_first else "second",
        left_system=first if left_is_first else second,
        right_system=second if left_is_first else first,
        choice=row["choice"],
        preferred=preferred_of(row["choice"], left_is_first),
        counted=row["slot"] is not None,
        not_counted=row["not_counted"],
        slot=row["slot"],
        rater=row["rater__pseudonym"],
        voter=_voter(row["rater__kind"]),
        cast_at=row["cast_at"],
        seconds=row["seconds"],
        too_fast=row["is_too_fast"],
        confidence=row["confidence"],
        comment=row["comment"],
        reasons=row["reasons"],
        reveals_seen=row["n_reveals_seen"],
        rater_excluded_at=row["rater__excluded_at"],
        rater_excluded_reason=row["rater__excluded_reason"],
        rater_unblinded_at=row["rater__unblinded_at"],
        stratum=row["pair__stratum"],
        inclusion_probability=row["pair__inclusion_probability"],
        slices=row["pair__question__slices"],
        extra=row["extra"],
    )


def _unscored_vote(campaign: Campaign, event: VoteEvent) -> ExportedVote:
    pair, rater = event.pair, event.rater
    first, second = pair.first_system, pair.second_system
    row = {
        "pair__question__key": pair.question.key, "pair__question__text": pair.question.text,
        "pair__question__slices": pair.question.slices, "pair__position": pair.position,
        "pair__stratum": pair.stratum,
        "pair__inclusion_probability": pair.inclusion_probability,
        "pair__first_system__label": first.label if first else "",
        "pair__second_system__label": second.label if second else "",
        "left_is_first": event.vote["left_is_first"], "choice": UNSCORED, "slot": None,
        "not_counted": "", "rater__pseudonym": rater.pseudonym, "rater__kind": rater.kind,
        "rater__excluded_at": rater.excluded_at, "rater__excluded_reason": rater.excluded_reason,
        "rater__unblinded_at": rater.unblinded_at, "cast_at": None, "seconds": None,
        "is_too_fast": False, "confidence": None, "comment": "", "reasons": [],
        "n_reveals_seen": 0, "extra": event.vote["extra"],
    }  # fmt: skip
    return _vote(campaign, row)


def exported_checks(campaign: Campaign, on_progress: Progress) -> Iterator[ExportedCheck]:
    """The votes on checks that were there when the reading began, as they were stored."""
    for row in _read(_of_checks(campaign), _CHECK, on_progress):
        preferred = preferred_of(row["choice"], row["left_is_first"])
        yield ExportedCheck(
            campaign=campaign.slug,
            simulated=campaign.is_simulated,
            check=row["pair__kind"],
            question=row["pair__question__key"],
            pair=row["pair__position"],
            known_winner=row["pair__known_winner"],
            left="first" if row["left_is_first"] else "second",
            choice=row["choice"],
            preferred=preferred,
            right=preferred == row["pair__known_winner"],
            rater=row["rater__pseudonym"],
            voter=_voter(row["rater__kind"]),
            cast_at=row["cast_at"],
            seconds=row["seconds"],
            too_fast=row["is_too_fast"],
            comment=row["comment"],
            reasons=row["reasons"],
        )


def _voter(kind: str) -> str:
    return {Rater.MODEL: MODEL, Rater.SIMULATED: SIMULATED}.get(kind, PERSON)
