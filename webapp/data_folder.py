"""The one folder MemJury writes to, and the two secrets made there on first use."""

from __future__ import annotations

import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

BROKER_HOST = "127.0.0.1"


def open_data_folder(folder: Path) -> Path:
    """The folder, made where it is missing. Raises ImproperlyConfigured with what is wrong."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"the data folder {folder} cannot be made ({error.strerror}). "
            "Point MEMJURY_DATA at a folder that can be written."
        ) from error
    return folder


def keep_secret(file: Path, make: str) -> str:
    """The text kept in ``file`` (readable by its owner alone), which is ``make`` on first use.

    Two processes that start together agree: the file appears whole or not at all.
    """
    if file.exists():
        return file.read_text().strip()
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(make + "\n")
        try:
            os.link(draft, file)
        except FileExistsError:
            return file.read_text().strip()
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise ImproperlyConfigured(
            f"{file} cannot be written ({error.strerror}). "
            "Point MEMJURY_DATA at a folder that can be written and has space left."
        ) from error
    return make


def secret_key(folder: Path) -> str:
    """Django's signing key of this data folder."""
    return keep_secret(folder / "secret-key", secrets.token_urlsafe(64))


def broker_address_file(folder: Path) -> Path:
    return folder / "broker" / "address"


def broker_url(folder: Path) -> str:
    """The address of this folder's embedded broker, whether it is running or not."""
    return keep_secret(broker_address_file(folder), new_broker_url(free_port()))


def address_file(folder: Path) -> Path:
    """Holds the address of the site that was started last on this data folder."""
    return folder / "address"


def reachable(host: str) -> str:
    """A host name that leads to a server listening on ``host``."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def local_address(host: str, port: int) -> str:
    name = reachable(host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def new_broker_url(port: int) -> str:
    """The password keeps other people of the same machine from queueing tasks."""
    return f"redis://:{secrets.token_urlsafe(32)}@{BROKER_HOST}:{port}/0"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((BROKER_HOST, 0))
        port: int = probe.getsockname()[1]
        return port
