"""Celery's doors to the services of campaigns: ids in, one call each, safe to deliver twice."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from annotation.services import transfers


@shared_task(name="annotation.tasks.do_transfer")
def do_transfer(transfer_id: int) -> None:
    transfers.do_transfer(transfer_id=transfer_id, now=timezone.now())


@shared_task(name="annotation.tasks.resume_unfinished_transfers")
def resume_unfinished_transfers() -> None:
    transfers.resume_unfinished_transfers()
