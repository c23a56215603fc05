"""Runs inside Hindsight's own environment: the PostgreSQL and the API server of one memory.

Both are children of the worker and end with it, however it ends. PostgreSQL listens on a socket in
a folder that nobody else may enter, the API on 127.0.0.1 alone.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

SOCKETS = "memjury-hindsight-"
DATABASE_USER = "hindsight"
UNPRIVILEGED = "nobody"
# Identifiers stand in the prompts of observations and decide between equals: made of content, a
# store that is built again asks its model the very same things and pays nothing.
REPEATABLE = """
CREATE OR REPLACE FUNCTION memjury_unit_id() RETURNS trigger AS $$ BEGIN
  NEW.id := md5(concat_ws('|', NEW.fact_type, NEW.document_id, NEW.chunk_id, NEW.text,
    NEW.mentioned_at, NEW.source_memory_ids::text))::uuid;
  WHILE EXISTS (SELECT FROM memory_units WHERE id = NEW.id) LOOP
    NEW.id := md5(NEW.id::text)::uuid;
  END LOOP;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE OR REPLACE FUNCTION memjury_entity_id() RETURNS trigger AS $$ BEGIN
  NEW.id := md5(concat_ws('|', NEW.bank_id, lower(NEW.canonical_name)))::uuid;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER memjury_unit_id BEFORE INSERT ON memory_units
  FOR EACH ROW EXECUTE FUNCTION memjury_unit_id();
CREATE OR REPLACE TRIGGER memjury_entity_id BEFORE INSERT ON entities
  FOR EACH ROW EXECUTE FUNCTION memjury_entity_id();
"""
POLL_S = 0.1
START_S = 240.0
STOP_S = 30.0
MOST_STARTS = 3
RESTART_S = 2.0
LEASH = "setpriv"


class ServerNotStarted(RuntimeError):
    """A server ended, or was not ready in time."""


class Servers:
    """PostgreSQL on ``folder/postgresql`` and, with it, the API at ``base_url``."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        """Raises ServerNotStarted."""
        if shutil.which(LEASH) is None:
            raise ServerNotStarted(f"{LEASH} (of util-linux) is needed and not there")
        self._note = folder / "sockets.txt"
        self._sockets = _socket_folder(self._note)
        self._database = _start_database(folder / "postgresql", self._sockets)
        port = _free_port()
        self.base_url = f"http://127.0.0.1:{port}"
        environment = {
            **os.environ,
            **variables,
            "HINDSIGHT_API_DATABASE_URL": (
                f"postgresql://{DATABASE_USER}@/postgres?host={self._sockets}"
            ),
        }
        command = [str(Path(sys.prefix) / "bin" / "hindsight-api"), "--host", "127.0.0.1"]
        self._api = subprocess.Popen(  # noqa: S603 - our own command line
            [LEASH, "--pdeathsig", "KILL", *command, "--port", str(port)],
            env=environment,
            stdin=subprocess.DEVNULL,
        )
        _wait_until(self._is_healthy, self._api, "the API server")
        self._run_sql(REPEATABLE)

    def stop(self) -> None:
        """In good order, the API first."""
        for process, how in ((self._api, signal.SIGTERM), (self._database, signal.SIGINT)):
            process.send_signal(how)
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self._sockets, ignore_errors=True)
        self._note.unlink(missing_ok=True)

    def renew_statistics(self) -> None:
        """What the planner of queries knows, brought up to date after each change."""
        self._run_sql("ANALYZE")

    def _run_sql(self, statements: str) -> None:
        programs = _programs()
        command = [str(programs / "psql"), "-q", "-h", str(self._sockets), "-U", DATABASE_USER]
        options = ["-d", "postgres", "-v", "ON_ERROR_STOP=1", "-c", statements]
        _run([*command, *options], _with_libraries(programs))

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.base_url}/health", timeout=5) as reply:  # noqa: S310
                return bool(reply.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def _socket_folder(note: Path) -> Path:
    """A new one, for a socket's path is short; what a killed server left is taken away."""
    if note.exists():
        left = Path(note.read_text(encoding="utf-8"))
        if left.name.startswith(SOCKETS) and left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=SOCKETS))
    note.write_text(str(made), encoding="utf-8")
    return made


def _start_database(folder: Path, sockets: Path) -> subprocess.Popen[bytes]:
    programs = _programs()
    _give_away(sockets)
    if not folder.exists():
        _make_database(folder, programs)
    folder.chmod(0o700)
    _give_away(folder)
    _forget_another_process(folder / "postmaster.pid")
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "max_connections": "120",
        "shared_buffers": "64MB",
        "min_wal_size": "32MB",
        "max_wal_size": "256MB",
        "timezone": "UTC",
        # Statistics that come when they like change the order of equals: see renew_statistics.
        "autovacuum": "off",
        # Nearest neighbours exactly: an approximate index is drawn at random.
        "enable_indexscan": "off",
    }
    settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    ready = [str(programs / "pg_isready"), "-q", "-h", str(sockets), "-U", DATABASE_USER]

    def is_ready() -> bool:
        asked = subprocess.run(ready, env=_with_libraries(programs), check=False)  # noqa: S603
        return asked.returncode == 0

    for attempt in range(MOST_STARTS):
        process = subprocess.Popen(  # noqa: S603 - our own command line
            [*_unprivileged("QUIT"), str(programs / "postgres"), "-D", str(folder), *settings],
            env=_with_libraries(programs),
            stdin=subprocess.DEVNULL,
            cwd="/",
        )
        try:
            _wait_until(is_ready, process, "PostgreSQL")
        except ServerNotStarted:
            # The processes of a killed one may not have ended yet.
            if attempt == MOST_STARTS - 1:
                raise
            time.sleep(RESTART_S)
        else:
            break
    return process


def _make_database(folder: Path, programs: Path) -> None:
    """Whole or not at all."""
    draft = folder.with_name(f"{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    _give_away(draft)
    made = [str(programs / "initdb"), "--pgdata", str(draft), "--username", DATABASE_USER]
    options = ["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
    _run([*made, *options], _with_libraries(programs))
    draft.rename(folder)


def _forget_another_process(note: Path) -> None:
    """Of a server that was killed, when its number is by now that of another program."""
    try:
        number = note.read_text(encoding="utf-8").split()[0]
        name = Path(f"/proc/{number}/comm").read_text(encoding="utf-8").strip()
    except (OSError, IndexError):
        return
    if name != "postgres":
        note.unlink()


def _programs() -> Path:
    """PostgreSQL's programs, taken out of the package's bundle once for all memories."""
    home = Path(sys.prefix) / "postgresql"
    home.mkdir(exist_ok=True)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "complete").exists():
            _unpack(home)
            (home / "complete").touch()
    return next((home / ".pg0" / "installation").glob("*/bin"))


def _unpack(home: Path) -> None:
    """The bundle has no command for it but to start a server."""
    import pg0

    program = str(Path(pg0.__file__).parent / "bin" / "pg0")
    _give_away(home)
    with tempfile.TemporaryDirectory(dir=home) as place:
        _give_away(Path(place))
        for arguments in (("start", "--data-dir", f"{place}/data"), ("stop",)):
            _run(
                [program, arguments[0], "--name", "unpack", *arguments[1:]],
                {**os.environ, "HOME": str(home)},
            )


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(  # noqa: S603 - our own command line
        [*_unprivileged("KILL"), *command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd="/",
        check=False,
    )
    if done.returncode:
        raise ServerNotStarted(f"{Path(command[0]).name} failed: {done.stdout[-500:]}")


def _with_libraries(programs: Path) -> dict[str, str]:
    """The bundle brings libraries that the machine may lack."""
    return {**os.environ, "LD_LIBRARY_PATH": str(programs.parent / "lib")}


def _unprivileged(at_parents_death: str) -> list[str]:
    """PostgreSQL refuses root: there it runs as nobody, who may reach its folder all the same."""
    leash = [LEASH, "--pdeathsig", at_parents_death]
    if os.geteuid() != 0:
        return leash
    rights = [
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override",
        "--securebits=+no_setuid_fixup",
    ]
    return [
        *leash,
        f"--reuid={UNPRIVILEGED}",
        f"--regid={_nobody().pw_gid}",
        "--clear-groups",
        *rights,
    ]


def _give_away(folder: Path) -> None:
    if os.geteuid() == 0:
        user = _nobody()
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam(UNPRIVILEGED)


def _wait_until(is_ready: Callable[[], bool], process: subprocess.Popen[bytes], name: str) -> None:
    deadline = time.monotonic() + START_S
    while not is_ready():
        if process.poll() is not None:
            raise ServerNotStarted(f"{name} ended with exit code {process.returncode}")
        if time.monotonic() > deadline:
            raise ServerNotStarted(f"{name} was not ready within {START_S:g} s")
        time.sleep(POLL_S)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
