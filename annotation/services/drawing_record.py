"""What a campaign keeps of its drawing: candidates, planned and drawn by bucket and systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotation.pair_sampling.candidates import Candidates, Flags, Reals
from annotation.pair_sampling.drawing import Draw
from annotation.services.campaign_frame import Frame


def distribution(
    candidates: Candidates, frame: Frame, *, expected: Reals, strata: Any, is_drawn: Flags
) -> dict[str, Any]:
    """``buckets`` and ``system_pairs`` with candidates: how many there are, how many were planned
    (a real number, to two places) and how many were drawn."""
    n_system_pairs = frame_system_pairs(candidates)
    lefts, rights = np.triu_indices(candidates.n_systems, k=1)
    buckets = _counted(
        len(candidates.bucket_names), candidates.bucket, strata.bucket, expected, is_drawn
    )
    pairs = _counted(n_system_pairs, candidates.system_pair, strata.system_pair, expected, is_drawn)
    return {
        "buckets": [
            {"bucket": candidates.bucket_names[number], **counts}
            for number, counts in enumerate(buckets)
            if counts["n_candidates"]
        ],
        "system_pairs": [
            {"systems": [frame.labels[lefts[number]], frame.labels[rights[number]]], **counts}
            for number, counts in enumerate(pairs)
            if counts["n_candidates"]
        ],
    }


def frame_system_pairs(candidates: Candidates) -> int:
    return candidates.n_systems * (candidates.n_systems - 1) // 2


def wave_entry(draw: Draw, now: str) -> dict[str, Any]:
    return {"n": int(draw.chosen.size), "at": now}


def _counted(
    n_groups: int, of_candidate: Any, of_stratum: Any, expected: Reals, is_drawn: Flags
) -> list[dict[str, Any]]:
    n = np.bincount(of_candidate, minlength=n_groups)
    planned = np.bincount(of_stratum, weights=expected, minlength=n_groups)
    drawn = np.bincount(of_candidate[is_drawn], minlength=n_groups)
    return [
        {
            "n_candidates": int(n[number]),
            "n_planned": round(float(planned[number]), 2),
            "n_drawn": int(drawn[number]),
        }
        for number in range(n_groups)
    ]
