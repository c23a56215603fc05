"""How many requests somebody has sent within this minute, counted for all web processes together.

A cache in each process's memory would give every process a limit of its own, and the cache that
Django shares through files or the database costs more than a vote may wait. So the counts lie in
one file of fixed size in the data folder: a slot for each sender, found by a keyed hash (the file
names nobody), changed under a lock of some microseconds. Where many senders meet in one place of
the file the smallest count gives way, which lets somebody send more, never less.
"""

from __future__ import annotations

import fcntl
import logging
import os
import struct
import threading
import time
from hashlib import blake2b
from pathlib import Path
from typing import Final

from django.conf import settings

WINDOW_S: Final = 60
COUNTS_FILE: Final = "request-counts"
N_SLOTS: Final = 65_536
N_TRIED: Final = 8
"""Neighbouring slots that a sender may stand in."""
_SLOT: Final = struct.Struct("<QII")
_LOG = logging.getLogger(__name__)
_LOCK = threading.Lock()
_open: dict[Path, int] = {}


def count_one(sender: str) -> tuple[int, int]:
    """Count a request: how many that sender has sent in this minute, and the seconds left of it.

    A file that cannot be written counts nothing and is logged: nobody is refused for it.
    """
    window, into_s = divmod(int(time.time()), WINDOW_S)
    try:
        return _count(sender, window), WINDOW_S - into_s
    except OSError:
        _LOG.exception("requests are not counted")
        return 0, WINDOW_S - into_s


def _count(sender: str, window: int) -> int:
    digest = blake2b(
        sender.encode(), digest_size=16, key=settings.SECRET_KEY.encode()[:64]
    ).digest()
    name = int.from_bytes(digest[:8], "little")
    place = int.from_bytes(digest[8:], "little") % N_SLOTS * _SLOT.size
    path = Path(settings.MEMJURY_DATA) / COUNTS_FILE
    # Other processes are kept out by the lock of the file, other threads of this one by ours.
    with _LOCK:
        file = _file(path)
        fcntl.lockf(file, fcntl.LOCK_EX)
        try:
            stored = os.pread(file, N_TRIED * _SLOT.size, place)
            number, count = _slot_of(name, window, stored)
            os.pwrite(file, _SLOT.pack(name, window, count + 1), place + number * _SLOT.size)
        finally:
            fcntl.lockf(file, fcntl.LOCK_UN)
    return count + 1


def _slot_of(name: int, window: int, stored: bytes) -> tuple[int, int]:
    """The sender's slot and count; else a slot whose minute is over, or the one that counts
    least."""
    slots = list(_SLOT.iter_unpack(stored.ljust(N_TRIED * _SLOT.size, b"\0")))
    for number, (whose, when, count) in enumerate(slots):
        if (whose, when) == (name, window):
            return number, count
    counts = [count if when == window else 0 for _, when, count in slots]
    return counts.index(min(counts)), 0


def _file(path: Path) -> int:
    if path not in _open:
        for other in list(_open):
            os.close(_open.pop(other))
        _open[path] = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    return _open[path]
