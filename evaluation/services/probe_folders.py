"""Where the doctor tries memories: folders that go when they are done with, or when their process
was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

PREFIX = "probe-"


@contextmanager
def probe_folder() -> Iterator[Path]:
    """A new folder in the data folder. What killed processes left there is taken away first."""
    place = Path(settings.MEMJURY_DATA) / "probes"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        _clear_away(place)
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        holder = os.open(folder, os.O_RDONLY)
        fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(holder)


def _clear_away(place: Path) -> None:
    """The folders that no living process holds."""
    for folder in place.glob(f"{PREFIX}*"):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)
