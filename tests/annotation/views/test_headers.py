"""What travels with a rater's pages, besides their text."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.views.places import COOKIE
from tests.annotation.views.conftest import PARTIAL, Visitor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("headers", [{}, PARTIAL])
def test_no_page_is_kept_indexed_or_referred_from(rater: Visitor, headers: dict[str, str]) -> None:
    for response in (
        rater.look(headers=headers),
        rater.send("cast", {**rater.form(), "choice": "a"}, headers=headers),
        rater.send("cast", {"choice": "a"}, headers=headers),
        rater.client.put(rater.address),
        Client().get("/vote/nowhere/"),
    ):
        assert response["Cache-Control"] == "no-store"
        assert response["Referrer-Policy"] == "no-referrer"
        assert response["X-Robots-Tag"] == "noindex"
        assert "ETag" not in response
        assert "Last-Modified" not in response


def test_the_place_is_a_signed_cookie_for_the_pages_of_its_campaign(
    visitor: Visitor, settings: Settings
) -> None:
    cookie = visitor.join().cookies[COOKIE]
    assert cookie["path"] == visitor.address
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["secure"]
    assert ":" in cookie.value


def test_in_production_the_cookie_travels_encrypted_alone(
    visitor: Visitor, settings: Settings
) -> None:
    settings.MEMJURY_PRODUCTION = True
    settings.SECURE_SSL_REDIRECT = False
    assert visitor.join().cookies[COOKIE]["secure"]


def test_a_rater_s_page_links_to_nothing_but_itself(rater: Visitor) -> None:
    html = rater.look().content.decode()
    links = {part.split('"')[0] for part in html.split('href="')[1:]}
    actions = {part.split('"')[0] for part in html.split('action="')[1:]}
    assert {link for link in links if not link.startswith("/static/")} == {"#content"}
    assert all(action.startswith(rater.address) for action in actions)


def test_voting_asks_the_database_for_no_session(
    rater: Visitor, django_assert_max_num_queries: object
) -> None:
    fields = {**rater.form(), "choice": "a"}
    with django_assert_max_num_queries(40) as queries:  # type: ignore[operator]
        rater.send("cast", fields, headers=PARTIAL)
    assert not [one for one in queries.captured_queries if "django_session" in one["sql"]]
    assert not [one for one in queries.captured_queries if "auth_user" in one["sql"]]
