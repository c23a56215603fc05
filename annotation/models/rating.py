from __future__ import annotations

from django.db import models


class RatingStudy(models.Model):
    """Imported ratings of items by several people (not votes), such as JUDGE-BENCH's."""

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    source = models.JSONField(default=dict, help_text="format, file, SHA-256")
    created_at = models.DateTimeField()


class RatingMetric(models.Model):
    """One question asked of every item. ``ratings``: one list a item of the values it was given,
    as labels or numbers; ``level`` is nominal, ordinal or interval."""

    study = models.ForeignKey(RatingStudy, on_delete=models.CASCADE, related_name="metrics")
    name = models.CharField(max_length=200)
    level = models.CharField(max_length=10)
    scale = models.JSONField(default=list, help_text="worst and best, or the labels")
    ratings = models.JSONField()
    n_items = models.PositiveIntegerField()
    n_ratings = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="a_study_has_each_metric_once")
        ]
