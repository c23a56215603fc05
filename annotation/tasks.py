"""Celery's doors to the services of campaigns: ids in, one call each, safe to deliver twice."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.utils import timezone

from annotation.calibration.settings import CalibrationSettings
from annotation.services import demo, transfers
from annotation.services.calibration import refresh_report

DEMO_STEP_SECONDS = 20
DEMO_STEPS = 360


@shared_task(name="annotation.tasks.do_transfer")
def do_transfer(transfer_id: int) -> None:
    transfers.do_transfer(transfer_id=transfer_id, now=timezone.now())


@shared_task(name="annotation.tasks.resume_unfinished_transfers")
def resume_unfinished_transfers() -> None:
    transfers.resume_unfinished_transfers()


@shared_task(name="annotation.tasks.compute_report")
def compute_report(campaign_id: int, settings: dict[str, Any], judge: str) -> None:
    chosen = CalibrationSettings.from_json(settings)
    refresh_report(campaign_id=campaign_id, settings=chosen, judge=judge, now=timezone.now())


@shared_task(name="annotation.tasks.prepare_demo_campaign")
def prepare_demo_campaign(n_left: int = DEMO_STEPS) -> None:
    """Asks again until the demo's run has ended, for two hours."""
    if not demo.prepare_demo_campaign(now=timezone.now()) and n_left > 1:
        prepare_demo_campaign.apply_async([n_left - 1], countdown=DEMO_STEP_SECONDS)
