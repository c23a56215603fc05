"""A language model as synthesizer."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.language_models.base import CompletionRequest, LanguageModel
from evaluation.language_models.errors import ReplyTruncated, ReplyWithheld
from evaluation.records import Answer, Usage
from evaluation.synthesis.abstention import is_abstention
from evaluation.synthesis.prompt import VERSION, messages_for, prompt_sha256

# Room for ten sentences, and for the thinking that some models count as output.
MAX_OUTPUT_TOKENS = 4096


class ModelSynthesizer:
    """Writes the answer with a language model at temperature 0, where the model takes one."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def key_parts(self) -> Mapping[str, str | int | float | None]:
        return {
            "synthesizer": "model",
            "model": self._model.name,
            "temperature": 0.0,
            "max_output_tokens": MAX_OUTPUT_TOKENS,
            "prompt_version": VERSION,
            "prompt_sha256": prompt_sha256(),
        }

    def synthesize(
        self, question_text: str, context_text: str, *, repeat: int = 0, attempt: int = 0
    ) -> Answer:
        """Raises what the model raises, ReplyTruncated for an answer that was cut, and
        ReplyWithheld for one that the endpoint kept back."""
        completion = self._model.complete(
            CompletionRequest(
                model=self._model.model,
                messages=messages_for(question_text, context_text),
                max_output_tokens=MAX_OUTPUT_TOKENS,
                repeat=repeat,
                attempt=attempt,
            )
        )
        if completion.finish_reason == "length":
            raise ReplyTruncated(
                f"{self.name}: the answer was cut at {MAX_OUTPUT_TOKENS} output tokens"
            )
        if completion.finish_reason == "content_filter":
            raise ReplyWithheld(f"{self.name}: the endpoint withheld the answer")
        text = completion.text.strip()
        usage = Usage(
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            model_calls=1,
            cost_usd=completion.cost_usd,
            latency_ms=completion.latency_ms,
        )
        return Answer(text, usage, abstained=is_abstention(text))
