"""What a lead does with a campaign that is there: change the draft, open, close, open again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignTally, Pair
from annotation.services.audit import record
from annotation.services.campaign_drawing import first_draw
from annotation.services.campaign_frame import FrameChoice, now_newest
from annotation.services.campaigns import (
    check_blind,
    check_times,
    checked_name,
    fill_campaign,
    with_default_texts,
)
from annotation.services.exclusion_rules import apply_exclusion_rules, has_rules
from annotation.services.standing import is_over

DRAWING_OPTIONS = (
    "policy", "n_pairs", "seed", "gap_edges", "show_context",
    "votes_per_rater", "n_qualification", "attention_every",
)  # fmt: skip
"""What the pairs and checks of a draft depend on: a change of these draws them anew."""


class CampaignCannotChange(Exception):
    """The campaign's state does not allow this; the message says why."""


def edit_campaign(
    *,
    campaign: Campaign,
    name: str,
    options: CampaignOptions,
    by: User | None,
    now: datetime,
    opens_at: datetime | None = None,
    closes_at: datetime | None = None,
) -> Campaign:
    """Give a draft this name, these options and times. Where the drawing depends on what changed,
    the pairs and checks are drawn anew and reviews of them are void. Raises CampaignCannotChange,
    CampaignNameUnusable, ClosesBeforeItOpens, TextNotBlind, and what ``create_campaign`` raises
    about drawing."""
    shown_name = checked_name(name)
    check_times(opens_at, closes_at)
    options = with_default_texts(options)
    check_blind(shown_name, options, list(campaign.runs.all()))
    _check_draft(campaign, "edited")
    old = CampaignOptions.from_json(campaign.options)
    is_redrawn = any(getattr(old, one) != getattr(options, one) for one in DRAWING_OPTIONS)
    drawn = None
    if is_redrawn:
        if campaign.judge is None:
            raise CampaignCannotChange("imported votes have no pairs of ours that could be drawn")
        drawn = first_draw(
            runs=list(campaign.runs.order_by("created_at", "pk").select_related("protocol")),
            track=campaign.track,
            judge=campaign.judge,
            options=options,
            choice=now_newest(FrameChoice.from_json(campaign.sampling["frame"])),
            now=now,
        )
    with _held(campaign) as row:
        _check_draft(row, "edited")
        new = {"name": shown_name, "opens_at": opens_at, "closes_at": closes_at}
        renewed = [field for field, value in new.items() if getattr(row, field) != value]
        row.name, row.options = shown_name, options.as_json()
        row.opens_at, row.closes_at = opens_at, closes_at
        row.save(update_fields=["name", "options", "opens_at", "closes_at"])
        if drawn is not None:
            row.pairs.all().delete()
            row.questions.all().delete()
            row.systems.all().delete()
            fill_campaign(campaign=row, options=options, drawn=drawn, now=now)
        elif old.overlap != options.overlap:
            wanting = Pair.objects.on_vote().filter(campaign=row, n_wanted__gt=0)
            wanting.update(n_wanted=options.overlap)
        changed = [
            field.name
            for field in fields(options)
            if getattr(old, field.name) != getattr(options, field.name)
        ]
        detail = {"changed": [*renewed, *changed], "is_redrawn": is_redrawn}
        record(action="edited", by=by, campaign=row, detail=detail, now=now)
    return row


def open_campaign(*, campaign: Campaign, by: User | None, now: datetime) -> Campaign:
    """Start the vote (at ``opens_at``, if that is still to come); its options are frozen from here
    on. Raises CampaignCannotChange."""
    with _held(campaign) as row:
        _check_draft(row, "opened")
        if row.closes_at is not None and row.closes_at <= now:
            raise CampaignCannotChange(
                f"the closing time of {row.slug} has passed: set another, or none, before opening"
            )
        pairs = Pair.objects.on_vote().filter(campaign=row)
        n_waiting = pairs.filter(needs_review=True).count()
        if not pairs.filter(n_wanted__gt=0).exists():
            raise CampaignCannotChange(
                f"no pair of {row.slug} can be voted on: {n_waiting:,} wait for review, the others "
                "were rejected"
            )
        row.opened_at = now
        row.save(update_fields=["opened_at"])
        detail = {"n_pairs": pairs.count(), "n_waiting_for_review": n_waiting}
        record(action="opened", by=by, campaign=row, detail=detail, now=now)
    return row


def close_campaign(*, campaign: Campaign, by: User | None, now: datetime) -> Campaign:
    """End the vote; the answers of its runs are open to everyone again, and who meets an exclusion
    rule is excluded. Raises CampaignCannotChange."""
    with _held(campaign) as row:
        if row.opened_at is None:
            raise CampaignCannotChange(f"{row.slug} was never opened, so it cannot be closed")
        if is_over(row, now):
            raise CampaignCannotChange(f"{row.slug} is closed already")
        row.closed_at = now
        row.save(update_fields=["closed_at"])
        record(action="closed", by=by, campaign=row, detail={}, now=now)
        if has_rules(row):
            apply_exclusion_rules(campaign=row, by=by, now=now)
    return row


def reopen_campaign(*, campaign: Campaign, by: User | None, now: datetime) -> Campaign:
    """Go on with a closed vote; a closing time that has passed is dropped. What was readable while
    it was closed may have been read: the audit log keeps from when to when. Raises
    CampaignCannotChange."""
    with _held(campaign) as row:
        if row.opened_at is None or not is_over(row, now):
            raise CampaignCannotChange(f"{row.slug} is not closed, so it cannot be opened again")
        if row.origin == Campaign.IMPORTED:
            raise CampaignCannotChange(f"{row.slug} holds imported votes and takes no others")
        ends = [at for at in (row.closed_at, row.closes_at) if at is not None and at <= now]
        row.closed_at = None
        if row.closes_at is not None and row.closes_at <= now:
            row.closes_at = None
        row.save(update_fields=["closed_at", "closes_at"])
        detail = {"readable_from": min(ends).isoformat(), "readable_until": now.isoformat()}
        record(action="opened again", by=by, campaign=row, detail=detail, now=now)
    return row


def set_times(
    *,
    campaign: Campaign,
    opens_at: datetime | None,
    closes_at: datetime | None,
    by: User | None,
    now: datetime,
) -> Campaign:
    """Other opening and closing times, for a draft or an open campaign. One that has passed
    would end an open one and its embargo at once, so it is refused: ``close_campaign`` does that
    where it is meant. Raises CampaignCannotChange, ClosesBeforeItOpens."""
    with _held(campaign) as row:
        if row.opened_at is not None and is_over(row, now):
            raise CampaignCannotChange(f"{row.slug} is closed: open it again instead")
        check_times(opens_at, closes_at)
        if row.opened_at is not None and closes_at is not None and closes_at <= now:
            raise CampaignCannotChange(
                f"the closing time, {closes_at:%-d %B %Y at %H:%M} UTC, has passed: it is "
                f"{now:%-d %B %Y, %H:%M} UTC; close the campaign instead to end the vote now"
            )
        row.opens_at, row.closes_at = opens_at, closes_at
        row.save(update_fields=["opens_at", "closes_at"])
        detail = {
            "opens_at": opens_at.isoformat() if opens_at else "",
            "closes_at": closes_at.isoformat() if closes_at else "",
        }
        record(action="times changed", by=by, campaign=row, detail=detail, now=now)
    return row


def delete_draft(*, campaign: Campaign, by: User | None, now: datetime) -> None:
    """Remove a campaign that was never opened; its audit entries stay. Raises
    CampaignCannotChange."""
    with _held(campaign) as row:
        _check_draft(row, "deleted as a draft")
        detail = {"slug": row.slug, "name": row.name}
        record(action="draft deleted", by=by, campaign=None, detail=detail, now=now)
        row.delete()


def _check_draft(campaign: Campaign, what: str) -> None:
    if campaign.opened_at is not None:
        raise CampaignCannotChange(f"{campaign.slug} was opened already, so it cannot be {what}")


@contextmanager
def _held(campaign: Campaign) -> Iterator[Campaign]:
    """The campaign's row as it is now, while nobody else changes it."""
    with transaction.atomic():
        list(CampaignTally.objects.select_for_update().filter(campaign=campaign))
        yield Campaign.objects.select_related("benchmark", "protocol", "judge").get(pk=campaign.pk)
