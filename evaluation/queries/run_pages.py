"""Reading runs: the list from their works, one run's progress from its cells."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Q, Sum

from evaluation.models import (
    Cell,
    CellError,
    DoctorFinding,
    Judgment,
    ModelRequest,
    Run,
    RunJudge,
)
from evaluation.queries.board_keys import synthesizer_name
from evaluation.queries.choices import NotFound
from evaluation.queries.run_stages import run_stages
from evaluation.queries.runs import (
    DoctorCheck,
    RunError,
    RunPage,
    RunRow,
    RunsPage,
    RunState,
    VariantProgress,
)

ROWS_A_PAGE = 30
SHOWN_ERRORS = 50


def runs_page(*, page: int = 1) -> RunsPage:
    """Newest first, 30 a page."""
    n_runs = Run.objects.count()
    n_pages = max(1, math.ceil(n_runs / ROWS_A_PAGE))
    shown = min(page, n_pages)
    rows = run_rows(Run.objects.newest_first()[(shown - 1) * ROWS_A_PAGE : shown * ROWS_A_PAGE])
    return RunsPage(rows=rows, page=shown, n_pages=n_pages, n_runs=n_runs)


def run_rows(runs: Iterable[Run]) -> tuple[RunRow, ...]:
    """Rows of the given runs in their order, in five queries however many there are."""
    listed = list(runs)
    ids = [run.pk for run in listed]
    full = {
        run.pk: run
        for run in Run.objects.filter(pk__in=ids)
        .select_related("benchmark", "protocol", "created_by")
        .annotate(n_variants=Count("run_variants"))
    }
    cells = Cell.objects.filter(run_variant__run__in=ids, not_applicable="")
    done = {
        run_id: (n_done, n_total)
        for run_id, n_done, n_total in cells.values_list("run_variant__run").annotate(
            done=Count("pk", filter=~Q(answered_at=None)), total=Count("pk")
        )
    }
    errored = dict(
        Cell.objects.filter(run_variant__run__in=ids)
        .errored()
        .values_list("run_variant__run")
        .annotate(n=Count("pk"))
    )
    judges: dict[int, list[str]] = {}
    for run_id, name in (
        RunJudge.objects.filter(run__in=ids).order_by("position").values_list("run", "judge__name")
    ):
        judges.setdefault(run_id, []).append(name)
    return tuple(
        _row(
            full[pk],
            judges=judges.get(pk, []),
            n_done=done.get(pk, (0, 0))[0],
            n_total=done.get(pk, (0, 0))[1],
            n_errored=errored.get(pk, 0),
        )
        for pk in ids
    )


def run_page(public_id: str, *, now: dt.datetime) -> RunPage:
    """One run as its rows say it is at this moment. Raises NotFound."""
    run = (
        Run.objects.select_related("benchmark", "protocol", "created_by")
        .annotate(n_variants=Count("run_variants"))
        .filter(public_id=public_id)
        .first()
    )
    if run is None:
        raise NotFound("run", public_id)
    variants = _variants(run)
    judges = list(run.run_judges.order_by("position").values_list("judge__name", flat=True))
    n_answered = sum(row.n_answered for row in variants)
    n_not_applicable = sum(row.n_not_applicable for row in variants)
    n_total = sum(row.n_total for row in variants)
    judged = Judgment.objects.filter(answer__cell__run_variant__run=run).aggregate(
        n=Count("pk"), unscored=Count("pk", filter=Q(composite=None))
    )
    requests = ModelRequest.objects.filter(run_public_id=public_id).aggregate(
        cost=Sum("cost_usd"),
        unknown=Count("pk", filter=~Q(replied_at=None) & Q(cost_usd=None)),
        resent=Sum("n_resent_after_death"),
    )
    errors = _errors(run)
    parts = run.protocol.parts
    return RunPage(
        run=_row(
            run,
            judges=judges,
            n_done=n_answered,
            n_total=n_total,
            n_errored=sum(row.n_errored for row in variants),
        ),
        protocol_key=run.protocol.key,
        synthesizer=synthesizer_name(parts),
        budget_mode=parts.get("budget_mode", ""),
        seed=parts.get("seed", 0),
        repeats=parts.get("repeats", 1),
        options=run.options,
        started_at=run.started_at,
        paused_at=run.paused_at,
        stopped_reason=run.stopped_reason,
        stages=run_stages(
            run,
            now=now,
            n_answered=n_answered,
            n_cells=n_total,
            n_judged=judged["n"],
            n_judges=len(judges),
        ),
        variants=variants,
        n_answered=n_answered,
        n_not_applicable=n_not_applicable,
        n_unscored=judged["unscored"],
        n_resent_requests=requests["resent"] or 0,
        cost_usd=requests["cost"] or 0.0,
        cost_is_partly_unknown=bool(requests["unknown"]),
        spending_limit_usd=run.spending_limit_usd,
        errors=errors[:SHOWN_ERRORS],
        n_open_errors=sum(not error.resolved for error in errors),
        doctor=doctor_checks(DoctorFinding.objects.filter(run=run).order_by("pk")),
    )


def doctor_checks(findings: Iterable[DoctorFinding]) -> tuple[DoctorCheck, ...]:
    return tuple(
        DoctorCheck(one.check_name, one.level, one.label or one.system, one.sentence)
        for one in findings
    )


def state_of(run: Run) -> RunState:
    if run.cancelled_at:
        return "cancelled"
    if run.finished_at:
        return "finished"
    if run.paused_at:
        return "paused"
    return "running" if run.started_at else "waiting"


def _row(run: Any, *, judges: list[str], n_done: int, n_total: int, n_errored: int) -> RunRow:
    return RunRow(
        public_id=run.public_id,
        benchmark=run.benchmark.slug,
        benchmark_title=run.benchmark.title,
        state=state_of(run),
        origin=run.origin,
        question_set=run.protocol.question_set,
        n_questions=len(run.question_ids),
        n_variants=run.n_variants,
        tracks=tuple(run.tracks),
        judges=tuple(judges),
        n_done=n_done,
        n_total=n_total,
        n_errored=n_errored,
        created_at=run.created_at,
        finished_at=run.finished_at,
        created_by=run.created_by.get_username() if run.created_by else "",
    )


def _variants(run: Run) -> tuple[VariantProgress, ...]:
    """``n_total`` leaves out the cells that are not applicable."""
    rows = (
        Cell.objects.filter(run_variant__run=run)
        .values(
            "run_variant__position",
            "run_variant__variant__system",
            "run_variant__variant__label",
            "run_variant__variant__modality",
            "run_variant__variant__is_anchor",
        )
        .annotate(
            total=Count("pk"),
            answered=Count("pk", filter=~Q(answered_at=None)),
            errored=Count("pk", filter=~Q(errored_at=None)),
            not_applicable=Count("pk", filter=~Q(not_applicable="")),
        )
        .order_by("run_variant__position")
    )
    return tuple(
        VariantProgress(
            system=row["run_variant__variant__system"],
            variant=row["run_variant__variant__label"],
            label=row["run_variant__variant__label"],
            modality=row["run_variant__variant__modality"],
            anchor=row["run_variant__variant__is_anchor"],
            n_answered=row["answered"],
            n_errored=row["errored"],
            n_not_applicable=row["not_applicable"],
            n_total=row["total"] - row["not_applicable"],
        )
        for row in rows
    )


def _errors(run: Run) -> tuple[RunError, ...]:
    """Failed attempts at cells and works that stopped, newest first."""
    cells = (
        CellError.objects.filter(cell__run_variant__run=run)
        .order_by("-at", "-pk")
        .values(
            "at", "stage", "message", "resolved_at", "cell__track",
            "cell__question__question_id", "cell__run_variant__variant__label",
        )[:500]
    )  # fmt: skip
    works = (
        run.works.open()
        .exclude(last_error="")
        .order_by("-started_at", "-pk")
        .values("started_at", "kind", "last_error", "run_variant__variant__label")[:500]
    )
    found = [_cell_error(row) for row in cells] + [_work_error(run, row) for row in works]
    return tuple(sorted(found, key=lambda error: error.at, reverse=True))


def _cell_error(row: Mapping[str, Any]) -> RunError:
    return RunError(
        at=row["at"],
        stage=row["stage"],
        variant=row["cell__run_variant__variant__label"],
        track=row["cell__track"],
        question_id=row["cell__question__question_id"],
        message=row["message"],
        resolved=row["resolved_at"] is not None,
    )


def _work_error(run: Run, row: Mapping[str, Any]) -> RunError:
    return RunError(
        at=row["started_at"] or run.created_at,
        stage=row["kind"],
        variant=row["run_variant__variant__label"] or "",
        track="",
        question_id="",
        message=row["last_error"],
        resolved=False,
    )
