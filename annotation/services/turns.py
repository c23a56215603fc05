"""A campaign's lock: whoever gives, takes or frees a place of its pairs does so in a turn."""

from __future__ import annotations

import fcntl
import os
import random
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignSystem, CampaignTally, Pair
from annotation.services.sides import moved
from annotation.services.statements import (
    Asked,
    Prepared,
    Slot,
    change,
    first_of_each,
    held_writes,
)
from annotation.services.voting_refusals import CampaignNotFound

SECURE = secrets.SystemRandom()
QUEUE_FILE = "voting.lock"
_OPENED = threading.local()


@dataclass(slots=True)
class Turn:
    """What is read under the lock, and what the turn adds to the tally when it ends.

    ``balance``: left − right of each CampaignSystem id. ``answers``: to what was asked along.
    ``new_pair``: one that was found new to the turn's rater, until it is given.
    ``has_news`` marks what can change a report.
    """

    campaign: Campaign
    options: CampaignOptions
    now: datetime
    rng: random.Random
    balance: dict[str, int]
    answers: tuple[Any, ...] = ()
    new_pair: Pair | None = None
    n_votes: int = 0
    n_counted: int = 0
    has_news: bool = False
    balance_was: dict[str, int] = field(default_factory=dict)

    @property
    def lock_until(self) -> datetime:
        return self.now + timedelta(minutes=self.options.lock_minutes)

    def move(
        self, first_id: int | None, second_id: int | None, left_is_first: bool, by: int
    ) -> None:
        """Note ``by`` sightings of a pair on these sides."""
        if first_id is None or second_id is None:
            return
        left, right = (first_id, second_id) if left_is_first else (second_id, first_id)
        moved(self.balance, str(left), str(right), by)


@contextmanager
def campaign_turn(
    *,
    now: datetime,
    campaign_token: str | None = None,
    campaign_id: int | None = None,
    rng: random.Random | None = None,
    asked: Sequence[Asked[Any]] = (),
) -> Iterator[Turn]:
    """The turn of a campaign, by its link or its row: one transaction, one at a time. ``asked`` is
    answered under the lock.

    On PostgreSQL the tally's row is locked; on SQLite every write transaction is immediate and so
    already alone. Nothing read before the turn may be written in it. Raises CampaignNotFound.
    """
    with _transaction():
        tally, *answers = first_of_each(
            _BY_LINK.ask(token=campaign_token)
            if campaign_id is None
            else _BY_ROW.ask(campaign=campaign_id),
            *asked,
        )
        if tally is None:
            raise CampaignNotFound
        balance = tally.side_balance or _even(tally.pk)
        turn = Turn(
            campaign=tally.campaign,
            options=CampaignOptions.from_json(tally.campaign.options),
            now=now,
            rng=rng or SECURE,
            balance=dict(balance),
            answers=tuple(answers),
            balance_was=balance,
        )
        yield turn
        _keep(tally.pk, turn)


@contextmanager
def _transaction() -> Iterator[None]:
    """One transaction, and as short as each database allows; inside another it is part of that.

    SQLite: wait in the kernel for one's turn to write, since SQLite itself polls, with growing
    pauses in which the database idles; a process that dies leaves the queue. PostgreSQL: send the
    writes together.
    """
    if connection.in_atomic_block:
        with transaction.atomic():
            yield
    elif connection.vendor == "sqlite":
        queue = _queue()
        fcntl.flock(queue, fcntl.LOCK_EX)
        try:
            with transaction.atomic():
                yield
        finally:
            fcntl.flock(queue, fcntl.LOCK_UN)
    else:
        with transaction.atomic(), held_writes():
            yield


class _Queue:
    """One descriptor of the file that voters queue at, closed with the thread that holds it."""

    def __init__(self, path: Path) -> None:
        self.path, self.process = path, os.getpid()
        self.descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def __del__(self) -> None:
        with suppress(AttributeError):  # it was never opened
            os.close(self.descriptor)


def _queue() -> int:
    """This thread's own descriptor of the queue; a fork opens another, since both would hold the
    lock of one."""
    path = settings.MEMJURY_DATA / QUEUE_FILE
    queue: _Queue | None = getattr(_OPENED, "queue", None)
    if queue is None or (queue.path, queue.process) != (path, os.getpid()):
        queue = _OPENED.queue = _Queue(path)
    return queue.descriptor


def _even(campaign_id: int) -> dict[str, int]:
    systems = CampaignSystem.objects.filter(campaign=campaign_id).values_list("pk", flat=True)
    return {str(pk): 0 for pk in systems}


def _keep(campaign_id: int, turn: Turn) -> None:
    if not turn.has_news and turn.balance == turn.balance_was:
        return
    added = {
        "version": int(turn.has_news),
        "n_votes": turn.n_votes,
        "n_counted": turn.n_counted,
    }
    change(CampaignTally, campaign_id, add=added, put={"side_balance": turn.balance})


def _tallies() -> QuerySet[CampaignTally]:
    return (
        CampaignTally.objects.select_for_update(of=("self",))
        .select_related("campaign")
        .defer("campaign__sampling", "campaign__source")
    )


def _by_link() -> QuerySet[CampaignTally]:
    token = Slot("token", Campaign._meta.get_field("link_token"))
    return _tallies().filter(campaign__link_token=token)


def _by_row() -> QuerySet[CampaignTally]:
    return _tallies().filter(pk=Slot("campaign", Campaign._meta.get_field("id")))


_BY_LINK, _BY_ROW = Prepared(_by_link), Prepared(_by_row)
