"""A rater in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign
from tests.annotation.toy_campaigns import make_campaign
from tests.webapp.browser.conftest import (  # noqa: F401
    WATCH,
    Reader,
    browser_type_launch_args,
    reader_at,
)

# Machines that test are busy, and some of these pages wait before they ask a server again.
expect.set_options(timeout=15_000)


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    return make_campaign(n_pairs=4, ask_confidence=True, gives_completion_code=True)


class Rater(Reader):
    """A reader who votes."""

    def __init__(self, page: Page, address: str, campaign: Campaign) -> None:
        super().__init__(page, address)
        self.path = f"/vote/{campaign.link_token}/"

    def come(self) -> Page:
        return self.open(self.path)

    def join(self) -> Page:
        page = self.come()
        page.get_by_role("button", name="I agree, start").click()
        expect(page.locator("#ballot")).to_be_visible()
        return page

    @property
    def assignment(self) -> str:
        found: str = self.page.evaluate("document.getElementById('stage').dataset.assignment || ''")
        return found

    def texts(self) -> list[str]:
        return self.page.locator(".side > .pane").all_inner_texts()

    def says(self, words: str) -> None:
        expect(self.page.locator("#said")).to_contain_text(words)


@pytest.fixture
def rater_in(browser: Browser, live_server: LiveServer, campaign: Campaign) -> Iterator[Any]:
    """Makes raters in browsers of any kind; options are those of Playwright's contexts."""
    contexts: list[BrowserContext] = []

    def make(width: int = 1440, **options: Any) -> Rater:
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        context.add_init_script(WATCH)
        contexts.append(context)
        return Rater(context.new_page(), live_server.url, campaign)

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def rater(rater_in: Any) -> Iterator[Rater]:
    """Has agreed, at a desk; nothing may go wrong in the console."""
    rater: Rater = rater_in()
    rater.join()
    yield rater
    assert rater.troubles == []
    assert rater.refused == []
