"""Every stage, wide and narrow, light and dark: nothing for axe, nothing sideways."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.blinding.voting_page import (
    CLOSED,
    CONSENT,
    DONE,
    REVEALED,
    VOTING,
    WAITING,
    VotingPage,
)
from annotation.services import voting
from tests.annotation.views import sample_pages as samples
from tests.webapp.browser.conftest import Reader

pytestmark = pytest.mark.browser
LOOKS = [(1440, "light"), (1440, "dark"), (768, "dark"), (360, "light"), (360, "dark")]


def pages() -> list[tuple[str, VotingPage]]:
    contexts = samples.pair("long", left_context_html="<p>left</p>", right_context_html="<p>r</p>")
    shows_context = samples.campaign(shows_context=True, is_simulated=True)
    return [
        *((stage, samples.page(stage)) for stage in (CLOSED, CONSENT, REVEALED, WAITING, DONE)),
        *((texts, samples.page(VOTING, texts)) for texts in samples.TEXTS),
        ("before a reveal", samples.page(REVEALED, revealed=(), can_undo=True)),
        ("contexts", samples.page(VOTING, campaign=shows_context, pair=contexts)),
        ("unfinished", samples.page(DONE, revealed=(), can_undo=True)),
    ]


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_stage_can_be_read_by_everyone(
    reader_at: Any, transactional_db: None, monkeypatch: pytest.MonkeyPatch, width: int, theme: str
) -> None:
    reader: Reader = reader_at(width, theme)
    found = []
    for name, page in pages():
        monkeypatch.setattr(voting, "voting_page", lambda page=page, **_: page)
        reader.open(f"/vote/{samples.TOKEN}/")
        found += _troubles(reader, name)
        if name == "long":
            reader.page.keyboard.press("?")
            found += _troubles(reader, "help")
            reader.page.keyboard.press("?")
            reader.page.keyboard.press("a")
            reader.page.locator("summary", has_text="Withdraw").click()
            found += _troubles(reader, "everything opened")
    assert found == []
    assert reader.troubles == []
    assert reader.refused == []


def test_a_refusal_and_an_unknown_address_can_be_read_by_everyone(
    reader_at: Any, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader: Reader = reader_at(360, "dark")
    reader.open("/vote/nowhere/")
    assert _troubles(reader, "unknown") == []
    closed = replace(samples.page(CLOSED), sentence="This vote has closed.")
    monkeypatch.setattr(voting, "voting_page", lambda **_: closed)
    reader.open(f"/vote/{samples.TOKEN}/")
    assert _troubles(reader, "closed") == []


def _troubles(reader: Reader, name: str) -> list[str]:
    found = [
        f"{name}: {one['id']} ({one['nodes'][0]['html'][:120]})"
        for one in Axe().run(reader.page).response["violations"]
    ]
    return [*found, f"{name}: {reader.overflow} pixels too wide"] if reader.overflow else found
