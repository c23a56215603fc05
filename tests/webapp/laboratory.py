"""Measured boards without measuring: rows as a run leaves them, with scores of one's choice."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from django.utils import timezone

from evaluation.models import (
    Answer,
    Benchmark,
    Cell,
    Judge,
    Judgment,
    Protocol,
    Question,
    Retrieval,
    Run,
    RunJudge,
    RunVariant,
    Variant,
)
from evaluation.records import Card
from evaluation.services.aggregates import refresh_run
from evaluation.services.storage import pack_json

Scores = Mapping[str, Mapping[str, Sequence[float | None]]]
"""Variant label → track → a score a question, None for unscored."""

TIERS = ("L1", "L2", "L3")
TYPES = ("factual", "synthesis")
CHARS = {"10k": 9_900, "30k": 29_700, "50k": 49_500, "native": 19_800}
ANCHORS = {"base-model", "direct-read", "in-context", "oracle-context"}
STARTED = dt.datetime(2026, 3, 1, 9, 0, tzinfo=dt.UTC)


def make_benchmark(
    slug: str = "glass", *, n_questions: int = 24, title: str = "Glass"
) -> Benchmark:
    """Questions GQ1, GQ2 …, tiers and types taking turns."""
    card = Card(slug=slug, title=title, family="scientific", licence="MIT", citation="", source="")
    benchmark = Benchmark.objects.create(
        slug=slug,
        revision=hashlib.sha256(f"{slug} {n_questions}".encode()).hexdigest(),
        family=card.family,
        title=card.title,
        card=asdict(card),
        n_documents=12,
        n_questions=n_questions,
        loaded_at=timezone.now(),
    )
    Question.objects.bulk_create(
        [_question(benchmark, number) for number in range(1, n_questions + 1)]
    )
    return benchmark


def make_run(
    benchmark: Benchmark,
    scores: Scores,
    *,
    judges: Sequence[str] = ("rubric",),
    question_set: str = "all",
    synthesizer: str = "extractive",
    seed: int = 1,
    is_finished: bool = True,
    origin: str = Run.MEASURED,
    created_at: dt.datetime = STARTED,
) -> Run:
    """One run whose cells are answered and, where there is a score, judged so by every judge."""
    parts = {
        "benchmark_revision": benchmark.revision, "question_set": question_set,
        "synthesizer": {"synthesizer": synthesizer}, "seed": seed, "repeats": 1,
        "budget_mode": "capped",
    }  # fmt: skip
    protocol, _ = Protocol.objects.get_or_create(
        key=_key(parts),
        defaults={"parts": parts, "question_set": question_set, "created_at": created_at},
    )
    questions = list(Question.objects.filter(benchmark=benchmark).order_by("position"))
    run = Run.objects.create(
        public_id=_key([benchmark.slug, parts, sorted(scores), str(created_at)])[:10],
        benchmark=benchmark,
        protocol=protocol,
        origin=origin,
        options={},
        question_ids=[question.question_id for question in questions],
        tracks=sorted({track for of in scores.values() for track in of}),
        created_at=created_at,
        started_at=created_at,
        finished_at=created_at + dt.timedelta(minutes=3) if is_finished else None,
    )
    rows = [_judge(name) for name in judges]
    for position, judge in enumerate(rows):
        RunJudge.objects.create(run=run, judge=judge, position=position)
    for position, (label, of) in enumerate(scores.items()):
        run_variant = _run_variant(run, label, position, sorted(of))
        for track, values in of.items():
            _cells(run_variant, track, questions, values, rows)
    refresh_run(run=run)
    return run


def variant_named(label: str) -> Variant:
    """``simple-rag+bm25@static`` is a hybrid with the static embedder."""
    slug, _, embedder = label.partition("@")
    system = slug.removesuffix("+bm25")
    is_anchor = system in ANCHORS
    modality = "hybrid" if slug != system else "lexical" if system == "bm25" else "dense"
    variant, _ = Variant.objects.get_or_create(
        key=_key(label),
        defaults={
            "system": system,
            "slug": slug,
            "label": label,
            "modality": "none" if is_anchor else modality,
            "synthesis": "internal" if system in ("prism", "cognee") else "shared",
            "is_anchor": is_anchor,
            "embedder": embedder,
            "parts": {},
            "created_at": STARTED,
        },
    )
    return variant


def _question(benchmark: Benchmark, number: int) -> Question:
    slices = {"tier": [TIERS[number % 3]], "type": [TYPES[number % 2]]}
    question_id, text = f"GQ{number}", f"What does paper {number} say about annealing?"
    return Question(
        benchmark=benchmark,
        question_id=question_id,
        position=number,
        text=text,
        slices=slices,
        data={
            "id": question_id, "text": text, "slices": slices, "source_ids": [], "holdout": False,
            "expectations": {
                "main": {
                    "gold_answer": f"It anneals at {number} degrees.",
                    "facts": [{"text": f"It is {number} degrees.", "keys": [], "spans": []}],
                }
            },
        },
    )  # fmt: skip


def _judge(name: str) -> Judge:
    judge, _ = Judge.objects.get_or_create(
        key=_key(["judge", name]),
        defaults={"name": name, "is_proxy": name == "rubric", "parts": {}, "created_at": STARTED},
    )
    return judge


def _run_variant(run: Run, label: str, position: int, tracks: list[str]) -> RunVariant:
    return RunVariant.objects.create(
        run=run, variant=variant_named(label), position=position, tracks=tracks, store_key=""
    )


def _cells(
    run_variant: RunVariant,
    track: str,
    questions: Sequence[Question],
    values: Sequence[float | None],
    judges: Sequence[Judge],
) -> None:
    cells = Cell.objects.bulk_create(
        [
            Cell(
                run_variant=run_variant, question=question, track=track, phase="main",
                state_label="main", answered_at=STARTED,
                requested_chars=None if track == "native" else int(track.removesuffix("k")) * 1000,
            )
            for question in questions
        ]
    )  # fmt: skip
    if run_variant.variant.system != "base-model":
        Retrieval.objects.bulk_create(
            [
                Retrieval(
                    cell=cell, achieved_chars=CHARS[track], n_units=20, retrieve_ms=1.5,
                    layout=pack_json({"template": "1", "units": []}),
                )
                for cell in cells
            ]
        )  # fmt: skip
    answers = Answer.objects.bulk_create(
        [
            Answer(cell=cell, text="It **anneals**.", cost_usd=0.0, created_at=STARTED)
            for cell in cells
        ]
    )
    Judgment.objects.bulk_create(
        [
            Judgment(
                answer=answer, judge=judge, composite=value, cost_usd=0.0, created_at=STARTED,
                reason="" if value is None else "It names the temperature.",
                unscored_reason="the reply could not be read" if value is None else "",
            )
            for judge in judges
            for answer, value in zip(answers, values, strict=True)
        ]
    )  # fmt: skip


def _key(parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
