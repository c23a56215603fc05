from random import Random

import pytest

from evaluation.language_models.base import Completion
from evaluation.language_models.errors import (
    EndpointFailed,
    EndpointRefused,
    EndpointTimedOut,
    RateLimited,
)
from evaluation.language_models.retry import RetryPolicy

REPLY = Completion("hi", 1, 1, 1.0)


class Failing:
    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    def __call__(self) -> Completion:
        if self.errors:
            raise self.errors.pop(0)
        return REPLY


def test_waits_double_with_up_to_half_as_much_again():
    waits: list[float] = []
    policy = RetryPolicy(attempts=4, first_wait_s=2.0, rng=Random(0), sleep=waits.append)
    assert policy.run(Failing(*[EndpointFailed("no")] * 3)) is REPLY
    assert [low <= wait <= 1.5 * low for low, wait in zip((2, 4, 8), waits, strict=True)] == [
        True
    ] * 3


def test_no_wait_is_longer_than_the_longest():
    waits: list[float] = []
    policy = RetryPolicy(attempts=3, first_wait_s=50, longest_wait_s=9, sleep=waits.append)
    policy.run(Failing(*[EndpointFailed("no")] * 2))
    assert waits == [9, 9]


def test_nothing_is_sent_again_when_much_time_has_passed():
    clock = iter([0.0, 180.0, 361.0]).__next__
    policy = RetryPolicy(attempts=5, sleep=lambda seconds: None, clock=clock)
    with pytest.raises(EndpointTimedOut, match="second"):
        policy.run(Failing(*[EndpointTimedOut(told) for told in ("first", "second", "third")]))


def test_nobody_waits_for_a_sending_that_would_come_too_late():
    waits: list[float] = []
    clock = iter([0.0, 200.0]).__next__
    with pytest.raises(RateLimited, match="busy"):
        RetryPolicy(sleep=waits.append, clock=clock).run(
            Failing(RateLimited("busy", retry_after=60.0))
        )
    assert waits == []


def test_the_last_error_is_raised_when_attempts_run_out():
    policy = RetryPolicy(attempts=2, sleep=lambda seconds: None)
    with pytest.raises(EndpointFailed, match="second"):
        policy.run(Failing(EndpointFailed("first"), EndpointFailed("second")))


@pytest.mark.parametrize("error", [EndpointRefused("no"), RuntimeError("bug")])
def test_what_would_not_help_is_not_tried_again(error):
    failing = Failing(error, EndpointFailed("never reached"))
    with pytest.raises(type(error)):
        RetryPolicy(sleep=lambda seconds: None).run(failing)
    assert len(failing.errors) == 1


def test_a_policy_without_an_attempt_is_refused():
    with pytest.raises(ValueError, match="at least one attempt"):
        RetryPolicy(attempts=0)
