"""Whether the blinding of a campaign held: who saw what, how the sides fell, what is wrong."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.db.models import Count, F, Q

from annotation.campaign_options import CampaignOptions
from annotation.models import Assignment, Campaign, Pair, Rater, Reveal, Unblinding, Vote
from annotation.services.identity_scan import StoredScan, scan_stored

LARGEST_IMBALANCE: Final = 4


@dataclass(frozen=True, slots=True)
class UnblindedPerson:
    """``what``: the address that was opened first. ``n_counted``: votes of theirs that count all
    the same, which must be none."""

    user: str
    at: dt.datetime
    what: str
    n_counted: int


@dataclass(frozen=True, slots=True)
class SideCount:
    """How often a system stood on the left and on the right, over counted votes and pairs being
    decided. ``n_runs``: stretches of the same side, in the order of showing, and the longest;
    ``expected_runs`` of a fair order with these counts, None without both sides."""

    system: str
    n_left: int
    n_right: int
    n_runs: int
    longest_run: int
    expected_runs: float | None

    @property
    def imbalance(self) -> int:
        return self.n_left - self.n_right


@dataclass(frozen=True, slots=True)
class BlindingAudit:
    """``problems``: what is wrong, each in one sentence; ``notes``: what is to be known."""

    campaign: str
    name: str
    is_simulated: bool
    n_raters: int
    n_shown: int
    n_waiting_for_review: int
    n_reviewed: int
    n_rejected: int
    unblinded: tuple[UnblindedPerson, ...]
    sides: tuple[SideCount, ...]
    scan: StoredScan
    notes: tuple[str, ...]
    problems: tuple[str, ...]


def audit_blinding(*, campaign: Campaign) -> BlindingAudit:
    """Reads everything and changes nothing."""
    pairs = Pair.objects.filter(campaign=campaign)
    unblinded = _unblinded(campaign)
    sides = _sides(campaign)
    scan = scan_stored(campaign=campaign)
    return BlindingAudit(
        campaign=campaign.slug,
        name=campaign.name,
        is_simulated=campaign.is_simulated,
        n_raters=Rater.objects.filter(campaign=campaign).count(),
        n_shown=Assignment.objects.filter(campaign=campaign).count(),
        n_waiting_for_review=pairs.filter(needs_review=True, reviewed_at=None).count(),
        n_reviewed=pairs.filter(reviewed_at__isnull=False).count(),
        n_rejected=pairs.filter(is_rejected=True).count(),
        unblinded=unblinded,
        sides=sides,
        scan=scan,
        notes=tuple(_notes(campaign)),
        problems=tuple(_problems(campaign, unblinded, sides, scan)),
    )


def _unblinded(campaign: Campaign) -> tuple[UnblindedPerson, ...]:
    counted = dict(
        Vote.objects.filter(campaign=campaign, rater__user__isnull=False)
        .counted()
        .values_list("rater__user")
        .annotate(n=Count("pk"))
    )
    marks = Unblinding.objects.filter(campaign=campaign).select_related("user")
    return tuple(
        UnblindedPerson(
            user=mark.user.get_username(),
            at=mark.at,
            what=mark.what,
            n_counted=counted.get(mark.user_id, 0),
        )
        for mark in marks.order_by("at", "pk")
    )


def _sides(campaign: Campaign) -> tuple[SideCount, ...]:
    labels = dict(campaign.systems.order_by("label").values_list("pk", "label"))
    shown: dict[int, list[bool]] = defaultdict(list)
    holding = Q(vote__slot__isnull=False) | Q(is_live=True)
    rows = Assignment.objects.filter(holding, campaign=campaign, pair__kind=Pair.VOTE)
    for first, second, left_is_first in (
        rows.order_by("shown_at", "pk")
        .values_list("pair__first_system", "pair__second_system", "left_is_first")
        .iterator(chunk_size=5_000)
    ):
        shown[first].append(left_is_first)
        shown[second].append(not left_is_first)
    return tuple(_side_count(label, shown[pk]) for pk, label in labels.items())


def _side_count(label: str, on_left: list[bool]) -> SideCount:
    runs = [len(list(run)) for _, run in groupby(on_left)]
    n_left, n = sum(on_left), len(on_left)
    n_right = n - n_left
    return SideCount(
        system=label,
        n_left=n_left,
        n_right=n_right,
        n_runs=len(runs),
        longest_run=max(runs, default=0),
        expected_runs=1 + 2 * n_left * n_right / n if n_left and n_right else None,
    )


def _notes(campaign: Campaign) -> Iterator[str]:
    options = CampaignOptions.from_json(campaign.options)
    if campaign.origin == Campaign.IMPORTED:
        yield "imported: the vote took place elsewhere, and how blind it was is not known here"
    if options.show_context:
        yield "contexts are shown before the vote: not blind to retrieval"
    if options.reveal == "each":
        yield "each vote is revealed: later votes may follow from earlier reveals"
    if campaign.is_simulated:
        yield "simulated raters voted here, and no person"


def _problems(
    campaign: Campaign,
    unblinded: tuple[UnblindedPerson, ...],
    sides: tuple[SideCount, ...],
    scan: StoredScan,
) -> Iterator[str]:
    for person in unblinded:
        if person.n_counted:
            yield f"{person.user} is unblinded, and {person.n_counted} of their votes count"
    for side in sides:
        if abs(side.imbalance) > LARGEST_IMBALANCE:
            yield (
                f"{side.system} stood {side.n_left} times on the left and {side.n_right} on the "
                f"right: more than {LARGEST_IMBALANCE} apart"
            )
    for finding in scan.findings:
        if finding.can_reach_raters:
            yield f"{finding.where}: {finding.kind} “{finding.found}” can reach raters"
    yield from _of_balance(campaign)
    yield from _of_votes(campaign)
    yield from _of_raters(campaign)


def _of_balance(campaign: Campaign) -> Iterator[str]:
    tally = getattr(campaign, "tally", None)
    stored = tally.side_balance if tally else {}
    counted: dict[str, int] = defaultdict(int)
    holding = Q(vote__slot__isnull=False) | Q(is_live=True)
    rows = Assignment.objects.filter(holding, campaign=campaign, pair__kind=Pair.VOTE)
    for first, second, left_is_first, n in rows.values_list(
        "pair__first_system", "pair__second_system", "left_is_first"
    ).annotate(n=Count("pk")):
        counted[str(first)] += n if left_is_first else -n
        counted[str(second)] += -n if left_is_first else n
    if any(stored.get(key, 0) != counted.get(key, 0) for key in {*stored, *counted}):
        yield "the balance that sides are drawn by is not what was shown"


def _of_votes(campaign: Campaign) -> Iterator[str]:
    votes = Vote.objects.filter(campaign=campaign)
    after = Reveal.objects.filter(rater__campaign=campaign, pair__votes__rater=F("rater")).filter(
        at__lt=F("pair__votes__cast_at")
    )
    checks = {
        "came after the pair was revealed to its rater": after,
        "stand on other sides than were shown": votes.exclude(
            left_is_first=F("assignment__left_is_first")
        ).filter(assignment__isnull=False),
        "are on pairs that wait for review": votes.filter(
            pair__needs_review=True, pair__reviewed_at=None
        ),
        "of unblinded raters count": votes.counted().filter(rater__unblinded_at__isnull=False),
    }
    if campaign.origin == Campaign.MEASURED:
        checks["are on pairs that were never given to the rater"] = votes.filter(assignment=None)
    for what, rows in checks.items():
        n = rows.count()
        if n:
            yield f"{n} {'vote' if n == 1 else 'votes'}: {what}"


def _of_raters(campaign: Campaign) -> Iterator[str]:
    if campaign.origin == Campaign.IMPORTED:
        return
    raters = Rater.objects.filter(campaign=campaign)
    strangers = (
        raters.exclude(kind=Rater.SIMULATED)
        if campaign.is_simulated
        else raters.filter(kind=Rater.SIMULATED)
    )
    n = strangers.count()
    if n:
        kind = "people in a simulation" if campaign.is_simulated else "simulated raters"
        yield f"{n} {kind} among its raters"
