"""Which questions of a benchmark a run asks. The set's name is part of the comparison key."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from fractions import Fraction

from evaluation.benchmarks.families import family
from evaluation.records import Benchmark, Question

_COUNTED = re.compile(r"(first|stratified):(\d{1,6})", re.ASCII)


class UnknownQuestionSet(ValueError):
    """The set is not known, holds no question, or names questions the benchmark does not have."""


def select_questions(
    benchmark: Benchmark, spec: str, *, seed: int, ids: Sequence[str] = ()
) -> tuple[list[Question], str]:
    """The questions of the set, in the benchmark's order, and the set's name.

    ``all``: every question but the holdout. ``holdout``: those alone. ``first:N``: the first N
    of all. ``stratified:N``: N of all, drawn by ``seed`` in proportion to the family's primary
    slice (largest remainder: each share is within one question of exact); all of them where
    there are no more than N. Where ``ids`` is not empty it decides alone, whatever ``spec`` says
    of its origin: the questions it names, holdout ones too; the name is then ``ids:`` and a hash.

    Raises UnknownQuestionSet, in words.
    """
    counted = [question for question in benchmark.questions if not question.holdout]
    if ids:
        chosen, name = _by_ids(benchmark, ids), name_of_ids(ids)
    elif spec == "all":
        chosen, name = counted, spec
    elif spec == "holdout":
        chosen, name = [question for question in benchmark.questions if question.holdout], spec
    else:
        kind, n = _counted_set(spec)
        name = f"{kind}:{n}"
        chosen = counted[:n] if kind == "first" else _stratified(benchmark, counted, n, seed)
    if not chosen:
        raise UnknownQuestionSet(f"the question set “{name}” of {benchmark.card.slug} is empty")
    return chosen, name


def name_of_ids(ids: Sequence[str]) -> str:
    """``ids:`` and the first 8 hex digits of the SHA-256 of the sorted ids, one a line."""
    text = "\n".join(sorted(set(ids)))
    return f"ids:{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _by_ids(benchmark: Benchmark, ids: Sequence[str]) -> list[Question]:
    known = {question.id for question in benchmark.questions}
    unknown = [question_id for question_id in dict.fromkeys(ids) if question_id not in known]
    if unknown:
        shown = ", ".join(unknown[:5]) + (" …" if len(unknown) > 5 else "")
        raise UnknownQuestionSet(
            f"{len(unknown)} of the question ids are not of {benchmark.card.slug}: {shown}"
        )
    wanted = set(ids)
    return [question for question in benchmark.questions if question.id in wanted]


def _counted_set(spec: str) -> tuple[str, int]:
    match = _COUNTED.fullmatch(spec)
    if match is None or int(match[2]) == 0:
        raise UnknownQuestionSet(
            f"unknown question set “{spec}”: use all, holdout, first:N, stratified:N (N from 1 "
            "up) or a file of question ids, one a line"
        )
    return match[1], int(match[2])


def _stratified(
    benchmark: Benchmark, questions: list[Question], n: int, seed: int
) -> list[Question]:
    if n >= len(questions):
        return questions
    primary_slice = family(benchmark.card.family).primary_slice
    strata: dict[tuple[str, ...], list[str]] = {}
    for question in questions:
        strata.setdefault(question.slices.get(primary_slice, ()), []).append(question.id)
    order = sorted(strata)
    chosen: set[str] = set()
    for key, share in zip(order, _shares([len(strata[key]) for key in order], n), strict=True):
        draw = random.Random(f"stratified/{seed}/{'/'.join(key)}").random
        drawn = sorted((draw(), question_id) for question_id in strata[key])
        chosen.update(question_id for _, question_id in drawn[:share])
    return [question for question in questions if question.id in chosen]


def _shares(sizes: list[int], n: int) -> list[int]:
    """``n`` shared out in proportion to ``sizes`` by largest remainder; ties to the earlier."""
    exact = [Fraction(size * n, sum(sizes)) for size in sizes]
    shares = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda i: (shares[i] - exact[i], i))
    for i in by_remainder[: n - sum(shares)]:
        shares[i] += 1
    return shares
