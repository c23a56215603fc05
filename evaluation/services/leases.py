"""Leases: while one is live nobody else does the same work; a dead holder's counts no more."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from threading import Event, Thread

from django.db import DatabaseError, connection
from django.db.models import F, Q
from django.utils import timezone

from evaluation.models import Work
from evaluation.services.failures import RunInterrupted
from evaluation.services.run_state import pause_because

_LOG = logging.getLogger(__name__)
WORK_LEASE = timedelta(minutes=15)
RENEW_EVERY_S = 60.0
MOST_DEATHS = 5
"""A work that so many processes died of is not tried again until somebody resumes the run."""


def lease_owner() -> str:
    """``host:pid:start`` of this process; the start time tells a reused pid apart."""
    return f"{socket.gethostname()}:{os.getpid()}:{_started(os.getpid())}"


def is_dead(owner: str) -> bool:
    """Whether the holder is certainly gone: a process of this host that no longer runs."""
    host, _, rest = owner.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname():
        return False
    return _started(int(rest)) != owner.rpartition(":")[2]


def _started(pid: int) -> str:
    """The process's start in clock ticks since boot, "0" if it does not run or is a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return _started_elsewhere(pid)
    return "0" if fields[0] in "ZX" else f"{_boot_id()}-{fields[19]}"


def _started_elsewhere(pid: int) -> str:
    """Without /proc the start is unknown: only whether the pid runs."""
    if Path("/proc").exists():
        return "0"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "0"
    except PermissionError:
        return "alive"
    return "alive"


@lru_cache(maxsize=1)
def _boot_id() -> str:
    path = Path("/proc/sys/kernel/random/boot_id")
    return path.read_text().strip()[:8] if path.exists() else "boot"


def claim_work(*, work_id: int) -> Work | None:
    """Take the lease of an open work, or None: it is done, someone alive holds it, or too many
    processes died of it; then the run is paused and says so."""
    now = timezone.now()
    work = Work.objects.select_related("run").get(pk=work_id)
    if work.done_at is not None:
        return None
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    if work.lease_owner and is_dead(work.lease_owner):
        free |= Q(lease_owner=work.lease_owner)
    taken = Work.objects.filter(free, pk=work_id, done_at=None).update(
        lease_owner=lease_owner(),
        lease_until=now + WORK_LEASE,
        started_at=work.started_at or now,
        n_attempts=F("n_attempts") + 1,
        n_deaths=F("n_deaths") + (1 if work.lease_owner else 0),
    )
    if not taken:
        return None
    work.refresh_from_db()
    if work.n_deaths >= MOST_DEATHS:
        _give_up(work)
        return None
    return work


def _give_up(work: Work) -> None:
    reason = (
        f"{work.n_deaths} worker processes died while they did {work.key}: they were killed or ran "
        "out of memory. Resume the run to try it again"
    )
    pause_because(run_id=work.run_id, reason=reason)
    release_work(work_id=work.pk, error=reason)
    Work.objects.filter(pk=work.pk).update(n_deaths=0)


def renew_lease(*, work_id: int) -> bool:
    """Prolong this process's lease; False when it was lost to someone else."""
    return bool(
        Work.objects.filter(pk=work_id, lease_owner=lease_owner(), done_at=None).update(
            lease_until=timezone.now() + WORK_LEASE
        )
    )


def hold_lease(*, work_id: int) -> None:
    """Prolong this process's lease. Raises RunInterrupted where someone else has it by now, as
    after this machine slept: what they do is not done twice."""
    if not renew_lease(work_id=work_id):
        raise RunInterrupted


@contextmanager
def lease_kept(*, work_id: int) -> Iterator[None]:
    """This process's lease is prolonged while the block runs, for one document or one answer may
    take longer than a lease."""
    is_over = Event()
    thread = Thread(target=_renew_until, args=(is_over, work_id), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _renew_until(is_over: Event, work_id: int) -> None:
    try:
        while not is_over.wait(RENEW_EVERY_S):
            try:
                renew_lease(work_id=work_id)
            except DatabaseError as error:
                _LOG.warning("the lease of work %s was not prolonged: %s", work_id, error)
                connection.close()
    finally:
        connection.close()


def release_work(*, work_id: int, error: str = "") -> None:
    """Give an unfinished work back."""
    Work.objects.filter(pk=work_id, lease_owner=lease_owner()).update(
        lease_owner="", lease_until=None, last_error=error
    )


def finish_work(*, work_id: int, at: datetime | None = None) -> None:
    Work.objects.filter(pk=work_id, done_at=None).update(
        done_at=at or timezone.now(), lease_owner="", lease_until=None, last_error=""
    )
