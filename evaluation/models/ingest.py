from __future__ import annotations

from django.db import models

from evaluation.models.benchmark import Scenario


class IngestEvent(models.Model):
    """The ingest log: one step that changed a store on one machine. Runs that reuse the store add
    none."""

    store_key = models.CharField(max_length=64)
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="ingest_events")
    host = models.CharField(max_length=120)
    position = models.CharField(max_length=120)
    operation = models.CharField(max_length=20)
    item_id = models.CharField(max_length=200, blank=True)
    n_units = models.IntegerField(default=0)
    n_truncated_units = models.PositiveIntegerField(default=0)
    model_calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    cost_usd = models.FloatField(null=True, default=0.0)
    errors = models.JSONField(default=list)
    seconds = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["store_key", "scenario", "host", "position"],
                name="a_step_changes_a_store_once",
            )
        ]
