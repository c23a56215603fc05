"""Throwaway PostgreSQL and Redis servers from the programs that are installed here."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis

from webapp.data_folder import free_port
from webapp.supervisor.leash import die_with_parent

START_SECONDS = 30
FAST_AND_FORGETFUL = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")


def postgresql_programs() -> Path | None:
    """The folder of the newest installed server, None where there is none."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"),
        key=lambda program: float(program.parent.parent.name),
    )
    if found:
        return found[-1].parent
    on_path = shutil.which("postgres")
    return Path(on_path).resolve().parent if on_path else None


@contextmanager
def server(command: list[str], *, user: str | None, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that dies with this one, and that is gone when the block is left."""
    parent = os.getpid()
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            user=user,
            group=user,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(parent, signal.SIGINT),
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def postgresql(programs: Path, *, is_durable: bool = False) -> Iterator[str]:
    """The DATABASE_URL of a new, empty cluster on 127.0.0.1; ``is_durable``: as one in use, which
    syncs what it commits."""
    # PostgreSQL refuses to run as root, so root becomes the user that Debian made for it.
    user = "postgres" if os.geteuid() == 0 else None
    password, port = secrets.token_hex(16), free_port()
    with tempfile.TemporaryDirectory(prefix="memjury-postgresql-") as name:
        folder = Path(name)
        secret = folder / "password"
        secret.write_text(password)
        if user is not None:
            entry = pwd.getpwnam(user)
            for path in (folder, secret):
                os.chown(path, entry.pw_uid, entry.pw_gid)
        login = ["-U", "memjury", f"--pwfile={secret}", "--auth=scram-sha-256"]
        subprocess.run(
            [str(programs / "initdb"), "-D", f"{folder}/data", *login, "--encoding=UTF8", "-N"],
            user=user,
            group=user,
            cwd="/",
            check=True,
            capture_output=True,
        )
        command = [str(programs / "postgres"), "-D", f"{folder}/data", "-p", str(port)]
        command += ["-h", "127.0.0.1", "-k", str(folder)]
        options = () if is_durable else FAST_AND_FORGETFUL
        for option in (*options, "max_connections=200"):
            command += ["-c", option]
        url = f"postgresql://memjury:{password}@127.0.0.1:{port}/postgres"
        with server(command, user=user, log=folder / "log") as process:
            wait_for(lambda: psycopg.connect(url).close(), process, log=folder / "log")
            yield url


@contextmanager
def redis_server(program: str) -> Iterator[str]:
    """The address of a new, empty Redis on 127.0.0.1."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="memjury-redis-") as folder:
        log = Path(folder) / "log"
        options = ["--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--save", ""]
        url = f"redis://127.0.0.1:{port}/0"
        with server([program, *options, "--appendonly", "no"], user=None, log=log) as process:
            wait_for(lambda: redis.Redis.from_url(url).ping(), process, log=log)
            yield url


def wait_for(connect: Callable[[], object], process: subprocess.Popen[bytes], *, log: Path) -> None:
    """Until ``connect()`` succeeds. Raises RuntimeError with the end of the log."""
    give_up_at = time.monotonic() + START_SECONDS
    while True:
        try:
            connect()
        except (OSError, psycopg.Error, redis.RedisError) as error:
            if time.monotonic() < give_up_at and process.poll() is None:
                time.sleep(0.1)
                continue
            raise RuntimeError(f"{error}\n{log.read_text()[-1000:]}") from error
        return
