"""What must hold before anything is started; each refusal is one plain sentence."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LEAST_FREE_BYTES = 300 * 2**20
LOCK_FILE = "up.lock"


class CannotStart(Exception):
    """MemJury cannot start here; the message says why and what to do, in one sentence or two."""


@contextmanager
def sole_supervisor(folder: Path, *, told: str) -> Iterator[None]:
    """Hold the data folder's lock; the kernel lets it go however this process ends.

    ``told`` (the address of the site) is what a second `up` on the same folder will say.
    Raises CannotStart.
    """
    file = folder / LOCK_FILE
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotStart(
            f"The data folder {folder} cannot be written ({error.strerror}). "
            "Point MEMJURY_DATA at another folder."
        ) from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.read(descriptor, 500).decode(errors="replace").strip()
            raise CannotStart(
                f"MemJury is already running on the data folder {folder} ({owner}). "
                "Stop it first, or point MEMJURY_DATA at another folder."
            ) from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()}, {told}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def check_writable(folder: Path) -> None:
    """Write, read back and remove a file of 64 kB. Raises CannotStart."""
    file = folder / f".write-test-{os.getpid()}"
    block = b"\0" * 65536
    try:
        file.write_bytes(block)
        whole = file.read_bytes() == block
    except OSError as error:
        raise CannotStart(
            f"The data folder {folder} cannot be written ({error.strerror}). "
            "Make space or rights there, or point MEMJURY_DATA at another folder."
        ) from error
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)
    if not whole:
        raise CannotStart(f"The data folder {folder} does not give back what was written to it.")


def check_space(folder: Path, *, least_bytes: int = LEAST_FREE_BYTES) -> None:
    free = shutil.disk_usage(folder).free
    if free < least_bytes:
        raise CannotStart(
            f"Only {free / 2**20:,.0f} MB are free where the data folder {folder} lies, and "
            f"MemJury needs {least_bytes / 2**20:,.0f} MB. "
            "Make space, or point MEMJURY_DATA at another folder."
        )


def port_problem(host: str, port: int) -> str | None:
    """Why nothing can listen there, in words; None when something can."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return "is taken by another program"
        if error.errno == errno.EACCES:
            return "needs rights that this user does not have"
        return f"cannot be listened on ({error.strerror})"
    return None


def check_port(host: str, port: int, *, patience_s: float = 3.0) -> None:
    """Raises CannotStart, but first waits a little: a site killed just now still lets go."""
    give_up_at = time.monotonic() + patience_s
    while problem := port_problem(host, port):
        if time.monotonic() >= give_up_at:
            raise CannotStart(
                f"Port {port} on {host} {problem}. Choose another one: make up PORT={port + 1}"
            )
        time.sleep(0.1)
