"""A model that says what it was told to: for tests and for measuring everything but the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from evaluation.language_models.base import Completion, CompletionRequest

Script = Mapping[str, str] | Callable[[CompletionRequest], str]


class ScriptHasNoLine(Exception):
    """The script holds no completion for the prompt that came."""


def repeat_the_prompt(request: CompletionRequest) -> str:
    """The default script: the last message's last 400 characters."""
    return request.messages[-1].content[-400:]


@dataclass(slots=True)
class ScriptedModel:
    """``script`` maps the last message to a completion, or is a function of the request.

    Tokens are counted as a quarter of the characters. ``calls`` counts requests by their key.
    """

    script: Script = repeat_the_prompt
    name: str = "scripted"
    provider: str = "scripted"
    base_url: str = "scripted:"
    model: str = "scripted"
    calls: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    @property
    def n_calls(self) -> int:
        return self.calls.total()

    def complete(self, request: CompletionRequest) -> Completion:
        """The scripted text. Raises ScriptHasNoLine for a prompt that a mapping lacks."""
        with self._lock:
            self.calls[request.key(self.base_url)] += 1
        text = self._line(request)
        n_chars = sum(len(message.content) for message in request.messages)
        return Completion(
            text=text,
            input_tokens=n_chars // 4 + 1,
            output_tokens=len(text) // 4 + 1,
            latency_ms=0.0,
            temperature_used=request.temperature,
            cost_usd=0.0,
        )

    def _line(self, request: CompletionRequest) -> str:
        if callable(self.script):
            return self.script(request)
        prompt = request.messages[-1].content
        if prompt not in self.script:
            raise ScriptHasNoLine(f"no completion for the prompt {prompt[:80]!r}")
        return self.script[prompt]
