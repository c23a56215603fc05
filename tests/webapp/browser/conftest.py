"""A real browser against the live server, watched for errors and refused content."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from django.contrib.auth.models import Group, User
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Run
from tests.evaluation.toy_runs import measured_run

# Playwright keeps an event loop in the thread; Django's ORM would refuse to work beside it.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
Theme = Literal["light", "dark"]
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
WATCH = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.refused.push(`${event.violatedDirective} ${event.sourceFile}:${event.lineNumber}`);
});
"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if not CHROMIUM:
        pytest.skip("no Chromium (set CHROMIUM or install chromium)")
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": list(QUIET)}


@pytest.fixture
def toy(transactional_db: None) -> Run:
    """A really measured run of the toy benchmark: two systems, native and a budget."""
    return measured_run(systems=("bm25", "simple-rag", "base-model"), tracks=("native", "1k", "2k"))


@pytest.fixture
def lead_user(transactional_db: None, django_user_model: type[User]) -> User:
    user = django_user_model.objects.create_user("lead", password="correct horse")
    user.groups.add(Group.objects.get_or_create(name="lead")[0])
    return user


class Reader:
    """A browser page that remembers what went wrong."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.troubles: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text}")

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.address}{path}", wait_until="networkidle")
        return self.page

    def sign_in(self, user: User) -> None:
        page = self.open("/sign-in/")
        page.fill("[name=username]", user.get_username())
        page.fill("[name=password]", "correct horse")
        page.locator("main").get_by_role("button", name="Sign in").click()
        page.wait_for_load_state("networkidle")

    @property
    def refused(self) -> list[str]:
        found: list[str] = self.page.evaluate("window.refused")
        return found

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return max(0, width)


def _context(browser: Browser, width: int, theme: Theme, **options: Any) -> BrowserContext:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, **options
    )
    context.add_init_script(WATCH)
    return context


@pytest.fixture
def reader(browser: Browser, live_server: LiveServer) -> Iterator[Reader]:
    """At a desk, in the light; it must go wrong nowhere."""
    context = _context(browser, 1440, "light")
    reader = Reader(context.new_page(), live_server.url)
    yield reader
    assert reader.troubles == []
    assert reader.refused == []
    context.close()


@pytest.fixture
def reader_at(browser: Browser, live_server: LiveServer) -> Iterator[Any]:
    """Makes readers of any width and theme, with or without JavaScript."""
    contexts: list[BrowserContext] = []

    def make(width: int, theme: Theme, *, with_script: bool = True) -> Reader:
        context = _context(browser, width, theme, java_script_enabled=with_script)
        contexts.append(context)
        return Reader(context.new_page(), live_server.url)

    yield make
    for context in contexts:
        context.close()
