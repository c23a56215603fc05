from __future__ import annotations

from django.conf import settings
from django.db import models

from evaluation.models.benchmark import Benchmark, Scenario
from evaluation.models.protocol import Judge, Protocol, Variant


class RunQuerySet(models.QuerySet["Run"]):
    def newest_first(self) -> RunQuerySet:
        return self.order_by("-created_at", "-pk")

    def unfinished(self) -> RunQuerySet:
        return self.filter(finished_at=None, cancelled_at=None, paused_at=None)


class Run(models.Model):
    """One execution of a protocol. Its state is derived from these times and from its works:
    cancelled, paused, finished, running (some work started) or waiting."""

    MEASURED, IMPORTED = "measured", "imported"

    public_id = models.CharField(max_length=20, unique=True)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="runs")
    protocol = models.ForeignKey(Protocol, on_delete=models.PROTECT, related_name="runs")
    origin = models.CharField(max_length=10, default=MEASURED)
    options = models.JSONField(help_text="evaluation.services.run_options.RunOptions")
    question_ids = models.JSONField(help_text="the question set, in order")
    tracks = models.JSONField(help_text="track names, in order")
    spending_limit_usd = models.FloatField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    stopped_reason = models.TextField(
        blank=True, help_text="why it paused itself: spending limit, doctor"
    )

    objects = RunQuerySet.as_manager()

    def __str__(self) -> str:
        return self.public_id


class RunVariant(models.Model):
    """``store_key`` is shared by variants that differ only in how they retrieve."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="run_variants")
    variant = models.ForeignKey(Variant, on_delete=models.PROTECT, related_name="run_variants")
    position = models.PositiveIntegerField()
    tracks = models.JSONField(help_text="the tracks this variant is measured at")
    store_key = models.CharField(max_length=64, blank=True, help_text="empty: it keeps no memory")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "variant"], name="a_run_has_each_variant_once")
        ]


class RunJudge(models.Model):
    """The judges of a run; position 0 is its first judge, the board's default."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="run_judges")
    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="run_judges")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "judge"], name="a_run_has_each_judge_once")
        ]


class WorkQuerySet(models.QuerySet["Work"]):
    def open(self) -> WorkQuerySet:
        return self.filter(done_at=None)


class Work(models.Model):
    """One task's worth of a run, and its lease: while a lease is live nobody else does it.

    kind ``doctor``: the checks before the run, which everything else waits for;
    kind ``ingest``: one scenario into one store (``run_variants`` share it by store key);
    kind ``cells``: a batch of questions of one variant at all its tracks;
    kind ``judge``: a batch of stored answers for one more judge.
    """

    DOCTOR, INGEST, CELLS, JUDGE = "doctor", "ingest", "cells", "judge"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="works")
    kind = models.CharField(max_length=10)
    key = models.CharField(max_length=200)
    scenario = models.ForeignKey(Scenario, null=True, on_delete=models.CASCADE, related_name="+")
    run_variant = models.ForeignKey(
        RunVariant, null=True, on_delete=models.CASCADE, related_name="works"
    )
    judge = models.ForeignKey(Judge, null=True, on_delete=models.CASCADE, related_name="+")
    payload = models.JSONField(default=dict)
    n_expected = models.PositiveIntegerField(
        help_text="variants to check, steps to ingest, or cells"
    )
    lease_owner = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True)
    n_attempts = models.PositiveIntegerField(default=0)
    n_deaths = models.PositiveIntegerField(
        default=0, help_text="processes that died while they held the lease"
    )
    started_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)

    objects = WorkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "key"], name="a_run_has_each_work_once")
        ]
        indexes = [models.Index(fields=["run", "done_at"])]
