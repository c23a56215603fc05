"""A language model whose every request is recorded before it is sent, and its reply before use."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from evaluation.language_models.base import Completion, CompletionRequest, LanguageModel, Ledger
from evaluation.language_models.prices import Prices, load_prices
from evaluation.source_files.reading import storable


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """Wraps any model. The ledger answers what was asked before, holds back what would break the
    concurrency or spending limit, and gets the reply before the caller does.

    A request with an ``attempt`` is sent anew only where its own reply and every whole reply of an
    earlier attempt are missing: a reply that was cut or withheld would come again for ever, and
    what is paid for and can be used is not paid for again.
    """

    wrapped: LanguageModel
    ledger: Ledger
    concurrency_limit: int = 4
    prices: Prices = field(default_factory=load_prices)

    @property
    def name(self) -> str:
        return self.wrapped.name

    @property
    def provider(self) -> str:
        return self.wrapped.provider

    @property
    def base_url(self) -> str:
        return self.wrapped.base_url

    @property
    def model(self) -> str:
        return self.wrapped.model

    def complete(self, request: CompletionRequest) -> Completion:
        """The stored or the new completion, with its cost (None where the price is unknown).

        Raises SpendingLimitReached, and what the wrapped model raises after giving the request
        back to the ledger.
        """
        earlier = self._earlier_reply(request)
        if earlier is not None:
            return earlier
        key = request.key(self.base_url)
        stored = self.ledger.begin(
            key,
            provider=self.provider,
            model=self.model,
            request=request,
            concurrency_limit=self.concurrency_limit,
            most_it_can_cost_usd=self.prices.most_usd(self, request),
        )
        if stored is not None:
            return stored
        try:
            sent = self.wrapped.complete(request)
        except BaseException as error:
            self.ledger.fail(key, f"{type(error).__name__}: {error}")
            raise
        cost = self.prices.cost_usd(self, sent.input_tokens, sent.output_tokens)
        completion = replace(
            sent,
            text=storable(sent.text),
            finish_reason=storable(sent.finish_reason),
            cost_usd=cost,
        )
        self.ledger.finish(key, completion)
        return completion

    def _earlier_reply(self, request: CompletionRequest) -> Completion | None:
        """The first whole reply of an earlier attempt, unless this one has its own."""
        if not request.attempt or self.ledger.find(request.key(self.base_url)) is not None:
            return None
        keys = (
            replace(request, attempt=attempt).key(self.base_url)
            for attempt in range(request.attempt)
        )
        found = (self.ledger.find(key) for key in keys)
        return next((reply for reply in found if reply is not None and reply.is_whole), None)
