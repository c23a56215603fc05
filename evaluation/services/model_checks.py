"""The doctor's checks of models: does each answer, does the judge's reply parse, what may it cost,
and how small a difference can this many questions separate."""

from __future__ import annotations

import math

from evaluation.models import Cell, Run
from evaluation.protocol.doctor import Finding
from evaluation.records import Expectation, Fact
from evaluation.services.failures import sentence_of
from evaluation.services.model_access import judge_for, synthesizer_for

TYPICAL_SD = 3.0
"""Standard deviation of per-question score differences on the 0–10 scale, as a planning value."""


def check_models(*, run: Run) -> list[Finding]:
    """One small recorded call to the synthesizer and to each judge, and what n can tell."""
    findings = [_check_synthesizer(run)]
    findings += [_check_judge(run, name) for name in run.options["judges"]]
    findings.append(_resolution(run))
    return findings


def _check_synthesizer(run: Run) -> Finding:
    name = run.options["synthesizer"]
    try:
        synthesizer_for(name=name, run=run).synthesize(
            "What is the capacity of the tank?", "[1] probe\nThe tank has a capacity of 12 litres."
        )
    except Exception as error:  # noqa: BLE001 - whatever a model does wrong is a finding
        return Finding("synthesizer", "failed", f"{name}: {sentence_of(error)}")
    return Finding("synthesizer", "ok", f"{name} answers")


def _check_judge(run: Run, name: str) -> Finding:
    expectation = Expectation(gold_answer="12 litres", facts=(Fact(text="12 litres"),))
    try:
        judgment = judge_for(name=name, run=run).judge(
            "What is the capacity of the tank?", expectation, "It holds 12 litres.", ""
        )
    except Exception as error:  # noqa: BLE001 - whatever a model does wrong is a finding
        return Finding("judge", "failed", f"{name}: {sentence_of(error)}")
    if judgment.composite is None:
        return Finding(
            "judge", "failed", f"{name}: a known pair was unscored: {judgment.unscored_reason}"
        )
    return Finding("judge", "ok", f"{name} scores a known pair {judgment.composite:.1f} of 10")


def _resolution(run: Run) -> Finding:
    n = len(run.question_ids)
    n_cells = Cell.objects.filter(run_variant__run=run, not_applicable="").count()
    smallest = 1.96 * TYPICAL_SD / math.sqrt(n)
    return Finding(
        "resolution",
        "ok",
        f"{n_cells:,} cells; with {n} questions a difference under about {smallest:.1f} points "
        f"(95 %, unadjusted, if paired differences vary by {TYPICAL_SD:.0f}) cannot be separated",
    )
