from __future__ import annotations

from django.db import models

from evaluation.models.protocol import Judge
from evaluation.models.run import RunVariant


class ScoreVector(models.Model):
    """The kept aggregate that boards read: one measure of one variant at one track by one judge.

    ``values``: [[unit id, value or null, {slice: [values]}], …], one a resampling unit.
    Rebuilt from the cells by ``evaluation.services.aggregates``; never edited by hand.
    """

    run_variant = models.ForeignKey(
        RunVariant, on_delete=models.CASCADE, related_name="score_vectors"
    )
    track = models.CharField(max_length=20)
    judge = models.ForeignKey(Judge, on_delete=models.CASCADE, related_name="score_vectors")
    measure = models.CharField(max_length=60)
    values = models.JSONField()
    n_cells = models.PositiveIntegerField()
    n_scored = models.PositiveIntegerField()
    n_unscored = models.PositiveIntegerField()
    n_errored = models.PositiveIntegerField()
    n_pending = models.PositiveIntegerField()
    n_not_applicable = models.PositiveIntegerField()
    mean_achieved_chars = models.FloatField(null=True)
    mean_requested_chars = models.FloatField(null=True)
    retrieve_ms_median = models.FloatField(null=True)
    answer_cost_usd = models.FloatField(null=True, help_text="sum; null: a price is unknown")
    judge_cost_usd = models.FloatField(null=True, help_text="sum; null: a price is unknown")
    ingest_cost_usd = models.FloatField(null=True)
    ingest_seconds = models.FloatField(null=True)
    flags = models.JSONField(default=list, help_text="[[flag, sentence], …]")
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run_variant", "track", "judge", "measure"],
                name="a_score_vector_is_kept_once",
            )
        ]
