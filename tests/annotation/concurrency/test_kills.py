"""Kill -9 of web and worker while people vote: every acknowledged vote is there, and voting goes
on."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.annotation.concurrency.crowd import (
    acknowledged_by,
    errors_of,
    look_at_books,
    make_campaign,
    voting,
)
from tests.annotation.concurrency.http_rater import HttpRater
from tests.house.site_process import SiteProcess

pytestmark = pytest.mark.worker
KILLER = Path(__file__).parent / "killer"
N_RATERS = 8
N_KILLS = {"web": 6, "worker": 4, "commit": 7, "everything": 3}
LONGEST_S = 240.0


class MortalSite:
    """A site on one data folder that is killed on purpose and comes back on the same port."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.order = folder / "vote-kill-order"
        self.environment = {
            **environment,
            "PYTHONPATH": str(KILLER),
            "VOTE_KILL_ORDER": str(self.order),
            "MEMJURY_THROTTLE": "off",
        }
        self.site = SiteProcess(self.environment)
        self.site.wait_until_running()

    def kill(self, kind: str, rng: random.Random) -> None:
        if kind == "commit":
            when = rng.choice(["before", "after"])
            self.order.write_text(f"{when} {rng.randint(1, 10)} {rng.random()}")
            wait_until(lambda: not self.order.exists(), "a web worker dies in a commit")
            return
        words = {"web": "gunicorn", "worker": "celery", "everything": ""}[kind]
        for pid in self.site.find(words):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if kind == "everything":
            self.site.process.wait(timeout=10)
            self.site.wait_until_gone()
            self.site.clean_up()
            self.site = SiteProcess(self.environment)
            self.site.wait_until_running()


@pytest.fixture
def mortal(process_environment: dict[str, str], tmp_path: Path):
    site = MortalSite(process_environment, tmp_path)
    try:
        yield site
    finally:
        site.site.clean_up()


def test_votes_survive_twenty_kills_and_voting_goes_on(
    mortal: MortalSite, process_environment: dict[str, str]
) -> None:
    token = make_campaign(process_environment, "killed", n_pairs=4_000, overlap=3)
    ends = threading.Event()
    raters = [
        HttpRater(mortal.site.port, token, seed, pauses_s=0.2, is_patient=True, ends=ends)
        for seed in range(N_RATERS)
    ]
    plan = [kind for kind, n_kills in N_KILLS.items() for _ in range(n_kills)]
    random.Random(20).shuffle(plan)
    assert len(plan) == 20
    with voting(raters):
        try:
            for seed, kind in enumerate(plan):
                rng = random.Random(f"{kind} {seed}")
                wait_for_votes(raters, rng.randint(1, 12))
                mortal.kill(kind, rng)
            wait_for_votes(raters, 10)
        finally:
            ends.set()
    assert errors_of(raters) == []
    books = look_at_books(process_environment, "killed")
    missing = acknowledged_by(raters).items() - books["choices"].items()
    assert not missing
    assert books["most_on_a_pair"] <= 3


def wait_for_votes(raters: Sequence[HttpRater], more: int) -> None:
    least = sum(rater.n_acknowledged for rater in raters) + more
    wait_until(
        lambda: sum(rater.n_acknowledged for rater in raters) >= least or bool(errors_of(raters)),
        "voting goes on",
    )


def wait_until(condition, what: str) -> None:
    give_up_at = time.monotonic() + LONGEST_S
    while not condition():
        assert time.monotonic() < give_up_at, f"waited in vain until {what}"
        time.sleep(0.02)
