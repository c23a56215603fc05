"""One cell: restore its context, have it answered, have it judged."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from evaluation.protocol.flags import cell_flags
from evaluation.protocol.packing import pack
from evaluation.protocol.tracks import Track
from evaluation.records import Answer, Context, Question
from evaluation.synthesis.base import Synthesizer
from memory_systems.base import AnswersItself, GoldQuestion, MemorySystem, Oracle, SystemInfo

NO_CONTEXT = Context(units=(), text="")


@dataclass(frozen=True, slots=True)
class RestoredContext:
    """``retrieve_ms`` is measured; everything else is reproducible."""

    context: Context
    knobs: Mapping[str, int | float | str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    retrieve_ms: float = 0.0

    @classmethod
    def nothing(cls) -> RestoredContext:
        """For systems that keep no memory."""
        return cls(NO_CONTEXT)


def why_not_applicable(info: SystemInfo, track: Track) -> str:
    """A sentence where the variant cannot be measured at this track, else an empty string."""
    if track.budget.is_native:
        return ""
    if info.synthesis == "internal" and not info.has_context:
        return "it answers by itself and has no measurable context, so it has no budget"
    return ""


def is_measured_at(info: SystemInfo, track: Track) -> bool:
    """Anchors without a budget are measured once, at native, and shown elsewhere from there."""
    return track.budget.is_native or not (
        info.native_only or (info.is_anchor and not info.has_context)
    )


def gold_question(question: Question) -> GoldQuestion:
    spans = dict.fromkeys(
        (span.item_id, span.start, span.end)
        for expectation in question.expectations.values()
        for fact in expectation.facts
        for span in fact.spans
    )
    return GoldQuestion(
        id=question.id, text=question.text, source_ids=question.source_ids, spans=tuple(spans)
    )


def restore_context(
    memory: MemorySystem,
    info: SystemInfo,
    question: Question,
    track: Track,
    *,
    count_tokens: Callable[[str], int] | None = None,
) -> RestoredContext:
    """Retrieve and pack. Gold reaches registered anchors alone; every other system is given the
    question's id and text."""
    if not info.has_context:
        return RestoredContext.nothing()
    started = time.perf_counter()
    if info.is_anchor and isinstance(memory, Oracle):
        retrieval = memory.retrieve_for(gold_question(question), budget=track.budget)
    else:
        retrieval = memory.retrieve(question.id, question.text, budget=track.budget)
    retrieve_ms = (time.perf_counter() - started) * 1000
    context = pack(retrieval, track.budget, count_tokens=count_tokens)
    return RestoredContext(
        context=context,
        knobs=retrieval.knobs,
        flags=cell_flags(
            budget=track.budget, achieved_chars=context.achieved_chars, n_units=len(context.units)
        ),
        retrieve_ms=retrieve_ms,
    )


def answer_question(
    memory: MemorySystem | None,
    info: SystemInfo,
    question: Question,
    context: Context,
    synthesizer: Synthesizer,
    *,
    repeat: int,
    attempt: int = 0,
) -> Answer:
    """By the shared synthesizer, or by the system itself where its synthesis is internal.
    ``attempt`` is how often somebody had it tried again after it failed."""
    if info.synthesis == "internal":
        if not isinstance(memory, AnswersItself):
            raise TypeError(f"{info.slug} declares internal synthesis but cannot answer")
        return Answer(text=memory.answer(question.id, question.text, attempt=attempt))
    return synthesizer.synthesize(question.text, context.text, repeat=repeat, attempt=attempt)
