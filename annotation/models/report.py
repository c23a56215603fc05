from __future__ import annotations

from django.db import models

from annotation.models.campaign import Campaign


class CalibrationReport(models.Model):
    """The kept calibration of a campaign, as of ``version`` of its tally; what the page reads.

    ``settings_key`` hashes what the reader may choose (judge, edges, level, raters included).
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="reports")
    settings_key = models.CharField(max_length=64)
    version = models.PositiveBigIntegerField()
    data_hash = models.CharField(max_length=64)
    body = models.JSONField()
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "settings_key"], name="a_report_is_kept_once"
            )
        ]
