"""The audit of a benchmark, as far as it needs no person: the paper's six checks and duplicates."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.benchmarks.audit.corpus import Corpus
from evaluation.benchmarks.audit.fact_checks import check_precision, check_spans
from evaluation.benchmarks.audit.question_checks import (
    check_duplicates,
    check_knowledge,
    check_sources,
    check_stability,
    check_tiers,
)
from evaluation.benchmarks.audit.report import AuditReport
from evaluation.records import Benchmark


def audit_benchmark(
    benchmark: Benchmark,
    *,
    second_load: Benchmark | None = None,
    base_model_scores: Mapping[str, float] | None = None,
) -> AuditReport:
    """Run every check. ``second_load`` is the same benchmark loaded again; ``base_model_scores``
    are composites, 0–10, of answers given without any context, by question id. A check whose
    input is missing says so and finds nothing. Holdout questions are audited like all others.
    """
    corpus = Corpus(benchmark)
    return AuditReport(
        slug=benchmark.card.slug,
        n_questions=len(benchmark.questions),
        checks=(
            check_spans(benchmark, corpus),
            check_sources(benchmark, corpus),
            check_stability(benchmark, second_load),
            check_knowledge(benchmark, base_model_scores),
            check_tiers(benchmark),
            check_precision(benchmark, corpus),
            check_duplicates(benchmark),
        ),
    )
