from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models

from evaluation.models import Benchmark, Judge, Protocol, Question, Run, Variant


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def newest_first(self) -> CampaignQuerySet:
        return self.order_by("-created_at", "-pk")

    def open(self, now: datetime) -> CampaignQuerySet:
        """Opened by a lead, not closed, and within its times."""
        return self.filter(
            models.Q(closes_at=None) | models.Q(closes_at__gt=now),
            models.Q(opens_at=None) | models.Q(opens_at__lte=now),
            opened_at__isnull=False,
            closed_at=None,
        )

    def embargoing(self, now: datetime) -> CampaignQuerySet:
        """Votes of people, opened (perhaps for later) and not closed: the answers to their
        questions are kept back from everyone but leads."""
        return self.filter(
            models.Q(closes_at=None) | models.Q(closes_at__gt=now),
            opened_at__isnull=False,
            closed_at=None,
            origin=Campaign.MEASURED,
            is_simulated=False,
        )


class Campaign(models.Model):
    """A blinded vote on pairs of answers. Its state is derived from its times: a draft until
    ``opened_at``, open until ``closed_at`` or ``closes_at``, then closed.

    An imported campaign has votes and labels, but no runs and no answers' text. A simulated one
    takes votes of simulated raters only, a real one never does.
    """

    MEASURED, IMPORTED = "measured", "imported"

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    link_token = models.CharField(max_length=43, unique=True)
    origin = models.CharField(max_length=10, default=MEASURED)
    is_simulated = models.BooleanField(default=False)
    benchmark = models.ForeignKey(
        Benchmark, null=True, on_delete=models.PROTECT, related_name="campaigns"
    )
    protocol = models.ForeignKey(
        Protocol, null=True, on_delete=models.PROTECT, related_name="campaigns"
    )
    judge = models.ForeignKey(
        Judge,
        null=True,
        on_delete=models.PROTECT,
        related_name="campaigns",
        help_text="the reference judge, frozen",
    )
    runs = models.ManyToManyField(Run, related_name="campaigns")
    track = models.CharField(max_length=20, blank=True)
    options = models.JSONField(help_text="annotation.campaign_options.CampaignOptions")
    sampling = models.JSONField(
        default=dict, help_text="what was drawn: candidates, planned and realised by stratum"
    )
    source = models.JSONField(default=dict, help_text="of an imported one: format, file, SHA-256")
    opens_at = models.DateTimeField(null=True)
    closes_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    objects = CampaignQuerySet.as_manager()

    def __str__(self) -> str:
        return self.slug


class CampaignTally(models.Model):
    """What changes with every assignment and vote; its row is the campaign's lock.

    ``version`` rises with whatever can change a report; ``side_balance`` is left minus right of
    each CampaignSystem, over counted votes and live locks.
    """

    campaign = models.OneToOneField(
        Campaign, primary_key=True, on_delete=models.CASCADE, related_name="tally"
    )
    version = models.PositiveBigIntegerField(default=0)
    n_votes = models.PositiveIntegerField(default=0)
    n_counted = models.PositiveIntegerField(default=0)
    side_balance = models.JSONField(default=dict, help_text="{CampaignSystem id: left - right}")


class CampaignSystem(models.Model):
    """A variant whose answers are judged, under the label that results show."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="systems")
    label = models.CharField(max_length=200)
    variant = models.ForeignKey(Variant, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "label"], name="a_campaign_has_each_system_once"
            )
        ]


class CampaignQuestion(models.Model):
    """A question as raters see it, rendered when the campaign was made. ``facts`` and
    ``source_spans``: plain texts of the benchmark, the same for both sides."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="questions")
    question = models.ForeignKey(Question, null=True, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    question_html = models.TextField(blank=True)
    gold_html = models.TextField(blank=True)
    facts = models.JSONField(default=list)
    source_spans = models.JSONField(default=list)
    slices = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "key"], name="a_campaign_has_each_question_once"
            )
        ]


class RenderedText(models.Model):
    """The safe HTML of one answer or context, once for each text: serving renders nothing."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    html = models.TextField()
    n_chars = models.PositiveIntegerField()
    n_words = models.PositiveIntegerField()
