from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.campaign import Campaign, CampaignQuestion, CampaignSystem, RenderedText
from evaluation.models import Answer, Judge


class PairQuerySet(models.QuerySet["Pair"]):
    def on_vote(self) -> PairQuerySet:
        """The pairs that results are made of: no checks."""
        return self.filter(kind=Pair.VOTE)

    def wanting_votes(self) -> PairQuerySet:
        return self.filter(n_taken__lt=models.F("n_wanted"))


class Pair(models.Model):
    """Two answers to one question at one track. First and second are drawn once, when the pair
    is made, and have nothing to do with the sides a rater sees.

    kind ``vote``; ``attention`` and ``qualification`` are checks with a ``known_winner``, served
    by the same code and never counted. ``n_wanted`` is the overlap, or 0 where the pair is held
    back for review or was rejected. ``n_taken``: counted votes and live locks. ``n_first`` …
    ``n_both_bad``: counted votes.
    """

    VOTE, ATTENTION, QUALIFICATION = "vote", "attention", "qualification"

    # Every vote changes two pairs, and PostgreSQL then writes all indexes of a row anew: so there
    # is none that nothing looks up by.
    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="pairs", db_index=False
    )
    kind = models.CharField(max_length=13, default=VOTE)
    position = models.PositiveIntegerField(help_text="the seeded order of serving, within a kind")
    question = models.ForeignKey(CampaignQuestion, on_delete=models.CASCADE, related_name="pairs")
    first_system = models.ForeignKey(
        CampaignSystem,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        help_text="null in checks, whose texts no system need have written",
    )
    second_system = models.ForeignKey(
        CampaignSystem, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    first_answer = models.ForeignKey(
        Answer, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    second_answer = models.ForeignKey(
        Answer, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    first_text = models.ForeignKey(
        RenderedText, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    second_text = models.ForeignKey(
        RenderedText, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    first_context = models.ForeignKey(
        RenderedText, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    second_context = models.ForeignKey(
        RenderedText, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    stratum = models.CharField(max_length=300, blank=True)
    inclusion_probability = models.FloatField(null=True, help_text="null: not drawn by us")
    known_winner = models.CharField(max_length=8, blank=True, help_text="first, second or tie")
    scan = models.JSONField(default=list, help_text="what the answer scan found")
    needs_review = models.BooleanField(default=False)
    reviewed_at = models.DateTimeField(null=True)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    is_rejected = models.BooleanField(default=False)
    n_wanted = models.PositiveIntegerField()
    n_taken = models.PositiveIntegerField(default=0)
    n_first = models.PositiveIntegerField(default=0)
    n_second = models.PositiveIntegerField(default=0)
    n_tie = models.PositiveIntegerField(default=0)
    n_both_bad = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()

    objects = PairQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "position"], name="a_campaign_has_each_position_once"
            ),
            models.CheckConstraint(
                condition=models.Q(inclusion_probability=None)
                | models.Q(inclusion_probability__gt=0, inclusion_probability__lte=1),
                name="an_inclusion_probability_is_over_0_and_at_most_1",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "kind", "position"],
                condition=models.Q(n_taken__lt=models.F("n_wanted")),
                name="pairs_wanting_votes",
            ),
            models.Index(
                fields=["campaign", "kind", "position"],
                condition=models.Q(n_wanted=0),
                name="pairs_held_back",
            ),
        ]


class PairScore(models.Model):
    """A judge's composites of the two answers of a pair, in exact hundredths (0 to 1000)."""

    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="scores")
    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="+")
    first_hundredths = models.PositiveSmallIntegerField(null=True, help_text="null: unscored")
    second_hundredths = models.PositiveSmallIntegerField(null=True, help_text="null: unscored")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "judge"], name="a_judge_scores_a_pair_once")
        ]
