"""An open campaign over a measured run, with a canary in every field that names or tells."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group, User
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.campaign_options import CampaignOptions
from annotation.models import AuditEntry, Campaign, Rater, Transfer, Vote
from annotation.services.campaign_control import open_campaign
from annotation.services.campaigns import create_campaign
from evaluation.models import (
    Answer,
    Cell,
    CellError,
    Judge,
    Judgment,
    Protocol,
    Retrieval,
    Run,
    RunVariant,
    Variant,
    Work,
)
from evaluation.services.aggregates import refresh_run
from tests.annotation.rater_acts import ActingRater
from tests.blinding.canaries import Canaries
from tests.webapp.laboratory import make_benchmark, make_run

N_QUESTIONS = 6
OPENED = dt.timedelta(hours=2)


@dataclass
class Planted:
    """``rater_key`` is of a rater who joined over the API and has the pair ``assignment_id``."""

    campaign: Campaign
    canaries: Canaries
    run: Run
    lead: User
    rater_key: str = ""
    assignment_id: str = ""


def plant(
    *, seed: int = 1, change: Callable[[Canaries, Run], None] = lambda *_: None, **options: Any
) -> Planted:
    """Three systems answered six questions; every answer, reason and error has a word of its own,
    as have systems, variants, models, embedders, judges, keys, runs, people and another rater's
    comment. ``change`` is called before the campaign is made."""
    canaries = Canaries(random.Random(seed))
    lead = User.objects.create_user(canaries.identity("the lead's name"))
    lead.groups.add(Group.objects.get(name="lead"))
    benchmark = make_benchmark(n_questions=N_QUESTIONS)
    labels = [
        f"{canaries.identity(f'system {number}')}@{canaries.identity(f'embedder {number}')}"
        for number in range(3)
    ]
    scores = {
        label: {"10k": [float((place * 3 + number * 5) % 11) for place in range(N_QUESTIONS)]}
        for number, label in enumerate(labels)
    }
    judges = [canaries.identity(f"judge {number}") for number in range(2)]
    run = make_run(benchmark, scores, judges=judges)
    _name_rows(canaries, run, lead)
    _write_texts(canaries, run)
    change(canaries, run)
    refresh_run(run=run)
    now = timezone.now()
    campaign = create_campaign(
        name="Which answer?",
        run_ids=[run.public_id],
        options=CampaignOptions(n_pairs=8, overlap=2, **options),
        by=lead,
        now=now - OPENED,
    )
    campaign = open_campaign(campaign=campaign, by=lead, now=now - OPENED)
    _vote_before(canaries, campaign, lead, now - OPENED)
    kept_back = set(campaign.questions.values_list("key", flat=True))
    for word, what in list(canaries.answers.items()):
        if what.rpartition(" ")[2] not in kept_back:
            del canaries.answers[word]
    joined = (
        APIClient()
        .post(
            f"/api/v1/campaigns/{campaign.slug}/assignments/",
            {"consent": True, "link": campaign.link_token},
            format="json",
        )
        .json()
    )
    return Planted(campaign, canaries, run, lead, joined["rater_key"], joined["assignment"]["id"])


def _name_rows(canaries: Canaries, run: Run, lead: User) -> None:
    for number, variant in enumerate(Variant.objects.order_by("pk")):
        model = canaries.identity(f"model {number}")
        variant.key = canaries.identity(f"variant key {number}")
        variant.parts = {"system": variant.system, "model": model, "embedder": variant.embedder}
        variant.save()
    for number, judge in enumerate(Judge.objects.order_by("pk")):
        judge.key = canaries.identity(f"judge key {number}")
        judge.parts = {"model": canaries.identity(f"judge model {number}")}
        judge.save()
    for row in RunVariant.objects.filter(run=run):
        row.store_key = canaries.identity("store key")
        row.save()
    run.public_id = canaries.identity("run")
    run.created_by = lead
    run.options = {"synthesizer": canaries.identity("synthesizer option")}
    run.save()
    protocol = Protocol.objects.get()
    protocol.key = canaries.identity("protocol key")
    protocol.parts = {
        **protocol.parts,
        "synthesizer": {"synthesizer": "openai", "model": canaries.identity("synthesizer model")},
    }
    protocol.save()
    Work.objects.create(
        run=run, kind="answer", key=canaries.identity("work"), n_expected=1,
        last_error=canaries.identity("a work's error"), done_at=timezone.now(),
    )  # fmt: skip


def _write_texts(canaries: Canaries, run: Run) -> None:
    Retrieval.objects.update(achieved_chars=0)  # as much as their contexts hold
    answers = Answer.objects.select_related("cell__question").order_by("pk")
    for answer in answers:
        number = answer.cell.question.position
        word = canaries.answer(f"answer {answer.pk} to GQ{number}")
        answer.text = f"Paper {number} **anneals** at {number} degrees, says {word}."
        answer.save()
    for judgment in Judgment.objects.select_related("answer__cell__question").order_by("pk"):
        number = judgment.answer.cell.question.position
        judgment.reason = f"It says {canaries.answer(f'reason {judgment.pk} to GQ{number}')}."
        judgment.save()
    for cell in Cell.objects.select_related("question").order_by("pk")[:N_QUESTIONS]:
        told = canaries.answer(f"error of a cell to {cell.question.question_id}")
        CellError.objects.create(
            cell=cell, stage="judge", message=f"not read: {told}", at=timezone.now()
        )


def _vote_before(canaries: Canaries, campaign: Campaign, lead: User, now: dt.datetime) -> None:
    """Another rater has voted, commented, and was excluded and reviewed."""
    other = ActingRater(campaign, now=now)
    other.cast("a", comment=canaries.identity("another rater's comment"))
    Rater.objects.filter(key=other.key).update(
        pseudonym=canaries.identity("another rater's pseudonym"),
        excluded_reason=canaries.identity("a reason of exclusion"),
    )
    Vote.objects.update(reasons=[canaries.identity("another rater's reason")])
    for pair in campaign.pairs.all():
        pair.stratum = f"{canaries.identity('stratum')} {pair.stratum}"
        pair.scan = [
            {
                "side": "first", "kind": "name", "found": canaries.identity("scan finding"),
                "quote": canaries.identity("scan quote"), "times": 1, "is_topic": True,
            }
        ]  # fmt: skip
        pair.save()
    campaign.invitations.create(
        token=canaries.identity("invitation"), note=canaries.identity("invitation's note"),
        created_at=now,
    )  # fmt: skip
    AuditEntry.objects.create(
        at=now, actor=lead, actor_name=lead.username, campaign=campaign, action="edited",
        detail={"note": canaries.identity("audit detail")},
    )  # fmt: skip
    Transfer.objects.create(
        public_id=canaries.identity("transfer"), kind=Transfer.EXPORT, campaign=campaign,
        file_format="csv", file_path="transfers/none.csv", created_at=now, finished_at=now,
        made_by=lead,
    )  # fmt: skip
