"""``manage.py create_campaign NAME --runs R``: a blinded vote on pairs of answers."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.blinding.instructions import DEFAULT_CONSENT
from annotation.campaign_options import POLICIES, CampaignOptions
from annotation.management.campaign_report import campaign_lines
from annotation.management.door import CampaignDoor
from annotation.management.option_values import KNOWN, read_options
from annotation.services.campaign_control import open_campaign
from annotation.services.campaigns import create_campaign
from evaluation.management.door import whole_number, words

DEFAULTS = CampaignOptions()


class Command(CampaignDoor):
    help = (
        "Draw pairs of answers from finished runs and make a blinded vote of them. The campaign is "
        "a draft until it is opened. Prints the link's path and what was drawn."
    )
    examples = (
        'create_campaign "First vote" --runs 3fa9c2d41e --pairs 120 --overlap 3 --open',
        "create_campaign budgets --runs 3fa9c2d41e,77b0c1d2e3 --track 10k --policy active",
        "create_campaign demo --runs 3fa9c2d41e --set attention_every=10 --set reveal=never",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument(
            "--runs", type=words, required=True, metavar="R", help="ids, separated by commas"
        )
        parser.add_argument(
            "--track", metavar="T", help="default: the budget at which most was answered"
        )
        parser.add_argument(
            "--pairs", type=whole_number(least=1), default=DEFAULTS.n_pairs, metavar="N",
            help=f"default {DEFAULTS.n_pairs}",
        )  # fmt: skip
        parser.add_argument(
            "--overlap", type=whole_number(least=1), default=DEFAULTS.overlap, metavar="K",
            help=f"votes wanted for a pair (default {DEFAULTS.overlap})",
        )  # fmt: skip
        parser.add_argument(
            "--policy", choices=POLICIES, default=DEFAULTS.policy,
            help=f"how pairs are drawn (default {DEFAULTS.policy})",
        )  # fmt: skip
        parser.add_argument(
            "--seed", type=int, default=DEFAULTS.seed, metavar="N", help=f"default {DEFAULTS.seed}"
        )
        parser.add_argument(
            "--judge", metavar="J", help="the reference judge; default: the first run's first"
        )
        parser.add_argument(
            "--systems", type=words, metavar="a,b", help="labels; default: all but the base model"
        )
        parser.add_argument("--tiers", type=words, default=(), metavar="L1,…")
        parser.add_argument(
            "--with-base-model", action="store_true", help="draw pairs with the base model too"
        )
        parser.add_argument(
            "--set", action="append", default=[], metavar="OPTION=VALUE",
            help=f"any other option: {', '.join(KNOWN)}",
        )  # fmt: skip
        parser.add_argument(
            "--simulated", action="store_true", help="for simulated raters only, and labelled so"
        )
        parser.add_argument("--open", action="store_true", help="open it at once")

    def enter(self, options: dict[str, Any]) -> None:
        chosen = {
            "consent": DEFAULT_CONSENT,
            "policy": options["policy"],
            "n_pairs": options["pairs"],
            "overlap": options["overlap"],
            "seed": options["seed"],
            **read_options(options["set"]),
        }
        campaign = create_campaign(
            name=options["name"],
            run_ids=options["runs"],
            options=CampaignOptions(**chosen),
            track=options["track"],
            judge=options["judge"],
            systems=options["systems"],
            tiers=options["tiers"],
            with_base_model=options["with_base_model"],
            is_simulated=options["simulated"],
            now=timezone.now(),
        )
        if options["open"]:
            campaign = open_campaign(campaign=campaign, by=None, now=timezone.now())
        self.stdout.write("\n".join(campaign_lines(campaign, now=timezone.now())))
