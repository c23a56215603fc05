"""The cells work: a batch of questions of one variant, at all its tracks."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count, Q
from django.utils import timezone

from evaluation.language_models.base import SpendingLimitReached
from evaluation.models import Answer, Cell, CellError, Judge, Run, RunVariant, Work
from evaluation.protocol.cells import RestoredContext, answer_question, restore_context
from evaluation.protocol.tracks import parse_track
from evaluation.records import Question
from evaluation.scoring.base import Judge as AnswerJudge
from evaluation.services.aggregates import refresh_vectors
from evaluation.services.benchmarks import question_record
from evaluation.services.contexts import context_of, save_retrieval
from evaluation.services.failures import (
    RunInterrupted,
    check_running,
    fail_cells,
    resolve_errors,
    sentence_of,
)
from evaluation.services.judging import judge_answer, open_judges
from evaluation.services.leases import claim_work, finish_work, hold_lease
from evaluation.services.model_access import synthesizer_for, token_counter
from evaluation.services.open_memories import OpenMemories
from evaluation.services.run_state import note_started, note_work_done
from evaluation.services.stopping import given_back_unless_done
from evaluation.source_files.reading import storable
from evaluation.synthesis.base import Synthesizer
from memory_systems.base import MemorySystem
from memory_systems.registry import system_info

PARALLEL_MODEL_CALLS = 8


@dataclass(frozen=True, slots=True)
class Batch:
    """What every cell of a work shares. ``threads`` above 1 only where models are waited for and
    the memory, which one thread alone may use, is not asked for the answer."""

    work: Work
    run: Run
    run_variant: RunVariant
    synthesizer: Synthesizer
    judges: list[tuple[Judge, AnswerJudge]]
    threads: int


def do_cells(*, work_id: int) -> None:
    """Answer and judge every open cell of the work. Done cells are left as they are, so a second
    delivery or a resumed run repeats nothing."""
    work = claim_work(work_id=work_id)
    if work is None:
        return
    note_started(run_id=work.run_id)
    with given_back_unless_done(work):
        check_running(run_id=work.run_id)
        batch = _open_batch(work)
        _answer_all(batch)
        while not _finish(batch):
            _answer_all(batch)
        note_work_done(run_id=work.run_id)


def _finish(batch: Batch) -> bool:
    """Whether the work is done now. It is not where errored cells were set free meanwhile, to be
    tried again; the lock keeps that from happening between the look and the note."""
    judges = [row for row, _ in batch.judges]
    refresh_vectors(run_variant=batch.run_variant, judges=judges)
    with transaction.atomic():
        Work.objects.select_for_update().get(pk=batch.work.pk)
        n_judged = Count("answer__judgments", filter=Q(answer__judgments__judge__in=judges))
        cells = batch.work.cells.filter(not_applicable="", errored_at=None)
        lacking = Q(answered_at=None) | Q(n_judged__lt=len(judges))
        if cells.annotate(n_judged=n_judged).filter(lacking).exists():
            return False
        finish_work(work_id=batch.work.pk)
    return True


def _open_batch(work: Work) -> Batch:
    run = Run.objects.select_related("benchmark", "protocol").get(pk=work.run_id)
    run_variant = work.run_variant
    if run_variant is None:
        raise ValueError("a cells work names its variant")
    names = [run.options["synthesizer"], *run.options["judges"]]
    waits = any(":" in name for name in names)
    is_shared = system_info(run_variant.variant.system).synthesis == "shared"
    return Batch(
        work=work,
        run=run,
        run_variant=run_variant,
        synthesizer=synthesizer_for(name=run.options["synthesizer"], run=run),
        judges=open_judges(run=run),
        threads=PARALLEL_MODEL_CALLS if waits and is_shared else 1,
    )


def _answer_all(batch: Batch) -> None:
    cells = list(
        batch.work.cells.filter(not_applicable="", errored_at=None)
        .select_related("question")
        .order_by("state_label", "pk")
    )
    for cell in cells:
        cell.run_variant = batch.run_variant
    with ThreadPoolExecutor(batch.threads) as pool:
        waiting: list[Future[None]] = []
        for cell, question, memory, restored in _restored(batch, cells):
            if batch.threads == 1:
                _answer_cell(batch, cell, question, memory, restored)
            else:
                waiting.append(pool.submit(_in_thread, batch, cell, question, memory, restored))
            _give_way(batch)
        for future in waiting:
            future.result()


def _give_way(batch: Batch) -> None:
    check_running(run_id=batch.run.pk)
    hold_lease(work_id=batch.work.pk)


def _restored(
    batch: Batch, cells: list[Cell]
) -> Iterator[tuple[Cell, Question, MemorySystem | None, RestoredContext]]:
    """Each open cell with its context: the stored one where it is answered and only waits for a
    judge, else what is retrieved now. Memories are opened once a state."""
    opened = OpenMemories(work=batch.work, run_variant=batch.run_variant)
    with ExitStack() as stack:
        stack.callback(opened.close)
        for cell in cells:
            if _is_done(cell, batch):
                continue
            question = question_record(cell.question)
            try:
                if cell.answered_at is not None:
                    memory, restored = None, RestoredContext(context_of(cell=cell))
                else:
                    memory = opened.at(cell.state_label)
                    restored = _restore(batch, cell, question, memory)
            except (SpendingLimitReached, RunInterrupted):
                raise
            except Exception as error:  # noqa: BLE001 - any system's failure is the cell's error
                fail_cells(cells=[cell.pk], stage="retrieve", message=sentence_of(error))
                continue
            yield cell, question, memory, restored


def _is_done(cell: Cell, batch: Batch) -> bool:
    if cell.answered_at is None:
        return False
    judged = set(cell.answer.judgments.values_list("judge_id", flat=True))
    return judged >= {row.pk for row, _ in batch.judges}


def _restore(
    batch: Batch, cell: Cell, question: Question, memory: MemorySystem | None
) -> RestoredContext:
    info = system_info(batch.run_variant.variant.system)
    if memory is None:
        return RestoredContext.nothing()
    track = parse_track(cell.track, mode=batch.run.options["budget_mode"])
    counter = token_counter() if track.budget.tokens is not None else None
    return restore_context(memory, info, question, track, count_tokens=counter)


def _in_thread(
    batch: Batch,
    cell: Cell,
    question: Question,
    memory: MemorySystem | None,
    restored: RestoredContext,
) -> None:
    try:
        check_running(run_id=batch.run.pk)
        _answer_cell(batch, cell, question, memory, restored)
    finally:
        connection.close()


def _answer_cell(
    batch: Batch,
    cell: Cell,
    question: Question,
    memory: MemorySystem | None,
    restored: RestoredContext,
) -> None:
    """Synthesize unless an answer is stored, then every judge that has not judged it yet."""
    try:
        answer = (
            cell.answer
            if cell.answered_at is not None
            else _synthesize(batch, cell, question, memory, restored)
        )
    except (SpendingLimitReached, RunInterrupted):
        raise
    except Exception as error:  # noqa: BLE001 - an endpoint's failure is the cell's error
        fail_cells(cells=[cell.pk], stage="synthesize", message=sentence_of(error))
        return
    judged = set(answer.judgments.values_list("judge_id", flat=True))
    expectation = question.expectations[cell.phase]
    ok = True
    for row, judge in batch.judges:
        if row.pk not in judged:
            ok &= judge_answer(
                answer=answer,
                row=row,
                judge=judge,
                question_text=question.text,
                expectation=expectation,
                context_text=restored.context.text,
                repeat=cell.repeat,
            )
    if ok:
        judges = [row for row, _ in batch.judges]
        resolve_errors(cell=cell, of=Q(judge=None) | Q(judge__in=judges))


def _synthesize(
    batch: Batch,
    cell: Cell,
    question: Question,
    memory: MemorySystem | None,
    restored: RestoredContext,
) -> Answer:
    info = system_info(batch.run_variant.variant.system)
    n_failed = CellError.objects.filter(cell=cell, stage="synthesize").count()
    given = answer_question(
        memory,
        info,
        question,
        restored.context,
        batch.synthesizer,
        repeat=cell.repeat,
        attempt=n_failed,
    )
    with transaction.atomic():
        if info.has_context:
            save_retrieval(cell=cell, benchmark=batch.run.benchmark, restored=restored)
        answer, _ = Answer.objects.get_or_create(
            cell=cell,
            defaults={
                "text": storable(given.text),
                "abstained": given.abstained,
                "input_tokens": given.usage.input_tokens,
                "output_tokens": given.usage.output_tokens,
                "model_calls": given.usage.model_calls,
                "cost_usd": given.usage.cost_usd,
                "synthesize_ms": given.usage.latency_ms,
                "created_at": timezone.now(),
            },
        )
        Cell.objects.filter(pk=cell.pk).update(answered_at=answer.created_at)
    cell.answered_at = answer.created_at
    return answer
