"""A rater in front of the pages: an open campaign, a browser's memory, and forms as they came."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign
from tests.annotation.toy_campaigns import make_campaign

PARTIAL = {"X-Partial": "stage"}


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign(n_pairs=4, ask_confidence=True, gives_completion_code=True)


class Visitor:
    """Fills in the forms that the pages hold, as a browser without a script does."""

    def __init__(self, campaign: Campaign, **client: Any) -> None:
        self.client = Client(**client)
        self.address = f"/vote/{campaign.link_token}/"

    def look(self, query: str = "", **options: Any) -> Any:
        return self.client.get(f"{self.address}{query}", **options)

    def join(self) -> Any:
        return self.send("consent")

    def form(self) -> dict[str, str]:
        """The hidden fields of the page's ballot."""
        return hidden_fields(self.look())

    def send(self, act: str, fields: dict[str, Any] | None = None, **options: Any) -> Any:
        return self.client.post(f"{self.address}{act}/", fields or {}, **options)

    def vote(self, choice: str = "a", **fields: Any) -> Any:
        return self.send("cast", {**self.form(), "choice": choice, **fields})


def hidden_fields(response: Any) -> dict[str, str]:
    html = response.content.decode()
    ballot = html[html.index('<form id="ballot"') :]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', ballot)
    return {name: unescape(value) for name, value in found[:3]}


@pytest.fixture
def visitor(campaign: Campaign) -> Visitor:
    return Visitor(campaign)


@pytest.fixture
def rater(visitor: Visitor) -> Visitor:
    """Has agreed, and may vote."""
    visitor.join()
    return visitor
