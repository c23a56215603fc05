"""Nothing that reaches a rater before the vote names anybody; who reads names reads no answer."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.blinding.crawl import crawl, known_values, visitors
from tests.blinding.planted import Planted
from tests.blinding.routes import Route, RouteUnknown, routes

pytestmark = pytest.mark.django_db


def test_the_crawl_knows_how_to_fill_every_route_in(planted: Planted) -> None:
    known = known_values(planted)
    filled = [address for route in routes() for address in route.addresses(known)]
    assert len(filled) > 100
    assert not [address for address in filled if "<" in address or "{" in address]


def test_a_route_that_nobody_filled_in_fails_the_crawl(planted: Planted) -> None:
    known = known_values(planted)
    with pytest.raises(RouteUnknown, match="no values for colour"):
        list(Route("benchmarks/<slug:slug>/<slug:colour>/").addresses(known))
    with pytest.raises(RouteUnknown):
        list(Route("news/<slug:slug>/").addresses(known))


def test_the_crawl_reaches_the_texts_that_people_vote_on(planted: Planted) -> None:
    rater = visitors(planted)["rater"]
    page = rater.get(f"/vote/{planted.campaign.link_token}/").content
    assert len(planted.canaries.answers_in(page)) == 2
    board = Client().get("/benchmarks/glass/").content
    assert any("system" in what for what in planted.canaries.identities_in(board))


def test_nobody_who_may_vote_can_tell_who_wrote_an_answer(planted: Planted) -> None:
    assert crawl(planted) == []
