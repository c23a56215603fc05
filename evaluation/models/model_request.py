from __future__ import annotations

from django.db import models


class ModelRequest(models.Model):
    """One paid call: the row is committed before the request is sent, the reply before it is
    used. In flight: ``sent_at`` set, no ``replied_at``, a live lease. ``n_sent`` above 1 counts
    requests that were sent again because their sender died or failed."""

    key = models.CharField(max_length=64, unique=True)
    provider = models.CharField(max_length=60)
    model = models.CharField(max_length=120)
    run_public_id = models.CharField(max_length=20, blank=True, db_index=True)
    request = models.JSONField()
    most_it_can_cost_usd = models.FloatField(null=True)
    lease_owner = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True)
    n_sent = models.PositiveIntegerField(default=0)
    n_resent_after_death = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    replied_at = models.DateTimeField(null=True)
    reply = models.JSONField(null=True)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    cost_usd = models.FloatField(null=True)
    last_error = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["provider", "replied_at", "lease_until"])]


class RequestGate(models.Model):
    """One row that is locked while a request is taken, so that limits hold across processes."""

    name = models.CharField(max_length=20, unique=True)
