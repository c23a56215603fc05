from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.campaign import Campaign


class AuditEntry(models.Model):
    """Who changed, excluded, exported or adopted what, and when. Only ever added to."""

    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    actor_name = models.CharField(max_length=150, help_text="a user, a command, or the site")
    campaign = models.ForeignKey(
        Campaign, null=True, on_delete=models.SET_NULL, related_name="audit_entries"
    )
    action = models.CharField(max_length=60)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["campaign", "-at"])]
