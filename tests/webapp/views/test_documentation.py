"""The documents that help on pages leads to."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from webapp.templatetags.words import HELP


def test_a_document_is_a_page(client: Client) -> None:
    text = client.get("/docs/protocol/").content.decode()
    assert "<h1" in text


@pytest.mark.parametrize("name", ["nothing", "PROTOCOL", "decisions-0001"])
def test_an_unknown_document_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/docs/{name}/").status_code == 404


@pytest.mark.parametrize("name", sorted(HELP))
def test_every_help_leads_to_a_heading_that_exists(client: Client, name: str) -> None:
    document, _, anchor = HELP[name][2].partition("#")
    text = client.get(f"/docs/{document}/").content.decode()
    assert anchor in re.findall(r'<h\d id="([^"]+)"', text)
