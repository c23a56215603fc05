"""Reading the counted votes of a campaign as columns, with one judge's scores of its pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Case, F, FilteredRelation, IntegerField, Q, Value, When
from django.db.models.functions import Coalesce

from annotation.calibration.data import BOTH_BAD, CalibrationData
from annotation.models import Campaign, CampaignQuestion, CampaignSystem, Pair, Rater, Vote
from evaluation.statistics.calibration.pairs import Outcome

PEOPLE, SIMULATED, MODELS = "people", "simulated raters", "language models"
_KINDS = {
    PEOPLE: (Rater.ANONYMOUS, Rater.SIGNED_IN, Rater.IMPORTED),
    SIMULATED: (Rater.SIMULATED,),
    MODELS: (Rater.MODEL,),
}
MISSING = -1
BATCH = 20_000


@dataclass(frozen=True, slots=True)
class VotersRead:
    """Whose votes a report is made of: one of the three, never two of them together."""

    name: str

    @property
    def kinds(self) -> tuple[str, ...]:
        return _KINDS[self.name]


def voters_of(campaign: Campaign) -> VotersRead:
    """Simulated raters in a simulated campaign; language models where nobody else voted."""
    if campaign.is_simulated:
        return VotersRead(SIMULATED)
    kinds = set(campaign.raters.values_list("kind", flat=True).distinct())
    return VotersRead(MODELS if kinds == {Rater.MODEL} else PEOPLE)


def calibration_data(
    campaign: Campaign, *, judge_id: int | None, with_excluded: bool = False
) -> CalibrationData:
    """Checks, surplus votes and votes of the unblinded are never read; those of excluded raters
    only ``with_excluded``. Systems, questions and raters come in the order of their rows, raters
    up to the last one with a vote here: whoever joins and has not voted changes nothing."""
    vote_pair, vote_rater, vote_label, vote_left, vote_reveals = _votes(campaign, with_excluded)
    pairs = _pairs(campaign, judge_id)
    is_voted_on = np.isin(pairs["pk"], vote_pair)
    pairs = pairs[is_voted_on]
    systems = _named(CampaignSystem.objects.filter(campaign=campaign), "label")
    questions = _named(CampaignQuestion.objects.filter(campaign=campaign), "key")
    last_rater = int(vote_rater.max()) if len(vote_rater) else 0
    raters = _named(Rater.objects.filter(campaign=campaign, pk__lte=last_rater), "pseudonym")
    return CalibrationData(
        systems=tuple(systems.values()),
        questions=tuple(questions.values()),
        raters=tuple(raters.values()),
        pair_id=pairs["pk"],
        pair_question=_codes(pairs["question"], questions),
        pair_first=_codes(pairs["first"], systems),
        pair_second=_codes(pairs["second"], systems),
        pair_first_score=pairs["first_score"],
        pair_second_score=pairs["second_score"],
        pair_first_chars=pairs["first_chars"],
        pair_second_chars=pairs["second_chars"],
        pair_probability=pairs["probability"],
        vote_pair=np.searchsorted(pairs["pk"], vote_pair),
        vote_rater=_codes(vote_rater, raters),
        vote_label=vote_label,
        vote_left_is_first=vote_left,
        vote_reveals=vote_reveals,
    )


def _votes(campaign: Campaign, with_excluded: bool) -> Any:
    is_read = Q(slot__isnull=False)
    if with_excluded:
        is_read |= Q(not_counted=Vote.EXCLUDED)
    rows = (
        Vote.objects.filter(is_read, campaign=campaign, rater__kind__in=voters_of(campaign).kinds)
        .order_by("pk")
        .values_list("pair_id", "rater_id", _label(), "left_is_first", "n_reveals_seen")
    )
    return _table(rows, [(str(place), np.int64) for place in range(5)], as_columns=True)


def _pairs(campaign: Campaign, judge_id: int | None) -> Any:
    rows = (
        Pair.objects.on_vote()
        .filter(campaign=campaign)
        .annotate(of_judge=FilteredRelation("scores", condition=Q(scores__judge=judge_id)))
        .order_by("pk")
        .values_list(
            "pk",
            "question_id",
            "first_system_id",
            "second_system_id",
            _or_missing("of_judge__first_hundredths"),
            _or_missing("of_judge__second_hundredths"),
            _or_missing("first_text__n_chars"),
            _or_missing("second_text__n_chars"),
            Coalesce(F("inclusion_probability"), Value(0.0)),
        )
    )
    names = (
        "pk", "question", "first", "second", "first_score", "second_score", "first_chars",
        "second_chars",
    )  # fmt: skip
    return _table(rows, [*((name, np.int64) for name in names), ("probability", np.float64)])


def _or_missing(column: str) -> Coalesce:
    return Coalesce(F(column), Value(MISSING))


def _label() -> Case:
    first, second = Value(int(Outcome.FIRST)), Value(int(Outcome.SECOND))
    return Case(
        When(choice=Vote.TIE, then=Value(int(Outcome.TIE))),
        When(choice=Vote.BOTH_BAD, then=Value(BOTH_BAD)),
        When(choice=Vote.A, left_is_first=True, then=first),
        When(choice=Vote.B, left_is_first=False, then=first),
        default=second,
        output_field=IntegerField(),
    )


def _table(rows: Any, columns: list[tuple[str, type]], *, as_columns: bool = False) -> Any:
    """Rows of the database as one array with named columns, or as the columns themselves."""
    table = np.fromiter(rows.iterator(chunk_size=BATCH), dtype=columns)
    return [np.ascontiguousarray(table[name]) for name, _ in columns] if as_columns else table


def _named(rows: Any, column: str) -> dict[int, str]:
    return dict(rows.order_by("pk").values_list("pk", column))


def _codes(keys: Any, named: Iterable[int]) -> Any:
    """The place of each row id among the named ones, which rise."""
    return np.searchsorted(np.fromiter(named, dtype=np.int64), keys)
