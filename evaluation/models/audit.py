from __future__ import annotations

from django.db import models

from evaluation.models.benchmark import Benchmark


class AuditCheck(models.Model):
    """One check of the newest audit of a benchmark's revision. ``refusal`` says why it could not
    run; then it has no findings."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="audit_checks")
    name = models.CharField(max_length=80)
    position = models.PositiveIntegerField()
    description = models.TextField(blank=True)
    n_checked = models.PositiveIntegerField(default=0)
    refusal = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "name"], name="an_audit_has_each_check_once"
            )
        ]


class AuditFinding(models.Model):
    """``audit_class`` is one of the paper's classes, A to E (evaluation.benchmarks.audit.report),
    empty where none fits; ``question_id`` is empty where the whole benchmark is concerned."""

    audit_check = models.ForeignKey(AuditCheck, on_delete=models.CASCADE, related_name="findings")
    question_id = models.CharField(max_length=200, blank=True)
    position = models.PositiveIntegerField()
    audit_class = models.CharField(max_length=1, blank=True)
    sentence = models.TextField()
