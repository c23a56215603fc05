"""Question sets: which questions a run asks, by a name that is part of the comparison key."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence

from evaluation.benchmarks.families import family
from evaluation.records import Benchmark, Question

_COUNTED = re.compile(r"(first|stratified):(\d{1,6})")


class UnknownQuestionSet(ValueError):
    """The set's name, or an id in it, is not known; or nothing is left."""


def select_questions(
    benchmark: Benchmark, spec: str, *, seed: int, ids: Sequence[str] = ()
) -> tuple[list[Question], str]:
    """The questions in the benchmark's order, and the set's name.

    ``spec``: ``all``, ``holdout``, ``first:N``, ``stratified:N`` or ``ids`` (then ``ids`` are
    asked). Holdout questions come only by ``holdout`` or by their id. Raises UnknownQuestionSet.
    """
    regular = [question for question in benchmark.questions if not question.holdout]
    if spec == "all":
        return _some(regular, spec)
    if spec == "holdout":
        return _some([question for question in benchmark.questions if question.holdout], spec)
    if spec == "ids":
        return _by_id(benchmark, ids)
    match = _COUNTED.fullmatch(spec)
    if match is None or int(match[2]) == 0:
        raise UnknownQuestionSet(
            f"unknown question set '{spec}': use all, holdout, first:N, stratified:N or a file of "
            "question ids, one a line"
        )
    n = int(match[2])
    if match[1] == "first":
        return _some(regular[:n], spec)
    return _some(_stratified(benchmark, regular, n, seed), spec)


def _some(questions: list[Question], name: str) -> tuple[list[Question], str]:
    if not questions:
        raise UnknownQuestionSet(f"the question set '{name}' is empty here")
    return questions, name


def _by_id(benchmark: Benchmark, ids: Sequence[str]) -> tuple[list[Question], str]:
    known = {question.id for question in benchmark.questions}
    unknown = [id for id in ids if id not in known]
    if unknown:
        raise UnknownQuestionSet(
            f"{len(unknown)} question ids are not of {benchmark.card.slug}: "
            f"{', '.join(unknown[:5])}"
        )
    digest = hashlib.sha256("\n".join(sorted(set(ids))).encode()).hexdigest()[:8]
    wanted = set(ids)
    return _some(
        [question for question in benchmark.questions if question.id in wanted], f"ids:{digest}"
    )


def _stratified(
    benchmark: Benchmark, questions: list[Question], n: int, seed: int
) -> list[Question]:
    """N questions, each stratum of the primary slice in proportion (largest remainder)."""
    if n >= len(questions):
        return questions
    slice_name = family(benchmark.card.family).primary_slice
    strata: dict[tuple[str, ...], list[Question]] = {}
    for question in questions:
        strata.setdefault(question.slices.get(slice_name, ()), []).append(question)
    shares = {name: n * len(group) / len(questions) for name, group in strata.items()}
    quotas = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: (quotas[name] - shares[name], name))
    for name in by_remainder[: n - sum(quotas.values())]:
        quotas[name] += 1
    chosen: set[str] = set()
    for name, group in sorted(strata.items()):
        rng = random.Random(f"stratified:{seed}:{'/'.join(name)}")
        chosen.update(question.id for question in rng.sample(group, quotas[name]))
    return [question for question in questions if question.id in chosen]
