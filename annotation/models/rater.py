from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.campaign import Campaign

COUNTED = models.Q(excluded_at=None, withdrawn_at=None, unblinded_at=None)


class RaterQuerySet(models.QuerySet["Rater"]):
    def counted(self) -> RaterQuerySet:
        return self.filter(COUNTED)


class Rater(models.Model):
    """One person (or imported or simulated voter) in one campaign. ``key`` is what the signed
    cookie carries; ``pseudonym`` is what leads and exports see. The counts are kept by the writes.

    kind ``model``: an imported verdict of a language model; never counted with people.
    """

    ANONYMOUS, SIGNED_IN, IMPORTED, SIMULATED, MODEL = (
        "anonymous",
        "signed_in",
        "imported",
        "simulated",
        "model",
    )

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="raters")
    kind = models.CharField(max_length=10)
    key = models.CharField(max_length=43, unique=True)
    pseudonym = models.CharField(max_length=120)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="raters"
    )
    created_at = models.DateTimeField()
    consented_at = models.DateTimeField(null=True)
    qualified_at = models.DateTimeField(null=True)
    disqualified_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    completion_code = models.CharField(max_length=20, blank=True)
    excluded_at = models.DateTimeField(null=True)
    excluded_reason = models.TextField(blank=True)
    withdrawn_at = models.DateTimeField(null=True)
    unblinded_at = models.DateTimeField(null=True)
    frozen_at = models.DateTimeField(
        null=True, help_text="all was revealed to them: nothing can be changed or undone"
    )
    n_reveals_seen = models.PositiveIntegerField(default=0)
    n_votes = models.PositiveIntegerField(default=0, help_text="checks not counted")
    n_counted = models.PositiveIntegerField(default=0)
    n_left = models.PositiveIntegerField(default=0)
    n_right = models.PositiveIntegerField(default=0)
    n_tie = models.PositiveIntegerField(default=0)
    n_both_bad = models.PositiveIntegerField(default=0)
    n_skips = models.PositiveIntegerField(default=0)
    n_too_fast = models.PositiveIntegerField(default=0)
    n_checks = models.PositiveIntegerField(default=0)
    n_checks_right = models.PositiveIntegerField(default=0)
    seconds_total = models.FloatField(default=0.0)

    objects = RaterQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "pseudonym"], name="a_pseudonym_is_unique_in_a_campaign"
            ),
            models.UniqueConstraint(
                fields=["campaign", "user"], name="a_person_is_one_rater_in_a_campaign"
            ),
        ]


class Invitation(models.Model):
    """One seat in an invite-only campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=43, unique=True)
    note = models.CharField(max_length=200, blank=True)
    rater = models.OneToOneField(
        Rater, null=True, on_delete=models.SET_NULL, related_name="invitation"
    )
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)


class Reveal(models.Model):
    """A rater was shown who wrote a pair; nothing of that pair can change afterwards."""

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="reveals")
    pair = models.ForeignKey("annotation.Pair", on_delete=models.CASCADE, related_name="reveals")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rater", "pair"], name="a_pair_is_revealed_once")
        ]


class Unblinding(models.Model):
    """A signed-in person opened an embargoed answer while the campaign was open: they may not
    vote in it, and what they voted is shown apart."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="unblindings")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="unblindings"
    )
    at = models.DateTimeField()
    what = models.CharField(max_length=300, help_text="the page or API address that was opened")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="a_person_is_unblinded_once")
        ]
