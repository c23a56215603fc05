"""Raters of a toy campaign, acting through the services as their pages do."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

from annotation.blinding.voting_page import VotingPage
from annotation.models import Campaign, Rater
from annotation.services import voting
from tests.annotation.toy_campaigns import NOW


class ActingRater:
    """One person with the key of their place. Their clock stands at ``now`` until moved."""

    def __init__(self, campaign: Campaign, *, now: dt.datetime = NOW, seed: int = 1, **admit: Any):
        self.token = campaign.link_token
        self.now = now
        self.rng = random.Random(seed)
        self.key = voting.admit_rater(
            campaign_token=self.token,
            now=now,
            **{"user": None, "invitation": None, **admit},
        )

    @property
    def row(self) -> Rater:
        return Rater.objects.get(key=self.key)

    def wait(self, **times: float) -> ActingRater:
        self.now += dt.timedelta(**times)
        return self

    def page(self, **asked: Any) -> VotingPage:
        asked = {"rater_key": self.key, "user": None, **asked}
        return voting.voting_page(campaign_token=self.token, now=self.now, rng=self.rng, **asked)

    def cast(self, choice: str = "a", *, on: VotingPage | None = None, **more: Any) -> VotingPage:
        """Decide the pair of the page ``on``, by default of the page as it is now."""
        pair = (on or self.page()).pair
        assert pair is not None
        return voting.cast_vote(
            campaign_token=self.token,
            rater_key=self.key,
            assignment_id=pair.assignment_id,
            choice=choice,
            now=self.now,
            rng=self.rng,
            **more,
        )

    def skip(self, on: VotingPage | None = None) -> VotingPage:
        pair = (on or self.page()).pair
        assert pair is not None
        return voting.skip_pair(
            campaign_token=self.token,
            rater_key=self.key,
            assignment_id=pair.assignment_id,
            now=self.now,
            rng=self.rng,
        )

    def undo(self) -> VotingPage:
        return voting.undo_vote(**self._self())

    def go_on(self) -> VotingPage:
        return voting.continue_voting(**self._self())

    def finish(self) -> VotingPage:
        return voting.finish_voting(**self._self())

    def withdraw(self) -> VotingPage:
        return voting.withdraw(campaign_token=self.token, rater_key=self.key, now=self.now)

    def _self(self) -> dict[str, Any]:
        return {
            "campaign_token": self.token, "rater_key": self.key, "now": self.now, "rng": self.rng
        }  # fmt: skip
