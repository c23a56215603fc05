"""A language model as judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.language_models.base import (
    Completion,
    CompletionRequest,
    LanguageModel,
    Message,
)
from evaluation.records import Expectation, Judgment, Usage
from evaluation.scoring.judge_prompt import (
    DIMENSIONS,
    RETRIEVAL_QUALITY,
    VERSION,
    answer_messages,
    prompt_sha256,
    reply_schema,
    retrieval_messages,
)
from evaluation.scoring.verdicts import Verdict, VerdictUnreadable, read_verdict

# Room for the verdict, and for the thinking that some models count as output.
MAX_OUTPUT_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class _Reply:
    verdict: Verdict | None
    problem: str
    usage: Usage


class LLMJudge:
    """Grades accuracy, completeness, specificity and hallucination avoidance, 0–10, from question,
    facts, gold answer and answer alone; the composite is their mean. With ``judges_retrieval`` a
    second request grades the retrieval from the context's beginning; it never enters the composite.

    A reply that cannot be read leaves the answer unscored; it is not asked for again.
    """

    is_proxy = False

    def __init__(self, model: LanguageModel, *, judges_retrieval: bool = False) -> None:
        self._model = model
        self._judges_retrieval = judges_retrieval

    @property
    def name(self) -> str:
        return self._model.name + ("+retrieval" if self._judges_retrieval else "")

    @property
    def key_parts(self) -> Mapping[str, str | int | float | None]:
        return {
            "judge": "model",
            "model": self._model.name,
            "temperature": 0.0,
            "max_output_tokens": MAX_OUTPUT_TOKENS,
            "prompt_version": VERSION,
            "prompt_sha256": prompt_sha256(),
            "judges_retrieval": int(self._judges_retrieval),
        }

    def judge(
        self,
        question_text: str,
        expectation: Expectation,
        answer_text: str,
        context_text: str,
        *,
        repeat: int = 0,
    ) -> Judgment:
        """Raises what the model raises (an endpoint that fails, a spending limit)."""
        messages, case = answer_messages(question_text, expectation, answer_text)
        graded = self._ask(messages, case, DIMENSIONS, repeat)
        if graded.verdict is None:
            return Judgment(None, unscored_reason=graded.problem, usage=graded.usage)
        scores = dict(graded.verdict.scores)
        composite = sum(scores.values()) / len(scores)
        reason, usage = graded.verdict.reason, graded.usage
        if self._judges_retrieval:
            messages, case = retrieval_messages(question_text, expectation, context_text)
            retrieval = self._ask(messages, case, (RETRIEVAL_QUALITY,), repeat)
            usage = _sum(usage, retrieval.usage)
            if retrieval.verdict is None:
                reason = f"{reason} Retrieval is not graded: {retrieval.problem}.".strip()
            else:
                scores |= retrieval.verdict.scores
        return Judgment(composite, scores, reason=reason, usage=usage)

    def _ask(
        self, messages: tuple[Message, ...], case: str, dimensions: tuple[str, ...], repeat: int
    ) -> _Reply:
        completion = self._model.complete(
            CompletionRequest(
                model=self._model.model,
                messages=messages,
                max_output_tokens=MAX_OUTPUT_TOKENS,
                json_schema=reply_schema(dimensions),
                repeat=repeat,
            )
        )
        usage = _usage_of(completion)
        if completion.finish_reason == "length":
            problem = f"the judge's reply was cut at {MAX_OUTPUT_TOKENS} output tokens"
            return _Reply(None, problem, usage)
        if completion.finish_reason == "content_filter":
            return _Reply(None, "the endpoint withheld the judge's reply", usage)
        try:
            verdict = read_verdict(completion.text, case=case, dimensions=dimensions)
        except VerdictUnreadable as error:
            return _Reply(None, f"the judge's reply cannot be read: {error}", usage)
        return _Reply(verdict, "", usage)


def _usage_of(completion: Completion) -> Usage:
    return Usage(
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
        model_calls=1,
        cost_usd=completion.cost_usd,
        latency_ms=completion.latency_ms,
    )


def _sum(first: Usage, second: Usage) -> Usage:
    costs = (first.cost_usd, second.cost_usd)
    return Usage(
        input_tokens=first.input_tokens + second.input_tokens,
        output_tokens=first.output_tokens + second.output_tokens,
        model_calls=first.model_calls + second.model_calls,
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        latency_ms=first.latency_ms + second.latency_ms,
    )
