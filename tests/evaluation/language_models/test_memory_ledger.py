from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock
from time import sleep

import pytest

from evaluation.language_models.base import (
    Completion,
    CompletionRequest,
    Message,
    SpendingLimitReached,
)
from tests.evaluation.language_models.memory_ledger import MemoryLedger

REQUEST = CompletionRequest("m", (Message("user", "hello"),), 10)
REPLY = Completion("hi", 1, 1, 5.0, cost_usd=0.25)


def begin(ledger, key="k", *, limit=4, most=0.0, provider="p"):
    return ledger.begin(
        key, provider=provider, model="m", request=REQUEST,
        concurrency_limit=limit, most_it_can_cost_usd=most,
    )  # fmt: skip


def test_a_finished_request_is_answered_from_the_ledger():
    ledger = MemoryLedger()
    assert begin(ledger) is None
    ledger.finish("k", REPLY)
    stored = begin(ledger)
    assert stored is not None
    assert (stored.text, stored.from_cache, stored.cost_usd) == ("hi", True, 0.25)
    assert (ledger.n_sent, ledger.spent_usd) == (1, 0.25)


def test_a_failed_request_may_be_sent_again():
    ledger = MemoryLedger()
    begin(ledger)
    ledger.fail("k", "time-out")
    assert begin(ledger) is None
    assert ledger.failures == [("k", "time-out")]


def test_a_request_that_nobody_holds_cannot_be_finished():
    with pytest.raises(KeyError):
        MemoryLedger().finish("k", REPLY)


def test_many_threads_with_one_request_send_it_once():
    ledger, barrier = MemoryLedger(), Barrier(8)

    def ask(_: int) -> str:
        barrier.wait()
        stored = begin(ledger)
        if stored is None:
            sleep(0.02)
            ledger.finish("k", REPLY)
            return "hi"
        return stored.text

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == ["hi"] * 8
    assert ledger.n_sent == 1


def test_no_more_requests_fly_than_the_limit_allows():
    ledger, lock = MemoryLedger(), Lock()
    flying, most = 0, 0

    def ask(number: int) -> None:
        nonlocal flying, most
        begin(ledger, f"k{number}", limit=3)
        with lock:
            flying += 1
            most = max(most, flying)
        sleep(0.005)
        with lock:
            flying -= 1
        ledger.finish(f"k{number}", REPLY)

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(ask, range(30)))
    assert most <= 3
    assert ledger.n_sent == 30


def test_the_most_that_flying_requests_can_cost_counts_against_the_limit():
    ledger = MemoryLedger(spending_limit_usd=1.0)
    begin(ledger, "a", most=0.6)
    with pytest.raises(SpendingLimitReached, match="could cost"):
        begin(ledger, "b", most=0.6)
    ledger.finish("a", REPLY)  # it cost 0.25 in the end
    assert begin(ledger, "b", most=0.6) is None


def test_an_unknown_price_cannot_keep_a_limit():
    with pytest.raises(SpendingLimitReached, match="not known"):
        begin(MemoryLedger(spending_limit_usd=1.0), most=None)
    assert begin(MemoryLedger(), most=None) is None


def test_a_limit_of_no_requests_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        begin(MemoryLedger(), limit=0)
