"""What raters post, checked field by field; what a vote may say is for the services."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from webapp.api.requests import KnownFieldsOnly

KEY_HELP = "what joining gave; not needed with an account"
LONGEST_TOKEN = 64


class RaterRequest(KnownFieldsOnly):
    """A rater without an account names themselves by their key."""

    rater_key = serializers.CharField(
        default="", allow_blank=True, max_length=200, help_text=KEY_HELP
    )


class NextPairRequest(RaterRequest):
    """Without consent the answer is what there is to consent to."""

    consent = serializers.BooleanField(
        default=False, help_text="true once, to join: the answer holds the rater's key"
    )
    link = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=200,
        help_text="to join without an account: what stands behind /vote/",
    )
    seat = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_TOKEN,
        help_text="an invitation, where the vote is by invitation",
    )

    def validate_link(self, link: str) -> str:
        """The token, also out of the whole address."""
        return link.rpartition("/vote/")[2].partition("/")[0]


class VoteRequest(RaterRequest):
    """A vote. Sending the same one again changes nothing."""

    choice = serializers.CharField(max_length=20, help_text="a (the left answer), b, tie, both_bad")
    reasons = serializers.ListField(
        child=serializers.CharField(max_length=200), default=list, max_length=50
    )
    comment = serializers.CharField(default="", allow_blank=True, trim_whitespace=False)
    confidence = serializers.IntegerField(
        default=None, allow_null=True, help_text="1 to 5, where the vote asks for it"
    )
    client_token = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_TOKEN,
        help_text="any text of yours, the same each time the same vote is sent",
    )

    def ballot(self) -> dict[str, Any]:
        """The arguments of the service."""
        return {name: value for name, value in self.validated_data.items() if name != "rater_key"}


class WithdrawRequest(RaterRequest):
    sure = serializers.BooleanField(help_text="true: all votes are erased for good")

    def validate_sure(self, sure: bool) -> bool:
        if not sure:
            raise serializers.ValidationError("nothing was erased; send true to withdraw.")
        return sure
