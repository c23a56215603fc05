from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType

import pytest

from evaluation.language_models.base import (
    Completion,
    CompletionRequest,
    Message,
    SpendingLimitReached,
)
from evaluation.language_models.errors import EndpointFailed
from evaluation.language_models.prices import Prices, load_prices
from evaluation.language_models.recorded import RecordedModel
from evaluation.language_models.scripted import ScriptedModel
from tests.evaluation.language_models.memory_ledger import MemoryLedger


def request(text: str = "hello", *, model: str = "m", repeat: int = 0) -> CompletionRequest:
    return CompletionRequest(model, (Message("user", text),), 100, repeat=repeat)


def prices_for(host: str, model: str) -> Prices:
    listed = load_prices().price_of("https://api.openai.com/v1", "gpt-4.1")
    assert listed is not None
    return Prices(MappingProxyType({(host, model): listed}))


def test_the_same_request_is_sent_once_and_its_repeat_again():
    model = ScriptedModel(lambda asked: "hi")
    recorded = RecordedModel(model, MemoryLedger())
    first, second = recorded.complete(request()), recorded.complete(request())
    assert (first.from_cache, second.from_cache) == (False, True)
    assert replace(second, from_cache=False) == first
    recorded.complete(request(repeat=1))
    assert model.n_calls == 2


def test_the_reply_is_in_the_ledger_before_it_is_used():
    ledger = MemoryLedger()
    completion = RecordedModel(ScriptedModel(lambda asked: "hi"), ledger).complete(request())
    stored = ledger._replies[request().key("scripted:")]
    assert stored == completion


def test_what_no_database_can_keep_is_replaced_before_it_is_kept():
    ledger = MemoryLedger()
    model = ScriptedModel(lambda asked: "a\0b\ud800c 😀")
    assert RecordedModel(model, ledger).complete(request()).text == "a\ufffdb\ufffdc 😀"
    assert ledger._replies[request().key("scripted:")].text == "a\ufffdb\ufffdc 😀"


def test_a_request_that_fails_is_given_back_with_the_error():
    def fail(asked: CompletionRequest) -> str:
        raise EndpointFailed("down")

    ledger = MemoryLedger()
    with pytest.raises(EndpointFailed):
        RecordedModel(ScriptedModel(fail), ledger).complete(request())
    assert ledger.failures == [(request().key("scripted:"), "EndpointFailed: down")]
    assert not ledger._in_flight


def test_an_interruption_gives_the_request_back_too():
    def interrupt(asked: CompletionRequest) -> str:
        raise KeyboardInterrupt

    ledger = MemoryLedger()
    with pytest.raises(KeyboardInterrupt):
        RecordedModel(ScriptedModel(interrupt), ledger).complete(request())
    assert not ledger._in_flight


def test_a_spending_limit_stops_before_anything_is_sent(open_stub, stub):
    model = open_stub("openai:priced")
    ledger = MemoryLedger(spending_limit_usd=0.000_001)
    recorded = RecordedModel(model, ledger, prices=prices_for("127.0.0.1", "priced"))
    with pytest.raises(SpendingLimitReached):
        recorded.complete(request(model="priced"))
    assert stub.count.n_requests == 0


def test_the_cost_is_counted_from_the_tokens_used(open_stub):
    ledger = MemoryLedger(spending_limit_usd=1.0)
    recorded = RecordedModel(
        open_stub("openai:priced"), ledger, prices=prices_for("127.0.0.1", "priced")
    )
    completion = recorded.complete(request(model="priced"))
    expected = (completion.input_tokens * 2 + completion.output_tokens * 8) / 1e6
    assert completion.cost_usd == pytest.approx(expected)
    assert ledger.spent_usd == completion.cost_usd


def test_an_unlisted_model_has_no_cost_and_no_limit_lets_it_pass():
    model = ScriptedModel(lambda asked: "hi", base_url="https://elsewhere.example/v1")
    assert RecordedModel(model, MemoryLedger()).complete(request()).cost_usd is None
    with pytest.raises(SpendingLimitReached, match="not known"):
        RecordedModel(model, MemoryLedger(spending_limit_usd=9.0)).complete(request("other"))


class CutModel(ScriptedModel):
    """Its replies stop at the limit of output tokens."""

    def complete(self, request: CompletionRequest) -> Completion:
        return replace(ScriptedModel.complete(self, request), finish_reason="length")


def cut(text: str) -> CutModel:
    return CutModel(lambda asked: text)


def again(attempt: int) -> CompletionRequest:
    return replace(request(), attempt=attempt)


def test_a_reply_that_was_cut_comes_again_until_it_is_asked_for_anew():
    ledger, whole = MemoryLedger(), ScriptedModel(lambda asked: "hi")
    assert not RecordedModel(cut("h"), ledger).complete(request()).is_whole
    recorded = RecordedModel(whole, ledger)
    assert recorded.complete(request()).text == "h"
    assert whole.n_calls == 0
    assert [recorded.complete(again(1)).text for _ in range(2)] == ["hi", "hi"]
    assert whole.n_calls == 1
    assert ledger.n_sent == 2


def test_a_whole_reply_of_an_earlier_attempt_is_not_paid_for_again():
    ledger, model = MemoryLedger(), ScriptedModel(lambda asked: "hi")
    recorded = RecordedModel(model, ledger)
    recorded.complete(request())
    assert recorded.complete(again(3)).from_cache
    assert model.n_calls == 1


def test_an_attempt_that_was_cut_itself_is_replayed_as_it_was():
    ledger = MemoryLedger()
    for attempt, text in enumerate(("a", "b")):
        RecordedModel(cut(text), ledger).complete(again(attempt))
    replayed = RecordedModel(ScriptedModel(lambda asked: "new"), ledger)
    assert [replayed.complete(again(attempt)).text for attempt in range(3)] == ["a", "b", "new"]


def test_a_first_attempt_has_the_key_that_it_always_had():
    assert request().key("scripted:") == (
        "af9af59fd909759b350dd8ceac0b12fe61f28deb5d829d0a326271123dba8798"
    )


def test_many_workers_send_each_distinct_request_once(open_stub, stub):
    recorded = RecordedModel(open_stub("openai:stub-slow-5"), MemoryLedger(), concurrency_limit=3)

    def ask(number: int) -> str:
        return recorded.complete(request(f"line {number % 5}\nx?", model="stub-slow-5")).text

    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(ask, range(40)))
    assert len(set(texts)) == 5
    assert (stub.count.n_requests, stub.count.n_distinct) == (5, 5)
