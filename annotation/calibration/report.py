"""All numbers of a calibration report, from its data and settings alone: the page shows them, the
exports carry them, and whoever has the bundle can compute them again.

Every section is a dict of plain values, or ``{"undefined": sentence}``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from typing import Any, Final

import numpy as np

from annotation.calibration.data import CalibrationData
from annotation.calibration.settings import CalibrationSettings
from evaluation.statistics.calibration.decisive import decisive_agreement
from evaluation.statistics.calibration.length import length_bias
from evaluation.statistics.calibration.outcomes import Unit, count_outcomes
from evaluation.statistics.calibration.pairs import Outcome, PairTable
from evaluation.statistics.calibration.position import agreement_by_reveals, left_share
from evaluation.statistics.calibration.rank_agreement import rank_agreement
from evaluation.statistics.calibration.raters import rater_agreement, raters_against_others
from evaluation.statistics.calibration.ratings import Model, rate_systems
from evaluation.statistics.calibration.records import system_records
from evaluation.statistics.calibration.resolution import resolution
from evaluation.statistics.calibration.stopping import stopping_hint
from evaluation.statistics.calibration.tolerance import tolerance_curve
from evaluation.statistics.calibration.votes import VoteTable
from evaluation.statistics.refusals import StatisticUndefined

REPORT_VERSION: Final = 1
"""Raised by hand when the same data would give other numbers."""
NO_VOTES = "There is no counted vote yet."
LEFT_OUT: Final = frozenset({"replicates"})
"""Draws behind an interval: large, and fixed by the seed."""

Compute = Callable[[], Any]


def compute_report(
    data: CalibrationData, settings: CalibrationSettings, *, only: Sequence[str] = ()
) -> dict[str, Any]:
    """Section → its values, of all sections or of those named. The seed fixes all draws, each
    section having its own."""
    wanted = tuple(only) or tuple(SECTIONS)
    if not len(data.vote_pair):
        return {"counts": counts(data), **{name: {"undefined": NO_VOTES} for name in wanted}}
    pairs, votes = data.tables()
    sections = {
        name: section(partial(SECTIONS[name], pairs, votes, settings, place))
        for place, name in enumerate(SECTIONS)
        if name in wanted
    }
    return {"counts": counts(data), **sections}


def counts(data: CalibrationData) -> dict[str, Any]:
    by_label = np.bincount(data.vote_label, minlength=4)
    return {
        "n_pairs": len(data.pair_id),
        "n_votes": len(data.vote_pair),
        "n_raters": len(np.unique(data.vote_rater)),
        "n_questions": len(np.unique(data.pair_question)),
        "n_systems": len(np.unique(np.concatenate((data.pair_first, data.pair_second)))),
        "n_ties": int(by_label[Outcome.TIE]),
        "n_both_bad": int(by_label[3]),
        "is_drawn": data.is_drawn,
    }


def section(compute: Compute) -> dict[str, Any]:
    try:
        value = plain(compute())
    except StatisticUndefined as refusal:
        return {"undefined": str(refusal)}
    return value if isinstance(value, dict) else {"rows": value}


def plain(value: Any) -> Any:
    """Frozen results as dicts, lists, numbers, texts and None."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value) if field.name not in LEFT_OUT]
        labels = ("label",) if isinstance(getattr(type(value), "label", None), property) else ()
        return {name: plain(getattr(value, name)) for name in (*names, *labels)}
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    return value.item() if isinstance(value, np.generic) else value


def _rng(settings: CalibrationSettings, place: int) -> np.random.Generator:
    return np.random.default_rng([settings.seed, place])


def _decisive(pairs: PairTable, votes: VoteTable, settings: CalibrationSettings, place: int) -> Any:
    return decisive_agreement(
        pairs,
        rng=_rng(settings, place),
        votes=votes,
        edges_hundredths=settings.edges_hundredths,
        n_resamples=settings.n_resamples,
    )


def _tolerance(pairs: PairTable, _: VoteTable, settings: CalibrationSettings, place: int) -> Any:
    return tolerance_curve(pairs, rng=_rng(settings, place), n_resamples=settings.n_resamples)


def _resolution(pairs: PairTable, _: VoteTable, settings: CalibrationSettings, place: int) -> Any:
    found = resolution(
        pairs,
        rng=_rng(settings, place),
        agreement=settings.agreement,
        n_resamples=settings.n_resamples,
    )
    return {**plain(found), "sentence": found.sentence}


def _systems(pairs: PairTable, _: VoteTable, settings: CalibrationSettings, place: int) -> Any:
    return system_records(
        count_outcomes(pairs), rng=_rng(settings, place), n_resamples=settings.n_resamples
    )


def _rated(
    pairs: PairTable, settings: CalibrationSettings, place: int, model: Model, unit: Unit
) -> Any:
    return rate_systems(
        count_outcomes(pairs, unit=unit),
        model=model,
        rng=_rng(settings, place),
        n_resamples=settings.n_resamples,
    )


def _ratings(model: Model) -> Callable[..., Any]:
    def rated(pairs: PairTable, _: VoteTable, settings: CalibrationSettings, place: int) -> Any:
        return {
            unit.value: section(partial(_rated, pairs, settings, place, model, unit))
            for unit in (Unit.PAIR, Unit.VOTE)
        }

    return rated


def _ranks(pairs: PairTable, _: VoteTable, settings: CalibrationSettings, place: int) -> Any:
    return rank_agreement(pairs, rng=_rng(settings, place), n_resamples=settings.n_resamples)


def _raters(pairs: PairTable, votes: VoteTable, _: CalibrationSettings, __: int) -> Any:
    return {
        "together": section(lambda: rater_agreement(votes, n_pairs=pairs.n_pairs)),
        "each": plain(raters_against_others(votes, n_pairs=pairs.n_pairs)),
    }


def _biases(pairs: PairTable, votes: VoteTable, _: CalibrationSettings, __: int) -> Any:
    return {
        "left_share": section(lambda: left_share(votes)),
        "length": section(lambda: length_bias(pairs)),
        "by_reveals": section(lambda: agreement_by_reveals(pairs, votes)),
    }


def _stopping(pairs: PairTable, votes: VoteTable, settings: CalibrationSettings, _: int) -> Any:
    place = list(SECTIONS).index("decisive")
    buckets = _decisive(pairs, votes, settings, place).buckets
    return stopping_hint(buckets, target_width=settings.target_width)


SECTIONS: Final[dict[str, Callable[..., Any]]] = {
    "decisive": _decisive,
    "tolerance": _tolerance,
    "resolution": _resolution,
    "systems": _systems,
    "bradley_terry": _ratings(Model.BRADLEY_TERRY),
    "newman": _ratings(Model.NEWMAN),
    "ranks": _ranks,
    "raters": _raters,
    "biases": _biases,
    "stopping": _stopping,
}
