"""The frame of a campaign: every answer that may be drawn, with the reference judge's score."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Max, Q

from annotation.pair_sampling.candidates import (
    ABSENT,
    UNSCORED,
    Candidates,
    Integers,
    candidate_pairs,
)
from annotation.pair_sampling.scores import hundredths
from annotation.services.campaign_runs import NotOfTheRuns
from evaluation.models import Answer, Judge, Judgment, Question, Run, Variant

BASE_MODEL = "base-model"
MOST_IN_A_QUERY = 1000


@dataclass(frozen=True, slots=True)
class FrameChoice:
    """What the lead narrowed the frame to, kept with the campaign so that later waves are drawn
    from the same one. ``systems``: labels; None: all but the base model, which is only in where
    ``with_base_model`` or named. ``tiers``: none means all. ``last_answer`` and ``last_judgment``
    are the newest rows at the making: what comes later stays outside. ``without_identical``: pairs
    of two equal answers are left out; not in campaigns that were made before this was so."""

    systems: tuple[str, ...] | None = None
    tiers: tuple[str, ...] = ()
    with_base_model: bool = False
    last_answer: int = 0
    last_judgment: int = 0
    without_identical: bool = False

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> FrameChoice:
        systems = stored["systems"]
        return cls(
            **{
                **stored,
                "systems": None if systems is None else tuple(systems),
                "tiers": tuple(stored["tiers"]),
            }
        )


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """``labels`` and ``variants`` are the columns, ``asks`` (question row, phase) the rows of
    ``answers`` (row ids, 0: none) and ``scores`` (hundredths, ABSENT or UNSCORED). ``texts``: the
    same number where answers read the same; None: it does not matter."""

    labels: tuple[str, ...]
    variants: tuple[int, ...]
    asks: tuple[tuple[int, str], ...]
    answers: Integers
    scores: Integers
    texts: Integers | None = None

    def candidates(self, edges: Sequence[float]) -> Candidates:
        return candidate_pairs(self.scores, [round(edge * 100) for edge in edges], self.texts)


def now_newest(choice: FrameChoice) -> FrameChoice:
    """The choice as it is made now: with the newest answer and judgment of this moment."""
    return FrameChoice(
        systems=choice.systems,
        tiers=choice.tiers,
        with_base_model=choice.with_base_model,
        last_answer=Answer.objects.aggregate(last=Max("pk"))["last"] or 0,
        last_judgment=Judgment.objects.aggregate(last=Max("pk"))["last"] or 0,
        without_identical=True,
    )


def read_frame(*, runs: Sequence[Run], track: str, judge: Judge, choice: FrameChoice) -> Frame:
    """Answers of repeat 0 at the track. Where two runs measured one variant, the newer answer is
    taken; imported results without an answer's text are left out. Raises NotOfTheRuns for a
    system or tier that is not there."""
    own = Answer.objects.filter(
        cell__run_variant__run__in=runs,
        cell__track=track,
        cell__repeat=0,
        pk__lte=choice.last_answer,
    )
    rows: list[tuple[Any, ...]] = list(
        own.exclude(Q(text="") & Q(cell__run_variant__run__origin=Run.IMPORTED))
        .order_by("cell__run_variant__run__created_at", "cell__run_variant__run__pk", "pk")
        .values_list(
            "pk",
            "cell__run_variant__variant",
            "cell__question",
            "cell__question__position",
            "cell__phase",
        )
    )
    labels = _labels(Variant.objects.filter(pk__in={row[1] for row in rows}))
    kept = _kept_variants(labels, choice)
    asked = _questions_of(choice.tiers, {row[2] for row in rows})
    found = {
        (variant, (position, question, phase)): answer
        for answer, variant, question, position, phase in rows
        if variant in kept and question in asked
    }
    variants = tuple(
        sorted({variant for variant, _ in found}, key=lambda variant: (labels[variant], variant))
    )
    asks = sorted({ask for _, ask in found})
    column = {variant: number for number, variant in enumerate(variants)}
    row_of = {ask: number for number, ask in enumerate(asks)}
    answers = np.zeros((len(asks), len(variants)), dtype=np.int64)
    for (variant, ask), answer in found.items():
        answers[row_of[ask], column[variant]] = answer
    return Frame(
        labels=tuple(labels[variant] for variant in variants),
        variants=variants,
        asks=tuple((question, phase) for _, question, phase in asks),
        answers=answers,
        scores=_scores(answers, judge, choice.last_judgment),
        texts=_texts(answers, own) if choice.without_identical else None,
    )


def _labels(variants: Any) -> dict[int, str]:
    """Variant → its label; where two share one, the start of the key follows."""
    rows = list(variants.values_list("pk", "label", "key"))
    shared = Counter(label for _, label, _ in rows)
    return {
        pk: label if shared[label] == 1 else f"{label[:190]}#{key[:8]}" for pk, label, key in rows
    }


def _kept_variants(labels: dict[int, str], choice: FrameChoice) -> set[int]:
    if choice.systems is not None:
        known = sorted(labels.values())
        for label in choice.systems:
            if label not in known:
                raise NotOfTheRuns("system", label, known)
        return {pk for pk, label in labels.items() if label in choice.systems}
    if choice.with_base_model:
        return set(labels)
    base_models = Variant.objects.filter(pk__in=labels, system=BASE_MODEL)
    return set(labels) - set(base_models.values_list("pk", flat=True))


def _questions_of(tiers: Sequence[str], questions: set[int]) -> set[int]:
    """Those of the questions that are in one of the tiers; all of them where none is named."""
    if not tiers:
        return questions
    slices = Question.objects.filter(pk__in=questions).values_list("pk", "slices")
    by_question = {pk: set(of.get("tier", ())) for pk, of in slices}
    known = sorted(set().union(*by_question.values()))
    for tier in tiers:
        if tier not in known:
            raise NotOfTheRuns("tier", tier, known)
    return {pk for pk, of in by_question.items() if of & set(tiers)}


def _texts(answers: Integers, own: Any) -> Integers:
    """A number for each text; texts that differ in nothing but white space have the same."""
    number_of: dict[bytes, int] = {}
    of_answer = {
        answer: number_of.setdefault(_digest(text), len(number_of))
        for answer, text in own.values_list("pk", "text").iterator(chunk_size=500)
    }
    table = np.full(answers.shape, -1, dtype=np.int64)
    for place in zip(*np.nonzero(answers), strict=True):
        table[place] = of_answer[int(answers[place])]
    return table


def _digest(text: str) -> bytes:
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).digest()


def _scores(answers: Integers, judge: Judge, last_judgment: int) -> Integers:
    """Asked by numbers of answers: a join right after a run was stored, before the server knows
    how large it is, may take minutes."""
    judgments = Judgment.objects.filter(judge=judge, composite__isnull=False, pk__lte=last_judgment)
    own = answers[answers != 0].tolist()
    by_answer = {
        answer: composite
        for start in range(0, len(own), MOST_IN_A_QUERY)
        for answer, composite in judgments.filter(
            answer__in=own[start : start + MOST_IN_A_QUERY]
        ).values_list("answer", "composite")
    }
    table = np.full(answers.shape, UNSCORED, dtype=np.int64)
    for place in zip(*np.nonzero(answers), strict=True):
        score = hundredths(by_answer.get(int(answers[place])))
        if score is not None:
            table[place] = score
    table[answers == 0] = ABSENT
    return table
