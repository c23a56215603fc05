"""The doctor's checks of models: does each answer, does the judge's reply parse, what may it cost,
and how small a difference can this many questions separate."""

from __future__ import annotations

import math

from evaluation.language_models.endpoints import open_model
from evaluation.language_models.prices import load_prices
from evaluation.models import Cell, Run
from evaluation.protocol.doctor import Finding
from evaluation.records import Expectation, Fact
from evaluation.services.failures import sentence_of
from evaluation.services.model_access import judge_for, synthesizer_for

CHARS_A_TOKEN = 4
NATIVE_CHARS = 25_000
ANSWER_TOKENS, CASE_TOKENS, VERDICT_TOKENS = 250, 900, 250
"""Planning values for the estimate of cost; what is really paid is counted."""
TYPICAL_SD = 3.0
"""Standard deviation of per-question score differences on the 0–10 scale, as a planning value."""


def check_models(*, run: Run) -> list[Finding]:
    """One small recorded call to the synthesizer and to each judge, and what n can tell."""
    findings = [_check_synthesizer(run)]
    findings += [_check_judge(run, name) for name in run.options["judges"]]
    findings += [_cost(run), _resolution(run)]
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


def _cost(run: Run) -> Finding:
    """What the run's model calls will cost about, from the requested characters."""
    cells = Cell.objects.filter(run_variant__run=run, not_applicable="")
    n_cells = cells.count() or 1
    n_chars = sum(
        requested or NATIVE_CHARS for requested in cells.values_list("requested_chars", flat=True)
    )
    loads = [(run.options["synthesizer"], n_chars // CHARS_A_TOKEN, n_cells * ANSWER_TOKENS)]
    loads += [
        (name, n_cells * CASE_TOKENS, n_cells * VERDICT_TOKENS) for name in run.options["judges"]
    ]
    total = 0.0
    for name, n_input, n_output in loads:
        if ":" not in name:
            continue
        model = open_model(name.partition("+")[0])
        price = load_prices().cost_usd(model, n_input // n_cells, n_output // n_cells)
        if price is None:
            return Finding("cost", "warning", f"{name} has no known price: the cost is unknown")
        total += price * n_cells
    limit = run.spending_limit_usd
    if limit is not None and total > limit:
        return Finding(
            "cost",
            "warning",
            f"about ${total:.2f} is expected, over the spending limit of ${limit:.2f}: the run "
            "will pause when it is reached",
        )
    return Finding("cost", "ok", f"about ${total:.2f} is expected for {n_cells:,} cells")


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
