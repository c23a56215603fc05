from __future__ import annotations

from django.db import models

from annotation.models.campaign import Campaign
from annotation.models.pair import Pair
from annotation.models.rater import Rater


class Assignment(models.Model):
    """A pair given to a rater, with the sides drawn for them. While ``is_live`` it holds one of
    the pair's places; a lock that ran out is released when somebody needs the place."""

    public_id = models.CharField(max_length=43)
    # The pair's campaign, which the database checks there.
    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.CASCADE,
        related_name="assignments",
        db_index=False,
        db_constraint=False,
    )
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="assignments")
    rater = models.ForeignKey(
        Rater, on_delete=models.CASCADE, related_name="assignments", db_index=False
    )
    left_is_first = models.BooleanField()
    assigned_at = models.DateTimeField()
    shown_at = models.DateTimeField(null=True)
    lock_until = models.DateTimeField()
    is_live = models.BooleanField(default=True)
    skipped_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rater", "pair"], name="a_rater_is_given_a_pair_once"),
            # Not ``unique=True``, to which Django adds a second index on PostgreSQL.
            models.UniqueConstraint(fields=["public_id"], name="an_assignment_has_its_own_name"),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "rater"],
                condition=models.Q(is_live=True),
                name="live_locks",
            )
        ]
