"""The database brought up to date and the static files collected, before anything is served."""

from __future__ import annotations

import hashlib
import io
import sys
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import DatabaseError, connection, connections

from webapp.supervisor.child import Service
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


def static_files_changed() -> bool:
    """Whether what was collected is not what would be collected now."""
    marker = Path(settings.STATIC_ROOT) / FINGERPRINT_FILE
    return not marker.exists() or marker.read_text() != static_fingerprint()


def static_collection() -> Service:
    """Collects and compresses; it takes seconds, so it runs beside the rest and only if needed."""
    return Service(
        name="static",
        command=(sys.executable, "manage.py", "collectstatic", "--clear", "--no-input"),
    )


def note_static_files() -> None:
    """Remember what was collected, once it has been."""
    (Path(settings.STATIC_ROOT) / FINGERPRINT_FILE).write_text(static_fingerprint())


def static_fingerprint() -> str:
    """SHA-256 over name, size and time of every static file and the storage that serves them."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
