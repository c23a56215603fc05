from __future__ import annotations

from django.db import models

from evaluation.models.run import Run


class DoctorFinding(models.Model):
    """One check of the doctor, before a run or on demand (then without a run)."""

    run = models.ForeignKey(
        Run, null=True, on_delete=models.CASCADE, related_name="doctor_findings"
    )
    benchmark_slug = models.CharField(max_length=80, blank=True)
    system = models.CharField(max_length=80, blank=True, help_text="empty: of the run as a whole")
    label = models.CharField(max_length=200, blank=True)
    stage = models.CharField(max_length=10, help_text="probe, ingest or models")
    check_name = models.CharField(max_length=40)
    level = models.CharField(max_length=20)
    sentence = models.TextField()
    at = models.DateTimeField()
