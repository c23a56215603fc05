"""Synthesizers by name; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from evaluation.language_models.base import LanguageModel
from evaluation.language_models.endpoints import SCRIPTED, known_endpoints, open_model
from evaluation.synthesis.base import Synthesizer
from memory_systems.base import Embedder

ModelFactory = Callable[[str], LanguageModel]

EXTRACTIVE = "extractive"
_EXTRACTIVE_CLASS = "evaluation.synthesis.extractive:ExtractiveSynthesizer"
_MODEL_CLASS = "evaluation.synthesis.model:ModelSynthesizer"


class UnknownSynthesizer(Exception):
    """No synthesizer has that name; the message lists those that exist."""


class EmbedderMissing(Exception):
    """The synthesizer compares by embedding and was given nothing to embed with."""


def known_synthesizers() -> tuple[str, ...]:
    """Names that need no endpoint; any other is ENDPOINT:MODEL."""
    return (EXTRACTIVE, SCRIPTED)


def open_synthesizer(
    name: str, *, embedder: Embedder | None = None, model_factory: ModelFactory | None = None
) -> Synthesizer:
    """``extractive``, ``scripted``, or a model such as ``openai:gpt-4.1-mini``.

    ``model_factory`` opens a model by name (so that its requests are recorded); by default it is
    ``open_model``, which records nothing. Raises UnknownSynthesizer, EmbedderMissing, and what the
    factory raises (a missing key, an unknown endpoint).
    """
    if name == EXTRACTIVE:
        if embedder is None:
            raise EmbedderMissing("the extractive synthesizer needs an embedder")
        opened: Synthesizer = _load(_EXTRACTIVE_CLASS)(embedder)
        return opened
    if name != SCRIPTED and ":" not in name:
        endpoints = ", ".join(endpoint.name for endpoint in known_endpoints())
        raise UnknownSynthesizer(
            f"no synthesizer is called {name!r}; known: {', '.join(known_synthesizers())}, or "
            f"ENDPOINT:MODEL with one of the endpoints {endpoints}"
        )
    with_model: Synthesizer = _load(_MODEL_CLASS)((model_factory or open_model)(name))
    return with_model


def _load(path: str) -> Any:
    module_name, _, class_name = path.partition(":")
    return getattr(import_module(module_name), class_name)
