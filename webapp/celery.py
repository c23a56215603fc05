"""The Celery application; its settings are the ``CELERY_…`` names of webapp.settings."""

from __future__ import annotations

import os
import signal
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_process_init, worker_ready

from webapp.supervisor.leash import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

app = Celery("memjury")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def take_back_unfinished_deliveries(**_details: Any) -> None:
    """Hand out again at once what a killed worker had taken.

    Only the one worker of the embedded broker may do this: at its start nobody else can hold a
    delivery. Elsewhere the broker waits for the visibility timeout.
    """
    from django.conf import settings

    if not settings.MEMJURY_EMBEDDED_WORKER:
        return
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        with channel.conn_or_acquire() as client:
            tags = client.zrange(channel.unacked_index_key, 0, -1)
        for tag in tags:
            channel.qos.restore_by_tag(tag)


@worker_process_init.connect
def end_with_the_worker(**_details: Any) -> None:
    """A process of the pool must not outlive a worker that is killed."""
    die_with_parent(_worker["pid"], signal.SIGKILL)


@worker_ready.connect
def resume_runs(**_details: Any) -> None:
    app.send_task("evaluation.tasks.resume_unfinished_runs")
    app.send_task("annotation.tasks.resume_unfinished_transfers")


@worker_init.connect
def remember_the_worker(**_details: Any) -> None:
    _worker["pid"] = os.getpid()


_worker: dict[str, int] = {}
