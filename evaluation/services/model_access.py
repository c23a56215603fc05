"""Opening synthesizers, judges and embedders by name, with every model call on the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import connections

from evaluation.language_models.base import LanguageModel
from evaluation.language_models.endpoints import open_model
from evaluation.language_models.model_account import ModelAccount
from evaluation.language_models.model_proxy import ModelProxy
from evaluation.language_models.recorded import RecordedModel
from evaluation.language_models.upstreams import open_upstream
from evaluation.models import Run
from evaluation.scoring.base import Judge
from evaluation.scoring.registry import open_judge
from evaluation.services.model_ledger import DatabaseLedger
from evaluation.synthesis.base import Synthesizer
from evaluation.synthesis.registry import open_synthesizer
from memory_systems.base import Embedder
from memory_systems.embedding import get_embedder
from memory_systems.registry import checked_parameters, system_info

SYNTHESIS_EMBEDDER = "static"
"""The extractive synthesizer always reads with this one, so that variants with different
embedders share a table."""


@lru_cache(maxsize=4)
def embedder(name: str) -> Embedder:
    """Raises UnknownEmbedder, or says what to install. Vectors are kept in the data folder."""
    return get_embedder(name, settings.MEMJURY_DATA / "vectors")


def _recorded(run: Run | None, name: str) -> LanguageModel:
    model = open_model(name)
    if run is None:
        return model
    ledger = DatabaseLedger(run_public_id=run.public_id, spending_limit_usd=run.spending_limit_usd)
    return RecordedModel(model, ledger)


def synthesizer_for(*, name: str, run: Run | None = None) -> Synthesizer:
    """Without a run nothing is recorded: good for reading key parts only."""
    return open_synthesizer(
        name,
        embedder=embedder(SYNTHESIS_EMBEDDER) if name == "extractive" else None,
        model_factory=lambda model: _recorded(run, model),
    )


def judge_for(*, name: str, run: Run | None = None) -> Judge:
    return open_judge(name, model_factory=lambda model: _recorded(run, model))


def model_proxy(*, name: str, embedder: Embedder | None, run: Run | None = None) -> ModelProxy:
    """The address that a memory system's package is given: the model that ``name`` names (``stub``
    or ENDPOINT:MODEL), on the ledger, and the embedder. Whoever is given it closes it.

    Raises EndpointUnknown, EndpointMisconfigured, KeyMissing.
    """
    ledger = DatabaseLedger(
        run_public_id=run.public_id if run else "",
        spending_limit_usd=run.spending_limit_usd if run else None,
    )
    account = ModelAccount(open_upstream(name), ledger)
    return ModelProxy(account, embedder, after_request=connections.close_all)


def check_internal_model(*, system: str, parameters: Mapping[str, Any]) -> None:
    """That the model which the system would call can be asked. Nothing is sent.

    Raises EndpointUnknown, EndpointMisconfigured, KeyMissing, and what the parameters are refused
    for.
    """
    name = checked_parameters(system, parameters).get("model", "")
    if system_info(system).uses_model and name:
        open_upstream(str(name)).close()


def token_counter() -> Callable[[str], int]:
    """Counts tokens for tracks in tokens, with the word-piece vocabulary of all-MiniLM-L6-v2."""
    counter = embedder("minilm")
    return lambda text: counter.count_tokens([text])[0]
