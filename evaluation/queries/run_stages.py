"""The stages of a run with done, total, rate and time left, from its rows alone."""

from __future__ import annotations

import datetime as dt

from django.db.models import Q, Sum

from evaluation.models import Answer, IngestEvent, Judgment, Run, Work
from evaluation.queries.runs import Stage

RATE_WINDOW = dt.timedelta(minutes=2)


def run_stages(
    run: Run,
    *,
    now: dt.datetime,
    n_answered: int,
    n_cells: int,
    n_judged: int,
    n_judges: int,
) -> tuple[Stage, ...]:
    """Examine, ingest, answer, judge. Rates are of the last two minutes, and only while it runs."""
    works = {
        row["kind"]: row
        for row in run.works.values("kind").annotate(
            total=Sum("n_expected"), done=Sum("n_expected", filter=~Q(done_at=None))
        )
    }
    is_going = run.started_at is not None and not (
        run.finished_at or run.paused_at or run.cancelled_at
    )
    window_start = max(now - RATE_WINDOW, run.started_at or now)
    minutes = max((now - window_start).total_seconds(), 1.0) / 60
    stages = []
    if Work.DOCTOR in works:
        work = works[Work.DOCTOR]
        stages.append(_stage("Examine", "variants", work["done"] or 0, work["total"], None))
    if Work.INGEST in works:
        work = works[Work.INGEST]
        n_here, n_recent = _ingested(run, window_start) if is_going else (0, 0)
        done = min(work["total"], (work["done"] or 0) + n_here)
        stages.append(
            _stage("Ingest", "steps", done, work["total"], n_recent / minutes if is_going else None)
        )
    recent_answers = recent_judgments = 0
    if is_going:
        recent_answers = Answer.objects.filter(
            cell__run_variant__run=run, created_at__gte=window_start
        ).count()
        recent_judgments = Judgment.objects.filter(
            answer__cell__run_variant__run=run, created_at__gte=window_start
        ).count()
    stages.append(
        _stage(
            "Answer", "cells", n_answered, n_cells, recent_answers / minutes if is_going else None
        )
    )
    if n_judges:
        stages.append(
            _stage(
                "Judge",
                "judgments",
                n_judged,
                n_cells * n_judges,
                recent_judgments / minutes if is_going else None,
            )
        )
    return tuple(stages)


def _ingested(run: Run, since: dt.datetime) -> tuple[int, int]:
    """Steps logged for the works that are not done yet, and of those the recent ones."""
    open_works = list(run.works.open().filter(kind=Work.INGEST).values_list("payload", "scenario"))
    keys = {(payload["store_key"], scenario) for payload, scenario in open_works}
    events = IngestEvent.objects.filter(
        store_key__in={key for key, _ in keys}, scenario__in={scenario for _, scenario in keys}
    ).values_list("store_key", "scenario", "position", "at")
    logged = {(key, scenario, place): at for key, scenario, place, at in events}
    here = [at for (key, scenario, _), at in logged.items() if (key, scenario) in keys]
    return len(here), sum(at >= since for at in here)


def _stage(name: str, unit: str, n_done: int, n_total: int, per_minute: float | None) -> Stage:
    rate = per_minute if per_minute else None
    left = None
    if rate and n_done < n_total:
        left = (n_total - n_done) / rate * 60
    return Stage(name, unit, n_done, n_total, rate, left)
