"""All numbers of a calibration report, from its data and settings alone: the page shows them, the
exports carry them, and whoever has the bundle can compute them again.

Every section is a dict of plain values, or ``{"undefined": sentence}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from annotation.calibration.data import CalibrationData
from annotation.calibration.settings import CalibrationSettings
from evaluation.statistics.calibration.decisive import DecisiveAgreement, decisive_agreement
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

REPORT_VERSION: Final = 2
"""Raised by hand when the same votes would give other data or numbers."""
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
    made = _Computation(*data.tables(), settings)
    return {
        "counts": counts(data),
        **{name: section(partial(SECTIONS[name], made)) for name in SECTIONS if name in wanted},
    }


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
    one = value.item() if isinstance(value, np.generic) else value
    return one + 0.0 if isinstance(one, float) else one  # a database may not keep the sign of -0.0


class _Computation:
    """The tables, and what several sections read."""

    def __init__(self, pairs: PairTable, votes: VoteTable, settings: CalibrationSettings) -> None:
        self.pairs, self.votes, self.settings = pairs, votes, settings

    def draws(self, name: str) -> dict[str, Any]:
        """The arguments of a section's bootstrap."""
        rng = np.random.default_rng([self.settings.seed, list(SECTIONS).index(name)])
        return {"rng": rng, "n_resamples": self.settings.n_resamples}

    @cached_property
    def decisive(self) -> DecisiveAgreement:
        return decisive_agreement(
            self.pairs,
            votes=self.votes,
            edges_hundredths=self.settings.edges_hundredths,
            **self.draws("decisive"),
        )


def _decisive(made: _Computation) -> Any:
    return made.decisive


def _tolerance(made: _Computation) -> Any:
    return tolerance_curve(made.pairs, **made.draws("tolerance"))


def _resolution(made: _Computation) -> Any:
    agreement = made.settings.agreement
    found = resolution(made.pairs, agreement=agreement, **made.draws("resolution"))
    return {**plain(found), "sentence": found.sentence}


def _systems(made: _Computation) -> Any:
    return system_records(count_outcomes(made.pairs), **made.draws("systems"))


def _bradley_terry(made: _Computation) -> Any:
    return _ratings(made, Model.BRADLEY_TERRY, "bradley_terry")


def _newman(made: _Computation) -> Any:
    return _ratings(made, Model.NEWMAN, "newman")


def _ratings(made: _Computation, model: Model, name: str) -> Any:
    def rated(unit: Unit) -> Any:
        return rate_systems(count_outcomes(made.pairs, unit=unit), model=model, **made.draws(name))

    return {unit.value: section(partial(rated, unit)) for unit in (Unit.PAIR, Unit.VOTE)}


def _ranks(made: _Computation) -> Any:
    return rank_agreement(made.pairs, **made.draws("ranks"))


def _raters(made: _Computation) -> Any:
    n_pairs = made.pairs.n_pairs
    return {
        "together": section(lambda: rater_agreement(made.votes, n_pairs=n_pairs)),
        "each": plain(raters_against_others(made.votes, n_pairs=n_pairs)),
    }


def _biases(made: _Computation) -> Any:
    return {
        "left_share": section(lambda: left_share(made.votes)),
        "length": section(lambda: length_bias(made.pairs)),
        "by_reveals": section(lambda: agreement_by_reveals(made.pairs, made.votes)),
    }


def _stopping(made: _Computation) -> Any:
    return stopping_hint(made.decisive.buckets, target_width=made.settings.target_width)


SECTIONS: Final[Mapping[str, Callable[[_Computation], Any]]] = {
    "decisive": _decisive,
    "tolerance": _tolerance,
    "resolution": _resolution,
    "systems": _systems,
    "bradley_terry": _bradley_terry,
    "newman": _newman,
    "ranks": _ranks,
    "raters": _raters,
    "biases": _biases,
    "stopping": _stopping,
}
