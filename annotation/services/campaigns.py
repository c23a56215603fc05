"""Campaigns: made from measured runs, changed while they are drafts, opened and closed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from annotation.blinding.answer_scan import NAME, scan_answer
from annotation.blinding.instructions import default_instructions
from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignTally
from annotation.services.audit import record
from annotation.services.campaign_drawing import FirstDraw, first_draw, store_first_draw
from annotation.services.campaign_frame import FrameChoice, now_newest
from annotation.services.campaign_runs import (
    chosen_judge,
    chosen_runs,
    chosen_track,
    judges_of,
)
from annotation.services.pair_scores import store_pair_scores
from evaluation.models import Run, Variant

LONGEST_NAME = 200
LONGEST_SLUG = 60
TAKEN_WORDS = frozenset({"import", "new"})
"""What stands after /campaigns/ in addresses of the site."""


class CampaignNotFound(Exception):
    """No campaign has this slug."""


class CampaignNameUnusable(ValueError):
    """A campaign needs a name that can be shown and linked."""

    option = "name"


class ClosesBeforeItOpens(ValueError):
    """A campaign that nobody could ever vote in."""

    option = "closes_at"


class TextNotBlind(ValueError):
    """A text that raters read names a system that they judge; ``option`` says which text."""

    def __init__(self, option: str, found: str) -> None:
        super().__init__(f"{option}: raters read it, and it names the system '{found}'")
        self.option = option


def get_campaign(slug: str) -> Campaign:
    """Raises CampaignNotFound."""
    try:
        return Campaign.objects.select_related("benchmark", "protocol", "judge").get(slug=slug)
    except Campaign.DoesNotExist:
        raise CampaignNotFound(f"there is no campaign '{slug}'") from None


def create_campaign(
    *,
    name: str,
    run_ids: Sequence[str],
    options: CampaignOptions,
    now: datetime,
    track: str | None = None,
    judge: str | None = None,
    by: User | None = None,
    is_simulated: bool = False,
    systems: Sequence[str] | None = None,
    tiers: Sequence[str] = (),
    with_base_model: bool = False,
    opens_at: datetime | None = None,
    closes_at: datetime | None = None,
) -> Campaign:
    """A draft with its pairs drawn, rendered and scanned.

    ``judge``: by name, the reference judge; by default the first judge of the first run named.
    ``track``: see ``chosen_track``. ``systems``: labels of variants; by default all that answered
    at the track except the base model, which needs ``with_base_model``. ``tiers`` narrows the
    questions. Raises RunNotFound, RunNotReady, RunsNotComparable, NotOfTheRuns, UnknownTrack,
    TooFewPairs, NoChecksPossible, CampaignNameUnusable, ClosesBeforeItOpens,
    TextNotBlind, and with contexts shown ContextNotReproducible.
    """
    shown_name = checked_name(name)
    check_times(opens_at, closes_at)
    options = with_default_texts(options)
    runs = chosen_runs(run_ids)
    check_blind(shown_name, options, runs)
    judge_row = chosen_judge(runs, judge, first_run_id=run_ids[0])
    track_name = chosen_track(runs, track)
    choice = now_newest(
        FrameChoice(
            systems=None if systems is None else tuple(systems),
            tiers=tuple(tiers),
            with_base_model=with_base_model,
        )
    )
    drawn = first_draw(
        runs=runs, track=track_name, judge=judge_row, options=options, choice=choice, now=now
    )
    with transaction.atomic():
        campaign = Campaign.objects.create(
            slug=_free_slug(shown_name),
            name=shown_name,
            link_token=secrets.token_urlsafe(24),
            is_simulated=is_simulated,
            benchmark=runs[0].benchmark,
            protocol=runs[0].protocol,
            judge=judge_row,
            track=track_name,
            options=options.as_json(),
            opens_at=opens_at,
            closes_at=closes_at,
            created_by=by,
            created_at=now,
        )
        campaign.runs.set(runs)
        CampaignTally.objects.create(campaign=campaign)
        fill_campaign(campaign=campaign, options=options, drawn=drawn, now=now)
        detail = {"runs": [run.public_id for run in runs], "n_pairs": options.n_pairs}
        record(action="created", by=by, campaign=campaign, detail=detail, now=now)
    return campaign


def check_times(opens_at: datetime | None, closes_at: datetime | None) -> None:
    """Raises ClosesBeforeItOpens."""
    if opens_at is not None and closes_at is not None and closes_at <= opens_at:
        raise ClosesBeforeItOpens("a campaign closes after it opens, not before")


def checked_name(name: str) -> str:
    """Raises CampaignNameUnusable."""
    shown = " ".join(name.split())
    if not shown or len(shown) > LONGEST_NAME:
        raise CampaignNameUnusable(f"a campaign's name has 1 to {LONGEST_NAME} characters")
    return shown


def check_blind(name: str, options: CampaignOptions, runs: Sequence[Run]) -> None:
    """Nothing that raters read may name a system of the runs. Raises TextNotBlind."""
    rows = Variant.objects.filter(run_variants__run__in=runs)
    names = frozenset(
        text for row in rows.values_list("system", "slug", "label").distinct() for text in row
    )
    texts = {
        "name": name,
        "decision": options.decision,
        "instructions": options.instructions,
        "consent": options.consent,
        "reasons": "\n".join(options.reasons),
    }
    for option, text in texts.items():
        for finding in scan_answer(text, names=names, topic="").findings:
            if finding.kind == NAME:
                raise TextNotBlind(option, finding.found)


def with_default_texts(options: CampaignOptions) -> CampaignOptions:
    """The options with instructions, if the lead wrote none."""
    if options.instructions.strip():
        return options
    text = default_instructions(
        allow_both_bad=options.allow_both_bad, show_context=options.show_context
    )
    return replace(options, instructions=text)


def fill_campaign(
    *, campaign: Campaign, options: CampaignOptions, drawn: FirstDraw, now: datetime
) -> None:
    """Store what was drawn, in the caller's transaction."""
    pairs = store_first_draw(campaign=campaign, options=options, drawn=drawn, now=now)
    store_pair_scores(pairs=pairs, judges=judges_of(list(campaign.runs.all())))
    campaign.sampling = drawn.sampling
    campaign.save(update_fields=["sampling"])


def _free_slug(name: str) -> str:
    """The name as a slug, with a number behind it where another campaign has it already."""
    slug = slugify(name)[:LONGEST_SLUG].strip("-") or "campaign"
    taken = set(Campaign.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    number = 2
    free = slug
    while free in taken | TAKEN_WORDS:
        free, number = f"{slug}-{number}", number + 1
    return free
