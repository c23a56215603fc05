"""A campaign to make, as ``manage.py create_campaign`` makes it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.blinding.instructions import DEFAULT_CONSENT
from annotation.campaign_options import POLICIES, CampaignOptions
from webapp.api.requests import KnownFieldsOnly

DEFAULTS = CampaignOptions()
LONGEST = 200


class CampaignRequest(KnownFieldsOnly):
    """Everything but name and runs has a default. options holds what has no field of its own:
    votes_per_rater, reasons, reveal and so on, as annotation.campaign_options names them."""

    name = serializers.CharField(max_length=LONGEST, help_text="raters read it")
    runs = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST), allow_empty=False, max_length=100
    )
    track = serializers.CharField(default=None, allow_null=True, max_length=LONGEST)
    pairs = serializers.IntegerField(default=DEFAULTS.n_pairs)
    overlap = serializers.IntegerField(default=DEFAULTS.overlap, help_text="votes wanted a pair")
    policy = serializers.CharField(
        default=DEFAULTS.policy, max_length=LONGEST, help_text=", ".join(POLICIES)
    )
    seed = serializers.IntegerField(default=DEFAULTS.seed, min_value=0, max_value=2**53)
    judge = serializers.CharField(
        default=None, allow_null=True, max_length=LONGEST, help_text="the reference judge"
    )
    systems = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST), default=None, allow_null=True,
        max_length=1000,
    )  # fmt: skip
    tiers = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST), default=list, max_length=100
    )
    with_base_model = serializers.BooleanField(default=False)
    simulated = serializers.BooleanField(default=False, help_text="for simulated raters only")
    opens_at = serializers.DateTimeField(default=None, allow_null=True)
    closes_at = serializers.DateTimeField(default=None, allow_null=True)
    open = serializers.BooleanField(default=False, help_text="open it at once")
    options = serializers.DictField(default=dict)

    def arguments(self) -> dict[str, Any]:
        """The arguments of the service. Raises InvalidCampaignOption."""
        asked = self.validated_data
        chosen = {
            "consent": DEFAULT_CONSENT,
            "n_pairs": asked["pairs"],
            **{name: asked[name] for name in ("overlap", "policy", "seed")},
            **asked["options"],
        }
        taken = ("name", "track", "judge", "systems", "tiers", "with_base_model")
        return {
            **{name: asked[name] for name in (*taken, "opens_at", "closes_at")},
            "run_ids": asked["runs"],
            "is_simulated": asked["simulated"],
            "options": CampaignOptions.from_json(chosen),
        }
