"""Judges by name; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from evaluation.language_models.base import LanguageModel
from evaluation.language_models.endpoints import SCRIPTED, known_endpoints, open_model
from evaluation.scoring.base import Judge

ModelFactory = Callable[[str], LanguageModel]

_JUDGES = {
    "rubric": "evaluation.scoring.rubric:RubricJudge",
    "substring": "evaluation.scoring.exact_judges:SubstringJudge",
    "typed": "evaluation.scoring.exact_judges:TypedJudge",
}
_MODEL_JUDGE = "evaluation.scoring.llm_judge:LLMJudge"
_RETRIEVAL = "+retrieval"


class UnknownJudge(Exception):
    """No judge has that name; the message lists those that exist."""


def known_judges() -> tuple[str, ...]:
    """Names that need no endpoint; any other is ENDPOINT:MODEL."""
    return tuple(sorted(_JUDGES))


def open_judge(name: str, *, model_factory: ModelFactory | None = None) -> Judge:
    """``rubric``, ``substring``, ``typed``, or a model such as ``openai:gpt-4.1-mini``, with
    ``+retrieval`` after it to have the retrieval graded too.

    ``model_factory`` opens a model by name (so that its requests are recorded); by default it is
    ``open_model``, which records nothing. Raises UnknownJudge, and what the factory raises (a
    missing key, an unknown endpoint).
    """
    if name in _JUDGES:
        opened: Judge = _load(_JUDGES[name])()
        return opened
    model_name = name.removesuffix(_RETRIEVAL)
    if model_name != SCRIPTED and ":" not in model_name:
        endpoints = ", ".join(endpoint.name for endpoint in known_endpoints())
        raise UnknownJudge(
            f"no judge is called {name!r}; known: {', '.join(known_judges())}, or ENDPOINT:MODEL "
            f"with one of the endpoints {endpoints}"
        )
    model = (model_factory or open_model)(model_name)
    with_model: Judge = _load(_MODEL_JUDGE)(model, judges_retrieval=name.endswith(_RETRIEVAL))
    return with_model


def _load(path: str) -> Any:
    module_name, _, class_name = path.partition(":")
    return getattr(import_module(module_name), class_name)
