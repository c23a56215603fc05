"""A crowd of raters on a real site."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.annotation.concurrency.http_rater import HttpRater
from tests.house.site_process import ROOT, SiteProcess

BOOKS = "tests.annotation.concurrency.crowd_books"


def make_campaign(environment: Mapping[str, str], slug: str, **options: Any) -> str:
    """The link token of a new toy campaign of the site."""
    _books(environment, "make", slug, json.dumps(options))
    return f"link-{slug}"


def look_at_books(environment: Mapping[str, str], slug: str) -> dict[str, Any]:
    """What crowd_books.look finds; fails when any kept count is not what the rows say."""
    found: dict[str, Any] = json.loads(_books(environment, "look", slug).splitlines()[-1])
    return found


@contextmanager
def running_site(environment: Mapping[str, str]) -> Iterator[SiteProcess]:
    site = SiteProcess({**environment, "MEMJURY_THROTTLE": "off"})
    try:
        site.wait_until_running()
        yield site
    finally:
        site.clean_up()


@contextmanager
def voting(raters: Sequence[HttpRater]) -> Iterator[None]:
    """All at once, while the block runs; its end waits for them."""
    threads = [threading.Thread(target=rater.vote_to_the_end) for rater in raters]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join()


def errors_of(raters: Sequence[HttpRater]) -> list[str]:
    return [rater.error for rater in raters if rater.error]


def acknowledged_by(raters: Sequence[HttpRater]) -> dict[str, str]:
    return {name: choice for rater in raters for name, choice in rater.acknowledged.items()}


def _books(environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", BOOKS, *arguments],
        cwd=ROOT,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.stdout}\n{done.stderr[-4000:]}")
    return done.stdout
