from __future__ import annotations

from django.db import models

from evaluation.models.benchmark import Benchmark


class PublishedScore(models.Model):
    """A number printed in a paper. It is shown as published and never mixed with measured ones."""

    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.CASCADE, related_name="published_scores"
    )
    paper = models.CharField(max_length=80)
    place = models.CharField(max_length=80, help_text="table or figure")
    system_label = models.CharField(max_length=120)
    system = models.CharField(max_length=80)
    modality = models.CharField(max_length=10)
    track = models.CharField(max_length=20)
    measure = models.CharField(max_length=60)
    slice_name = models.CharField(max_length=40, blank=True)
    slice_value = models.CharField(max_length=80, blank=True)
    n_questions = models.PositiveIntegerField(null=True)
    score = models.FloatField()
    scale_high = models.FloatField()
    mean_chars = models.FloatField(null=True)
    judge = models.CharField(max_length=120, blank=True)
    note = models.TextField(blank=True)
    is_anchor = models.BooleanField(default=False)
    position = models.PositiveIntegerField()


class PublishedContrast(models.Model):
    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.CASCADE, related_name="published_contrasts"
    )
    paper = models.CharField(max_length=80)
    place = models.CharField(max_length=80)
    track = models.CharField(max_length=20)
    a = models.CharField(max_length=120)
    b = models.CharField(max_length=120)
    delta = models.FloatField()
    ci_low = models.FloatField()
    ci_high = models.FloatField()
    n = models.PositiveIntegerField()
    position = models.PositiveIntegerField()
