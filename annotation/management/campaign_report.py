"""A campaign in lines of text: its link, its state, and what was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, Pair
from annotation.queries.campaign_heads import state_of
from evaluation.management.waiting import site_address

SHOWN_SYSTEM_PAIRS = 20


def campaign_state(campaign: Campaign, *, now: datetime) -> str:
    """As pages name it; of a scheduled one when it opens."""
    state = state_of(campaign, now=now)
    if state == "scheduled" and campaign.opens_at is not None:
        return f"opens at {campaign.opens_at:%Y-%m-%d %H:%M} UTC"
    return state


def campaign_lines(campaign: Campaign, *, now: datetime) -> Iterator[str]:
    """For a terminal. ``campaign`` was read with its judge."""
    state = campaign_state(campaign, now=now)
    label = "simulated, " if campaign.is_simulated else ""
    yield f"{campaign.slug}: {label}{state}"
    yield f"link: {site_address()}/vote/{campaign.link_token}/"
    if campaign.judge is not None:
        yield f"track {campaign.track}, reference judge {campaign.judge.name}"
    options = CampaignOptions.from_json(campaign.options)
    pairs = Pair.objects.filter(campaign=campaign)
    n_review = pairs.filter(needs_review=True).count()
    drawn = campaign.sampling
    if "n_drawn" not in drawn:
        yield str(drawn.get("note", "nothing was drawn"))
        return
    yield (
        f"{drawn['n_drawn']:,} of {drawn['n_planned']:,} planned pairs drawn from "
        f"{drawn['n_candidates']:,} ({drawn['policy']}, seed {drawn['seed']}); "
        f"{options.overlap} {'vote' if options.overlap == 1 else 'votes'} wanted for each"
    )
    if drawn.get("n_left_out_identical"):
        yield (
            f"{drawn['n_left_out_identical']:,} more pairs were left out before the drawing: their "
            "two answers read the same"
        )
    if drawn.get("n_identical"):  # of a campaign made before such pairs were left out
        yield f"{drawn['n_identical']:,} pairs have two answers that read the same"
    if n_review:
        yield f"{n_review:,} pairs wait for review: an answer may name its system"
    yield options.reveal_in_words
    checks = drawn["checks"]
    if checks["n_attention"] or checks["n_qualification"]:
        yield (
            f"{checks['n_attention']:,} attention checks, {checks['n_qualification']:,} for "
            "qualification"
        )
    yield ""
    yield from _table("score gap", drawn["buckets"], lambda row: row["bucket"])
    yield ""
    shown = drawn["system_pairs"][:SHOWN_SYSTEM_PAIRS]
    yield from _table("systems", shown, lambda row: " / ".join(row["systems"]))
    if len(drawn["system_pairs"]) > len(shown):
        yield f"… and {len(drawn['system_pairs']) - len(shown):,} more pairs of systems"


def _table(title: str, rows: list[Mapping[str, Any]], name: Any) -> Iterator[str]:
    wide = max((len(name(row)) for row in rows), default=0)
    wide = max(wide, len(title))
    yield f"{title:<{wide}}  candidates  planned  drawn"
    for row in rows:
        yield (
            f"{name(row):<{wide}}  {row['n_candidates']:>10,}  {row['n_planned']:>7,.1f}  "
            f"{row['n_drawn']:>5,}"
        )
