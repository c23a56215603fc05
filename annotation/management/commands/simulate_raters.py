"""``manage.py simulate_raters CAMPAIGN``: votes for demonstrations and load, never of people."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotation.management.door import CampaignDoor
from annotation.management.http_raters import SiteUnusable, vote_over_http
from annotation.models import Campaign
from annotation.services.campaigns import get_campaign
from annotation.services.simulated_votes import (
    DEFAULT_NOISE,
    NotASimulation,
    SimulationClosed,
    check_simulated,
    reader_of,
    simulate_votes,
    simulated_name,
)
from annotation.services.voting import admit_simulated_rater
from evaluation.management.door import add_format, whole_number


class Command(CampaignDoor):
    help = (
        "Let simulated raters vote in a campaign that was made for them (create_campaign "
        "--simulated). They match the must-have facts against the answers, err by a noise, and "
        "read no judgment and no score. Called again, the same raters go on."
    )
    examples = (
        "simulate_raters demonstration --raters 8 --votes 20",
        "simulate_raters load-test --raters 16 --votes 100 --http http://127.0.0.1:8000",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="its slug")
        parser.add_argument(
            "--raters", type=whole_number(least=1, most=1000), required=True, metavar="N"
        )
        parser.add_argument(
            "--votes", type=whole_number(least=1), metavar="M",
            help="by each rater (default: until nothing is left)",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="default 1")
        parser.add_argument(
            "--noise", type=_points, default=DEFAULT_NOISE, metavar="X",
            help=f"standard deviation of a rater's error, points of 10 (default {DEFAULT_NOISE})",
        )  # fmt: skip
        parser.add_argument(
            "--http", metavar="URL", help="vote at this address of this very site, all at once"
        )
        add_format(parser, "text", "json")

    def enter(self, options: dict[str, Any]) -> None:
        campaign = get_campaign(options["campaign"])
        try:
            told = (
                self._over_http(campaign, options) if options["http"] else _vote(campaign, options)
            )
        except (NotASimulation, SimulationClosed, SiteUnusable) as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["format"] == "json":
            self.write_json(told)
            return
        for name, value in told.items():
            shown = (
                f"{value:,.1f}" if isinstance(value, float) else f"{value:,}" if value else value
            )
            self.stdout.write(f"{name.replace('_', ' ').removeprefix('n ')}: {shown}")

    def _over_http(self, campaign: Campaign, options: dict[str, Any]) -> dict[str, Any]:
        now = timezone.now()
        check_simulated(campaign=campaign, now=now)
        raters = [
            (
                admit_simulated_rater(
                    campaign_token=campaign.link_token, name=simulated_name(number), now=now
                ),
                reader_of(campaign, number, seed=options["seed"], noise=options["noise"]),
            )
            for number in range(1, options["raters"] + 1)
        ]
        load = vote_over_http(options["http"], campaign.link_token, raters, options["votes"])
        return {**asdict(load), "votes_per_second": load.n_votes / load.seconds}


def _vote(campaign: Campaign, options: dict[str, Any]) -> dict[str, Any]:
    done = simulate_votes(
        campaign=campaign,
        n_raters=options["raters"],
        n_votes=options["votes"],
        seed=options["seed"],
        noise=options["noise"],
        now=timezone.now(),
    )
    return asdict(done)


def _points(text: str) -> float:
    try:
        points = float(text)
    except ValueError:
        points = math.nan
    if not 0 <= points <= 10:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points from 0 to 10")
    return points
