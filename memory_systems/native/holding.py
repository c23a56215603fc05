"""One holder a store: published packages open their files for themselves alone."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from memory_systems.base import SystemRefused

LOCK_NAME = "holder.lock"
POLL_S = 0.1


class StoreBusy(SystemRefused):
    """Another process has held the store for longer than this one would wait."""


class HeldFolder:
    """The folder, held by this object alone until ``release``; others wait, up to ``wait_s``.

    A killed process holds nothing.
    """

    def __init__(self, folder: Path, *, wait_s: float) -> None:
        """Raises StoreBusy."""
        folder.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    os.close(self._descriptor)
                    raise StoreBusy(
                        f"the store in {folder} has been in use for {wait_s:g} s by another process"
                    ) from None
                time.sleep(POLL_S)
            else:
                return

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
