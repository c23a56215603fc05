"""Many judged answers: run as ``python -m performance._judged_cells N_JUDGMENTS`` with the site's
environment; makes the benchmark ``load`` whose cells two judges have judged."""

from __future__ import annotations

import sys
from typing import Any

import django
from django.db import connection, transaction
from django.utils import timezone

N_VARIANTS = 50
TRACKS = ("10k", "30k", "50k", "native")
TIERS = ("L1", "L2", "L3")
REASON = "The answer names the oven and the temperature, and leaves out how often it was measured. "
TEXT = "The sample anneals at 412 degrees after 12 minutes; the crystals were measured twice. "


def main(n_judgments: int) -> None:
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    with transaction.atomic():
        make(n_judgments // (2 * N_VARIANTS * len(TRACKS)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "VACUUM ANALYZE")


def make(n_questions: int) -> None:
    from evaluation.models import (
        Benchmark,
        Judge,
        Protocol,
        Question,
        Run,
        RunJudge,
        RunVariant,
        ScoreVector,
        Variant,
    )

    now = timezone.now()
    benchmark = Benchmark.objects.create(
        slug="load", revision="1" * 64, family="srb", title="Load", card={}, loaded_at=now,
        n_questions=n_questions,
    )  # fmt: skip
    questions = Question.objects.bulk_create(
        [
            Question(
                benchmark=benchmark, question_id=f"Q{place}", position=place, text="How hot is it?",
                slices={"tier": [TIERS[place % len(TIERS)]]}, data={},
            )
            for place in range(n_questions)
        ]
    )  # fmt: skip
    parts = {
        "budget_mode": "capped",
        "synthesizer": {"name": "extractive"},
        "seed": 1,
        "repeats": 1,
    }
    protocol = Protocol.objects.create(
        key="2" * 64, parts=parts, question_set="all", created_at=now
    )
    run = Run.objects.create(
        public_id="load", benchmark=benchmark, protocol=protocol, options={}, tracks=list(TRACKS),
        question_ids=[one.question_id for one in questions], created_at=now, finished_at=now,
    )  # fmt: skip
    judges = Judge.objects.bulk_create(
        [Judge(key=f"{n}" * 64, name=f"judge-{n}", parts={}, created_at=now) for n in range(2)]
    )
    RunJudge.objects.bulk_create(
        [RunJudge(run=run, judge=judge, position=place) for place, judge in enumerate(judges)]
    )
    variants = Variant.objects.bulk_create(
        [
            Variant(
                key=f"{place:064}", system=f"system-{place}", slug=f"system-{place}",
                label=f"system-{place}", modality=("dense", "hybrid")[place % 2],
                synthesis="shared", parts={}, created_at=now,
            )
            for place in range(N_VARIANTS)
        ]
    )  # fmt: skip
    members = RunVariant.objects.bulk_create(
        [
            RunVariant(run=run, variant=variant, position=place, tracks=list(TRACKS))
            for place, variant in enumerate(variants)
        ]
    )
    ScoreVector.objects.bulk_create(
        [
            ScoreVector(
                run_variant=member, track=track, judge=judge, measure="composite", values=[],
                n_cells=n_questions, n_scored=n_questions, n_unscored=0, n_errored=0, n_pending=0,
                n_not_applicable=0, updated_at=now,
            )
            for member in members
            for track in TRACKS
            for judge in judges
        ]
    )  # fmt: skip
    store(benchmark.pk, now)


def store(benchmark_id: int, now: Any) -> None:
    """Cells, answers and judgments; in quarters of a point, the second judge near the first."""
    tracks = " UNION ALL ".join(f"SELECT '{track}' AS name" for track in TRACKS)
    first = "(a.id * 131 + m.question_id * 17) %% 33"
    apart = "(a.id * 7 + m.question_id) %% 9"
    values = {"benchmark": benchmark_id, "now": now, "no": False, "text": TEXT * 6}
    values["reason"] = REASON * 4
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO evaluation_cell (run_variant_id, question_id, track, phase, repeat,"
            " state_label, not_applicable, answered_at)"
            " SELECT v.id, q.id, t.name, '', 0, '', '', %(now)s FROM evaluation_question q,"
            f" evaluation_runvariant v, ({tracks}) t WHERE q.benchmark_id = %(benchmark)s",
            values,
        )
        cursor.execute(
            "INSERT INTO evaluation_answer (cell_id, text, abstained, input_tokens, output_tokens,"
            " model_calls, synthesize_ms, created_at)"
            " SELECT id, %(text)s, %(no)s, 0, 0, 0, 0, %(now)s FROM evaluation_cell",
            values,
        )
        cursor.execute(
            "INSERT INTO evaluation_judgment (answer_id, judge_id, composite, scores, reason,"
            " unscored_reason, input_tokens, output_tokens, judge_ms, created_at)"
            f" SELECT a.id, j.id, CASE WHEN j.name = 'judge-0' THEN {first} / 4.0 + 1"
            f" ELSE ({first} + {apart}) / 4.0 END, '{{}}', %(reason)s, '', 0, 0, 0, %(now)s"
            " FROM evaluation_answer a JOIN evaluation_cell m ON m.id = a.cell_id,"
            " evaluation_judge j",
            values,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
