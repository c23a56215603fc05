"""The Celery application; its settings are the ``CELERY_…`` names of webapp.settings."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

app = Celery("memjury")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
