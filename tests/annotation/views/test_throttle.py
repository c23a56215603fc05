"""How many requests a minute a rater may send, and whom a flood slows down."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from annotation.models import Campaign
from annotation.views import throttle
from tests.annotation.views.conftest import PARTIAL, Visitor

pytestmark = pytest.mark.django_db


def test_a_flood_of_votes_is_slowed_down_in_words(
    rater: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "MAX_OF_A_RATER", 3)
    statuses = [rater.send("undo").status_code for _ in range(5)]
    assert statuses == [409, 409, 409, 429, 429]
    response = rater.send("undo", headers=PARTIAL)
    assert 1 <= int(response["Retry-After"]) <= 60
    assert b"That was very fast" in response.content


def test_a_rater_is_counted_apart_from_the_neighbours(
    campaign: Campaign, rater: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "MAX_OF_A_RATER", 2)
    assert [rater.send("undo").status_code for _ in range(3)] == [409, 409, 429]
    neighbour = Visitor(campaign)
    assert neighbour.join().status_code == 303
    assert neighbour.look().status_code == 200


def test_visitors_without_a_place_are_counted_by_address(
    visitor: Visitor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "MAX_OF_AN_ADDRESS", 1)
    settings.MEMJURY_PRODUCTION = True
    settings.SECURE_SSL_REDIRECT = False

    def look(forwarded: str) -> int:
        return int(visitor.look(headers={"X-Forwarded-For": forwarded}).status_code)

    assert look("9.9.9.9, 10.0.0.1") == 200
    assert look("8.8.8.8, 10.0.0.1") == 429
    assert look("9.9.9.9, 10.0.0.2") == 200


def test_nobody_is_slowed_down_while_the_throttle_is_off(
    rater: Visitor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMJURY_THROTTLE = False
    monkeypatch.setattr(throttle, "MAX_OF_A_RATER", 1)
    assert [rater.send("undo").status_code for _ in range(4)] == [409] * 4
