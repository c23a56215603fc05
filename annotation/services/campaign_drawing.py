"""The first draw of a campaign: the frame, the pairs, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from math import ceil
from typing import Any

import numpy as np

from annotation.blinding.identities import scanned_names
from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignSystem, Pair
from annotation.pair_sampling.candidates import Candidates
from annotation.pair_sampling.drawing import ACTIVE, Draw, draw_pairs, generator
from annotation.services.answer_scans import AnswerScanner
from annotation.services.campaign_checks import PreparedChecks, prepare_checks, store_checks
from annotation.services.campaign_frame import Frame, FrameChoice, read_frame
from annotation.services.campaign_identities import identities_of_runs
from annotation.services.drawing_record import distribution, wave_entry
from annotation.services.pair_building import (
    PreparedPairs,
    drawn_pairs,
    prepare_pairs,
    store_pairs,
)
from evaluation.models import Judge, Run

OF_CHECKS = 1_000_000
"""The number of the checks' own source of randomness, beyond that of any wave."""
FIRST_WAVE_SHARE = 0.3
"""Of an active campaign's pairs, drawn before anybody has voted, by the stratified policy."""


class TooFewPairs(Exception):
    """There are fewer pairs of answers than are asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class FirstDraw:
    """All that takes time, ready to be stored."""

    frame: Frame
    choice: FrameChoice
    candidates: Candidates
    draw: Draw
    prepared: PreparedPairs
    checks: PreparedChecks
    sampling: dict[str, Any]


def first_draw(
    *,
    runs: Sequence[Run],
    track: str,
    judge: Judge,
    options: CampaignOptions,
    choice: FrameChoice,
    now: datetime,
) -> FirstDraw:
    """Read the frame, draw, render and scan. Writes nothing but the cache of rendered texts.
    Raises NotOfTheRuns, TooFewPairs, NoChecksPossible."""
    frame = read_frame(runs=runs, track=track, judge=judge, choice=choice)
    candidates = frame.candidates(options.gap_edges)
    if len(candidates) < options.n_pairs:
        raise TooFewPairs(_too_few(candidates, frame, options, track))
    draw = draw_pairs(
        candidates, _n_first(options), policy=options.policy, rng=generator(options.seed)
    )
    scan = AnswerScanner(
        benchmark_id=runs[0].benchmark_id, names=scanned_names(identities_of_runs(runs=runs))
    )
    prepared = prepare_pairs(
        scan=scan,
        options=options,
        frame=frame,
        drawn=drawn_pairs(candidates, draw, frame),
    )
    checks = prepare_checks(
        frame=frame,
        options=options,
        is_clean=lambda content, text: not scan(content, text).needs_review,
        rng=generator(options.seed, wave=OF_CHECKS),
    )
    is_drawn = np.zeros(len(candidates), dtype=bool)
    is_drawn[draw.chosen] = True
    sampling = {
        "policy": options.policy,
        "seed": options.seed,
        "frame": asdict(choice),
        "n_systems": len(frame.labels),
        "n_questions": len(frame.asks),
        "n_candidates": len(candidates),
        "n_planned": options.n_pairs,
        "n_drawn": int(draw.chosen.size),
        "n_left_out_identical": candidates.n_identical,
        "checks": checks.as_json(),
        "waves": [wave_entry(draw, now.isoformat())],
        **distribution(
            candidates, frame, expected=draw.expected, strata=draw.strata, is_drawn=is_drawn
        ),
    }
    if options.policy == ACTIVE:
        sampling["left_out"] = draw.left_out.tolist()
        sampling["expected"] = draw.expected.tolist()
    return FirstDraw(frame, choice, candidates, draw, prepared, checks, sampling)


def store_first_draw(
    *, campaign: Campaign, options: CampaignOptions, drawn: FirstDraw, now: datetime
) -> list[Pair]:
    """Systems, questions, pairs and checks as rows, in the caller's transaction. Returns the
    pairs to vote on."""
    systems = CampaignSystem.objects.bulk_create(
        [
            CampaignSystem(campaign=campaign, label=label, variant_id=variant)
            for label, variant in zip(drawn.frame.labels, drawn.frame.variants, strict=True)
        ]
    )
    pairs = store_pairs(
        campaign=campaign,
        options=options,
        prepared=drawn.prepared,
        systems=systems,
        start=0,
        now=now,
    )
    store_checks(campaign=campaign, prepared=drawn.checks, now=now)
    return pairs


def _n_first(options: CampaignOptions) -> int:
    if options.policy != ACTIVE:
        return options.n_pairs
    return min(options.n_pairs, ceil(options.n_pairs * FIRST_WAVE_SHARE))


def _too_few(candidates: Candidates, frame: Frame, options: CampaignOptions, track: str) -> str:
    n, n_systems, n_asks = len(candidates), len(frame.labels), len(frame.asks)
    n_same = candidates.n_identical
    left_out = (
        f"; {n_same:,} more {'pair has' if n_same == 1 else 'pairs have'} two answers that read "
        "the same, and there is nothing to decide"
    )
    return (
        f"{options.n_pairs:,} pairs are asked for and {n:,} {'exists' if n == 1 else 'exist'}: "
        f"{n_systems} {'system has' if n_systems == 1 else 'systems have'} answered "
        f"{n_asks:,} {'question' if n_asks == 1 else 'questions'} at {track}"
        f"{left_out if n_same else ''}"
    )
