"""Campaigns made of runs as measuring leaves them, with scores and answers of one's choice."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign
from annotation.services.campaigns import create_campaign
from evaluation.models import Answer, Benchmark, Run
from tests.webapp.laboratory import make_benchmark, make_run

NOW = dt.datetime(2026, 5, 4, 9, 0, tzinfo=dt.UTC)
LATER = NOW + dt.timedelta(hours=1)
TRACK = "10k"
LABELS = ("bm25", "simple-rag@static", "orrery@static")
N_QUESTIONS = 12


def spread_scores(
    labels: Sequence[str] = LABELS, n_questions: int = N_QUESTIONS
) -> dict[str, list[float | None]]:
    """Scores from 0 to 10 in an irregular order, so that every bucket of gaps occurs."""
    return {
        label: [float((7 * place + 5 * number * (place + 1)) % 11) for place in range(n_questions)]
        for number, label in enumerate(labels)
    }


def scored_run(
    scores: Mapping[str, Sequence[float | None]] | None = None,
    *,
    benchmark: Benchmark | None = None,
    track: str = TRACK,
    **options: Any,
) -> Run:
    """A run at one track. Every answer has a text of its own that names no system."""
    chosen = spread_scores() if scores is None else scores
    n_questions = len(next(iter(chosen.values())))
    run = make_run(
        benchmark or make_benchmark(n_questions=n_questions),
        {label: {track: values} for label, values in chosen.items()},
        **options,
    )
    answers = list(answers_of(run).select_related("cell__question").order_by("pk"))
    for answer in answers:
        number = answer.cell.question.position
        answer.text = f"Paper {number} **anneals** at {number} degrees, in sample {answer.pk}."
    Answer.objects.bulk_update(answers, ["text"])
    return run


def tell_apart(run: Run) -> None:
    """Give each answer words of its own: small systems often answer alike."""
    for answer in answers_of(run):
        answer.text = f"{answer.text} That is sample {answer.pk}."
        answer.save(update_fields=["text"])


def answers_of(run: Run, label: str = "") -> Any:
    rows = Answer.objects.filter(cell__run_variant__run=run)
    return rows.filter(cell__run_variant__variant__label=label) if label else rows


def campaign_of(
    run: Run,
    *,
    name: str = "Glass vote",
    n_pairs: int = 9,
    track: str | None = None,
    judge: str | None = None,
    systems: Sequence[str] | None = None,
    **options: Any,
) -> Campaign:
    return create_campaign(
        name=name,
        run_ids=[run.public_id],
        options=CampaignOptions(n_pairs=n_pairs, **options),
        track=track,
        judge=judge,
        systems=systems,
        now=NOW,
    )
