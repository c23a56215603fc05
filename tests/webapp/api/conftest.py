"""Clients of the API: a passer-by, a viewer and a lead with their tokens, and a rater."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from annotation.models import Campaign
from tests.annotation.toy_campaigns import make_campaign
from tests.webapp.api.api_raters import ApiRater
from webapp.sign_in.links import make_user


@pytest.fixture
def passer_by() -> APIClient:
    return APIClient()


@pytest.fixture
def client_of(db: None) -> Callable[[str], APIClient]:
    """A client with the token of a new user in that role."""

    def make(role: str) -> APIClient:
        client = APIClient()
        token = Token.objects.create(user=make_user(name=f"a-{role}", role=role))
        client.credentials(HTTP_AUTHORIZATION=f"Token {token.key}")
        return client

    return make


@pytest.fixture
def lead(client_of: Callable[[str], APIClient]) -> APIClient:
    return client_of("lead")


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign(n_pairs=3, ask_confidence=True)


@pytest.fixture
def rater(campaign: Campaign) -> ApiRater:
    joined = ApiRater()
    joined.join()
    return joined
