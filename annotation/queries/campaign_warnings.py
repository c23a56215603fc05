"""What the lead of a campaign should look at, most pressing first."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F, Q

from annotation.models import Campaign, Rater
from annotation.models.rater import COUNTED
from annotation.queries.campaign import LiveCounts, PairTotals
from annotation.queries.campaigns import CampaignHead
from annotation.queries.exclusion_rules import OFTEN, met_rules, percent, too_fast_in_words
from evaluation.queries.choices import Flag


def campaign_warnings(
    campaign: Campaign,
    *,
    head: CampaignHead,
    totals: PairTotals,
    counts: LiveCounts,
    n_invitations: int,
) -> tuple[Flag, ...]:
    """A sentence for each thing, on pairs, raters and the link; two queries at most."""
    return (
        *_about_pairs(head, totals, counts),
        *_about_raters(campaign, head),
        *_about_the_link(head, n_invitations),
    )


def _about_pairs(head: CampaignHead, totals: PairTotals, counts: LiveCounts) -> Iterator[Flag]:
    n = totals.n_waiting_for_review
    if n:
        are = "pair waits" if n == 1 else "pairs wait"
        yield Flag(
            "review",
            f"{n:,} {are} for review: the scan found words in the answers that could tell who "
            "wrote them. Nobody is asked about them until they are accepted.",
        )
    if head.is_imported:
        return
    planned = head.options.n_pairs
    if head.options.policy != "active" and totals.n_pairs < planned:
        yield Flag(
            "short",
            f"{totals.n_pairs:,} of {planned:,} planned pairs could be drawn: there are no more "
            "comparable answers.",
        )
    open_pairs = totals.n_pairs - totals.n_rejected - totals.n_waiting_for_review
    if head.state == "open" and 0 < open_pairs <= totals.n_complete:
        yield Flag("complete", "Every pair has the votes it was to get: it can be closed.")
    if head.options.n_qualification and totals.n_qualification < head.options.n_qualification:
        yield Flag(
            "qualification",
            f"{head.options.n_qualification} questions of a qualification are asked for, but only "
            f"{totals.n_qualification} could be made.",
        )
    if head.state == "closed" and counts.n_at_work:
        yield Flag(
            "at-work", f"{counts.n_at_work:,} votes were on their way when the campaign closed."
        )


def _about_raters(campaign: Campaign, head: CampaignHead) -> Iterator[Flag]:
    raters = Rater.objects.filter(campaign=campaign)
    rules = head.options
    if rules.attention_exclude_below is not None or rules.exclude_too_fast_above is not None:
        counted = raters.counted().values_list(
            "n_checks", "n_checks_right", "n_votes", "n_too_fast"
        )
        n_met = sum(
            bool(
                met_rules(
                    rules, n_checks=checks, n_checks_right=right, n_votes=votes, n_too_fast=fast
                )
            )
            for checks, right, votes, fast in counted
        )
        if n_met:
            yield Flag(
                "rules",
                f"{n_met:,} rater{' meets' if n_met == 1 else 's meet'} an exclusion rule and "
                f"{'is' if n_met == 1 else 'are'} not excluded.",
            )
    n = raters.aggregate(
        unblinded=Count("pk", filter=Q(unblinded_at__isnull=False)),
        fast=Count("pk", filter=COUNTED & Q(n_too_fast__gt=F("n_votes") * OFTEN)),
    )
    if n["fast"] and rules.exclude_too_fast_above is None and not head.is_simulated:
        yield _about_too_fast(n["fast"], head)
    n_unblinded = n["unblinded"]
    if n_unblinded:
        one = n_unblinded == 1
        yield Flag(
            "unblinded",
            f"{n_unblinded:,} rater{'' if one else 's'} opened an answer under embargo; "
            f"{'that rater’s' if one else 'their'} votes are kept and do not count.",
        )


def _about_too_fast(n_raters: int, head: CampaignHead) -> Flag:
    return Flag(
        "too-fast",
        f"{n_raters:,} rater{'' if n_raters == 1 else 's'} answered too fast on more than "
        f"{percent(OFTEN)} of their votes: {too_fast_in_words(head.options)}. No exclusion rule "
        "looks at that, so these votes count unless you exclude a rater.",
    )


def _about_the_link(head: CampaignHead, n_invitations: int) -> Iterator[Flag]:
    if head.options.invite_only and not n_invitations and head.state != "closed":
        yield Flag("invitations", "Only invited people may vote, and nobody is invited yet.")
    if head.shows_context:
        yield Flag(
            "not-blind",
            "Raters see the retrieved context before they vote: its results are labelled “not "
            "blind to retrieval” and cannot be adopted for a judge's resolution.",
        )
