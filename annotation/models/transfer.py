from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.campaign import Campaign


class Transfer(models.Model):
    """An import or export of votes that runs in the background, and how far it is."""

    IMPORT, EXPORT = "import", "export"

    public_id = models.CharField(max_length=43, unique=True)
    kind = models.CharField(max_length=6)
    campaign = models.ForeignKey(
        Campaign, null=True, on_delete=models.CASCADE, related_name="transfers"
    )
    file_format = models.CharField(max_length=20)
    file_path = models.CharField(max_length=500, help_text="inside the data folder")
    options = models.JSONField(default=dict)
    n_total = models.PositiveIntegerField(null=True)
    n_done = models.PositiveIntegerField(default=0)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True, help_text="one sentence: what was done, or what failed")
