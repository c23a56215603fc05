from __future__ import annotations

from django.conf import settings
from django.db import models

from evaluation.models.benchmark import Benchmark
from evaluation.models.protocol import Judge


class AdoptedResolution(models.Model):
    """A judge's resolution on a benchmark revision, adopted by a lead from a calibration report:
    all that boards read of the votes. The newest one that was not withdrawn holds."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="resolutions")
    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="resolutions")
    value = models.FloatField(help_text="points of the composite, 0-10")
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    level = models.FloatField(help_text="the decisive agreement it stands for, 0-1")
    n_pairs = models.PositiveIntegerField(help_text="decisive pairs")
    report_hash = models.CharField(max_length=64)
    report_name = models.CharField(max_length=200, help_text="the campaign's slug")
    adopted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    adopted_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
