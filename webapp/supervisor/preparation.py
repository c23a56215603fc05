"""The database brought up to date and the static files collected, before anything is served."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import DatabaseError, connection, connections

from webapp.supervisor.preflight import CannotStart

FINGERPRINT_FILE = ".fingerprint"


def prepare_database() -> None:
    """Apply every migration. Raises CannotStart when the database refuses."""
    try:
        call_command("migrate", interactive=False, verbosity=0, stdout=io.StringIO())
    except DatabaseError as error:
        reason = (str(error).strip().splitlines() or ["no reason given"])[0]
        raise CannotStart(
            f"The database ({database_in_words()}) cannot be used: {reason}"
        ) from error
    finally:
        connections.close_all()


def database_in_words() -> str:
    """What kind of database and where, without its password."""
    entry = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"SQLite, {entry['NAME']}"
    return f"PostgreSQL, {entry['NAME']} on {entry['HOST'] or 'this machine'}"


def collect_static_files() -> None:
    """Collect and compress what changed; takes seconds, so nothing is done when nothing has.

    Raises CannotStart.
    """
    folder = Path(settings.STATIC_ROOT)
    marker = folder / FINGERPRINT_FILE
    fingerprint = static_fingerprint()
    if marker.exists() and marker.read_text() == fingerprint:
        return
    try:
        marker.unlink(missing_ok=True)
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        marker.write_text(fingerprint)
    except OSError as error:
        raise CannotStart(
            f"The static files cannot be written to {folder} ({error.strerror})."
        ) from error


def static_fingerprint() -> str:
    """SHA-256 over name, size and time of every static file and the storage that serves them."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
