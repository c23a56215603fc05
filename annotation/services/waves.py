"""The later draws of an active campaign, while votes come in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import F

from annotation.blinding.identities import scanned_names
from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignTally, Pair
from annotation.pair_sampling.candidates import Candidates, Flags, Integers
from annotation.pair_sampling.drawing import ACTIVE, Draw, draw_wave, generator
from annotation.services.answer_scans import AnswerScanner
from annotation.services.audit import SITE, record
from annotation.services.campaign_frame import Frame, FrameChoice, read_frame
from annotation.services.campaign_identities import identities_of_runs
from annotation.services.campaign_runs import judges_of
from annotation.services.drawing_record import distribution, wave_entry
from annotation.services.pair_building import drawn_pairs, prepare_pairs, store_pairs
from annotation.services.pair_scores import store_pair_scores

WAVE_SHARE = 0.1
SMALLEST_WAVE, LARGEST_WAVE = 10, 50


@dataclass(frozen=True, slots=True, eq=False)
class DrawnSoFar:
    """The campaign's pairs and which candidate each is; ``votes`` counts their counted votes."""

    pairs: list[Pair]
    candidate: Integers
    is_drawn: Flags
    votes: Integers


@transaction.atomic
def draw_next_wave(*, campaign_id: int, now: datetime) -> int:
    """Draw more pairs of an active campaign, up to the planned number; returns how many.

    A wave is a tenth of the planned pairs, from 10 to 50. It looks at how many pairs of each
    bucket and of each pair of systems have votes, never at what the votes say. 0: the policy is
    another, or all was drawn. The inclusion probabilities of the earlier pairs are brought up to
    date as well, since a longer drawing makes each more likely (see ``draw_wave``).
    """
    CampaignTally.objects.select_for_update().get(pk=campaign_id)
    campaign = Campaign.objects.get(pk=campaign_id)
    options = CampaignOptions.from_json(campaign.options)
    n_left = options.n_pairs - int(campaign.sampling.get("n_drawn", options.n_pairs))
    if options.policy != ACTIVE or n_left <= 0 or campaign.judge is None:
        return 0
    runs = list(campaign.runs.order_by("created_at", "pk").select_related("protocol"))
    frame = read_frame(
        runs=runs,
        track=campaign.track,
        judge=campaign.judge,
        choice=FrameChoice.from_json(campaign.sampling["frame"]),
    )
    candidates = frame.candidates(options.gap_edges)
    before = _drawn_so_far(campaign, candidates, frame)
    draw = draw_wave(
        candidates,
        min(n_left, wave_size(options.n_pairs)),
        is_drawn=before.is_drawn,
        left_out=np.asarray(campaign.sampling["left_out"]),
        decided=before.votes,
        rng=generator(options.seed, wave=len(campaign.sampling["waves"])),
    )
    prepared = prepare_pairs(
        scan=AnswerScanner(
            benchmark_id=runs[0].benchmark_id, names=scanned_names(identities_of_runs(runs=runs))
        ),
        options=options,
        frame=frame,
        drawn=drawn_pairs(candidates, draw, frame),
    )
    by_variant = {system.variant_id: system for system in campaign.systems.all()}
    pairs = store_pairs(
        campaign=campaign,
        options=options,
        prepared=prepared,
        systems=[by_variant[variant] for variant in frame.variants],
        start=len(before.pairs),
        now=now,
    )
    store_pair_scores(pairs=pairs, judges=judges_of(runs))
    _restate(before, draw)
    campaign.sampling = _sampling(campaign.sampling, candidates, frame, draw, before, now)
    campaign.save(update_fields=["sampling"])
    CampaignTally.objects.filter(pk=campaign_id).update(version=F("version") + 1)
    detail = {"wave": len(campaign.sampling["waves"]), "n_pairs": len(pairs)}
    record(
        action="pairs drawn", by=None, campaign=campaign, detail=detail, now=now, actor_name=SITE
    )
    return len(pairs)


def wave_size(n_pairs: int) -> int:
    return min(LARGEST_WAVE, max(SMALLEST_WAVE, ceil(n_pairs * WAVE_SHARE)))


def _drawn_so_far(campaign: Campaign, candidates: Candidates, frame: Frame) -> DrawnSoFar:
    pairs = list(Pair.objects.on_vote().filter(campaign=campaign).order_by("position"))
    place = {
        int(answer): (row, column)
        for (row, column), answer in np.ndenumerate(frame.answers)
        if answer
    }
    n_systems = candidates.n_systems
    number = np.zeros((n_systems, n_systems), dtype=np.int64)
    number[np.triu_indices(n_systems, k=1)] = np.arange(n_systems * (n_systems - 1) // 2)
    wanted = []
    for pair in pairs:
        (row, one), (_, other) = place[pair.first_answer_id or 0], place[pair.second_answer_id or 0]
        wanted.append((row, int(number[min(one, other), max(one, other)])))
    width = n_systems * (n_systems - 1) // 2
    codes = candidates.question * width + candidates.system_pair
    rows = np.asarray(wanted, dtype=np.int64).reshape(-1, 2)
    found = np.searchsorted(codes, rows[:, 0] * width + rows[:, 1])
    is_drawn = np.zeros(len(candidates), dtype=bool)
    is_drawn[found] = True
    votes = np.zeros(len(candidates), dtype=np.int64)
    votes[found] = [pair.n_first + pair.n_second + pair.n_tie + pair.n_both_bad for pair in pairs]
    return DrawnSoFar(pairs, found, is_drawn, votes)


def _restate(before: DrawnSoFar, draw: Draw) -> None:
    probabilities = draw.inclusion_probabilities(before.candidate)
    for pair, probability in zip(before.pairs, probabilities, strict=True):
        pair.inclusion_probability = float(probability)
    Pair.objects.bulk_update(before.pairs, ["inclusion_probability"], batch_size=300)


def _sampling(
    old: dict[str, Any],
    candidates: Candidates,
    frame: Frame,
    draw: Draw,
    before: DrawnSoFar,
    now: datetime,
) -> dict[str, Any]:
    is_drawn = before.is_drawn.copy()
    is_drawn[draw.chosen] = True
    expected = np.asarray(old["expected"]) + draw.expected
    return {
        **old,
        "n_drawn": int(is_drawn.sum()),
        "waves": [*old["waves"], wave_entry(draw, now.isoformat())],
        "left_out": draw.left_out.tolist(),
        "expected": expected.tolist(),
        **distribution(candidates, frame, expected=expected, strata=draw.strata, is_drawn=is_drawn),
    }
