from __future__ import annotations

from django.db import models

from annotation.models.assignment import Assignment
from annotation.models.campaign import Campaign
from annotation.models.pair import Pair
from annotation.models.rater import Rater


class VoteQuerySet(models.QuerySet["Vote"]):
    def counted(self) -> VoteQuerySet:
        return self.exclude(slot=None)


class Vote(models.Model):
    """What a rater decided: ``choice`` is by the side they saw (a is left), ``left_is_first``
    says which answer stood there.

    A vote is counted exactly when it holds one of its pair's places (``slot``, from 1). Else
    ``not_counted`` says why: ``surplus``, ``excluded``, ``unblinded``, ``check`` or ``model`` (a
    language model's verdict beside people's votes, or on a system and itself).
    """

    A, B, TIE, BOTH_BAD = "a", "b", "tie", "both_bad"
    CHOICES = (A, B, TIE, BOTH_BAD)
    SURPLUS, EXCLUDED, UNBLINDED, CHECK = "surplus", "excluded", "unblinded", "check"
    MODEL = "model"

    # Constraints and indexes below begin with these columns: an index of each would only cost.
    # The pair's campaign, which the database checks there.
    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.CASCADE,
        related_name="votes",
        db_index=False,
        db_constraint=False,
    )
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="votes", db_index=False)
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="votes", db_index=False)
    assignment = models.OneToOneField(
        Assignment, null=True, on_delete=models.SET_NULL, related_name="vote"
    )
    choice = models.CharField(max_length=8)
    left_is_first = models.BooleanField()
    slot = models.PositiveIntegerField(null=True)
    not_counted = models.CharField(max_length=9, blank=True)
    reasons = models.JSONField(default=list)
    comment = models.TextField(blank=True)
    confidence = models.PositiveSmallIntegerField(null=True)
    seconds = models.FloatField(null=True, help_text="from the pair's showing; null: not known")
    is_too_fast = models.BooleanField(default=False)
    n_reveals_seen = models.PositiveIntegerField(default=0)
    client_token = models.CharField(max_length=64, blank=True)
    cast_at = models.DateTimeField(null=True, help_text="null: imported and not stated")
    extra = models.JSONField(default=dict, help_text="of an imported vote: its other columns")

    objects = VoteQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rater", "pair"], name="a_rater_votes_once_on_a_pair"),
            models.UniqueConstraint(
                fields=["pair", "slot"], name="a_place_of_a_pair_is_taken_once"
            ),
            models.CheckConstraint(
                condition=models.Q(slot__gte=1, not_counted="")
                | models.Q(slot=None) & ~models.Q(not_counted=""),
                name="a_vote_is_counted_or_says_why_not",
            ),
            models.CheckConstraint(
                condition=models.Q(choice__in=("a", "b", "tie", "both_bad")),
                name="a_vote_is_a_or_b_or_tie_or_both_bad",
            ),
        ]
        indexes = [
            models.Index(fields=["campaign", "-cast_at", "-id"], name="votes_newest_first"),
            # What is rare and looked for: else a database reads a million votes to find ten.
            models.Index(
                fields=["campaign", "not_counted", "-cast_at", "-id"],
                condition=models.Q(slot=None),
                name="votes_not_counted",
            ),
            models.Index(
                fields=["campaign", "-cast_at", "-id"],
                condition=~models.Q(comment=""),
                name="votes_with_comments",
            ),
        ]


class VoteEvent(models.Model):
    """The history of votes; only ever added to, except that a withdrawal erases the rater's."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="vote_events")
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="+")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="vote_events")
    action = models.CharField(max_length=12, help_text="undone, excluded, restored, unblinded")
    vote = models.JSONField(help_text="the vote as it was")
    at = models.DateTimeField()
