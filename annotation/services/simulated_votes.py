"""Simulated raters: for demonstrations and load, in campaigns made for them alone. They vote
through the same services as people, and read what a rater's page shows and nothing else."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from annotation.blinding.simulated_reading import SimulatedReader
from annotation.blinding.voting_page import REVEALED, WAITING, VotingPage
from annotation.models import Campaign
from annotation.services import voting
from annotation.services.audit import record
from annotation.services.standing import closed_sentence

DEFAULT_NOISE: Final = 1.5
USUAL_SECONDS: Final = 45.0


class NotASimulation(Exception):
    """The campaign takes votes of people; the message says so."""


class SimulationClosed(Exception):
    """The campaign takes no votes now; the message says why."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """``n_votes``: stored now, votes on checks among them. ``n_without_pairs`` of the raters were
    given no more."""

    n_raters: int
    n_votes: int
    n_without_pairs: int


@dataclass(slots=True)
class _Rater:
    key: str
    reader: SimulatedReader
    clock: datetime
    is_done: bool = False
    n_votes: int = 0
    page: VotingPage | None = field(default=None, repr=False)


def check_simulated(*, campaign: Campaign, now: datetime) -> None:
    """Raises NotASimulation, SimulationClosed."""
    if not campaign.is_simulated:
        raise NotASimulation(
            f"{campaign.slug} is a vote of people and never takes simulated raters: make a "
            "campaign with --simulated for them"
        )
    sentence = closed_sentence(campaign, now)
    if sentence:
        raise SimulationClosed(f"{campaign.slug} takes no votes now. {sentence}")


def simulated_name(number: int) -> str:
    return f"simulated-{number:03d}"


def reader_of(campaign: Campaign, number: int, *, seed: int, noise: float) -> SimulatedReader:
    """The same number and seed read and err the same way, whatever the others do."""
    return SimulatedReader(random.Random(f"{seed} {campaign.slug} {number}"), noise)


def simulate_votes(
    *,
    campaign: Campaign,
    n_raters: int,
    now: datetime,
    n_votes: int | None = None,
    seed: int = 1,
    noise: float = DEFAULT_NOISE,
) -> Simulation:
    """Let raters vote in turns until each has cast ``n_votes`` (None: until nothing is left), at
    the pace of reading, as far as the time since the opening allows, and never after ``now``.
    Called again, the same raters go on. Raises NotASimulation, SimulationClosed."""
    check_simulated(campaign=campaign, now=now)
    span = (now - campaign.opened_at) if campaign.opened_at else timedelta()
    each = n_votes or campaign.pairs.count()
    start = now - min(span, timedelta(seconds=USUAL_SECONDS * each))
    pace = min(1.0, (now - start).total_seconds() / (USUAL_SECONDS * each) if each else 0.0)
    raters = [
        _Rater(
            key=voting.admit_simulated_rater(
                campaign_token=campaign.link_token, name=simulated_name(number), now=start
            ),
            reader=reader_of(campaign, number, seed=seed, noise=noise),
            clock=start,
        )
        for number in range(1, n_raters + 1)
    ]
    at_work, n_voted = raters, 1
    # Whoever waits for pairs that others hold is asked again while anybody votes.
    while n_voted:
        n_voted = sum(_votes(campaign, rater, now=now, pace=pace) for rater in at_work)
        at_work = [rater for rater in at_work if not rater.is_done and rater.n_votes != n_votes]
    done = Simulation(
        n_raters=n_raters,
        n_votes=sum(rater.n_votes for rater in raters),
        n_without_pairs=sum(rater.n_votes != n_votes for rater in raters),
    )
    detail = {"n_raters": n_raters, "n_votes": done.n_votes, "seed": seed, "noise": noise}
    record(action="votes simulated", by=None, campaign=campaign, detail=detail, now=now)
    return done


def _votes(campaign: Campaign, rater: _Rater, *, now: datetime, pace: float) -> bool:
    """Whether the rater had a pair to vote on."""
    whose: dict[str, Any] = {"campaign_token": campaign.link_token, "rater_key": rater.key}
    rng = rater.reader.rng
    page = rater.page or voting.voting_page(**whose, user=None, now=rater.clock, rng=rng)
    while page.stage == REVEALED:
        page = voting.continue_voting(**whose, now=rater.clock, rng=rng)
    if page.pair is None:
        rater.is_done, rater.page = page.stage != WAITING, None
        return False
    taken = timedelta(seconds=rater.reader.seconds(page.pair) * pace)
    rater.clock = min(now, rater.clock + taken)
    rater.page = voting.cast_vote(
        **whose,
        assignment_id=page.pair.assignment_id,
        choice=rater.reader.choose(page.pair, page.campaign.choices),
        now=rater.clock,
        rng=rng,
    )
    rater.n_votes += 1
    return True
