"""What the environment may say, read once by webapp.settings; nonsense is refused in a sentence."""

from __future__ import annotations

import difflib
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

PREFIX = "MEMJURY_"
VARIABLES: Mapping[str, str] = {
    "MEMJURY_DATA": "the folder of everything MemJury writes; var/ in the project by default",
    "MEMJURY_SYSTEMS": "installed memory systems; the folder systems/ in MEMJURY_DATA by default",
    "MEMJURY_PRODUCTION": "1 behind a proxy that ends TLS; then SECRET_KEY is required",
    "MEMJURY_DEBUG": "1 for Django's debug pages while developing; refused in production",
    "MEMJURY_HOST": "the address the web server listens on; 127.0.0.1 by default",
    "MEMJURY_ALLOWED_HOSTS": "host names the site answers to, separated by commas",
    "MEMJURY_ADDRESS": "the address people use, for printed links (https://memjury.example.org)",
    "MEMJURY_WORKERS": "tasks that run at the same time on this machine; its cores by default",
    "MEMJURY_WEB_THREADS": "requests answered at the same time; 8 by default",
    "MEMJURY_LOG_LEVEL": "DEBUG, INFO (default), WARNING or ERROR",
    "MEMJURY_PUBLIC_CAMPAIGNS": "1 shows names and counts of campaigns to visitors; 0 by default",
    "MEMJURY_THROTTLE": "off for load measurements alone: nobody's requests are limited",
    "MEMJURY_DEMO": "0 to leave out the demo benchmark that a first start prepares",
    "MEMJURY_EMBEDDED_WORKER": "set by `manage.py up` for the one worker of the embedded broker",
    "PORT": "the port of the web server; 8000 by default",
    "SECRET_KEY": "Django's signing key; made once in the data folder unless MEMJURY_PRODUCTION=1",
    "DATABASE_URL": "postgresql://user:password@host:5432/name; by default SQLite in MEMJURY_DATA",
    "CELERY_BROKER_URL": "redis://host:6379/0; by default a Valkey that `manage.py up` starts",
}
# Model endpoints are named by whoever sets them up.
ENDPOINT = re.compile(r"MEMJURY_ENDPOINT_[A-Z0-9_]+_(BASE_URL|API_KEY|KIND|TIMEOUT_S)")
TRUE, FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off", ""})


class Environment:
    """Typed reading of a mapping such as ``os.environ``. Every refusal is ImproperlyConfigured."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._refuse_unknown()

    def _refuse_unknown(self) -> None:
        problems = []
        for name in sorted(self._variables):
            known = name in VARIABLES or ENDPOINT.fullmatch(name)
            if known or not name.startswith(PREFIX):
                continue
            near = difflib.get_close_matches(name, VARIABLES, n=1, cutoff=0.6)
            problems.append(
                f"{name} is not a setting" + (f"; did you mean {near[0]}?" if near else ".")
            )
        if problems:
            names = ", ".join(name for name in VARIABLES if name.startswith(PREFIX))
            raise ImproperlyConfigured(
                f"{' '.join(problems)} The settings are {names}, and for each model endpoint "
                "MEMJURY_ENDPOINT_<NAME>_BASE_URL, _API_KEY, _KIND and _TIMEOUT_S."
            )

    def text(self, name: str, default: str = "") -> str:
        """The value without surrounding blanks; an empty value counts as not set."""
        return self._variables.get(name, "").strip() or default

    def words(self, name: str) -> list[str]:
        return [word.strip() for word in self.text(name).split(",") if word.strip()]

    def flag(self, name: str, default: bool = False) -> bool:
        value = self._variables.get(name)
        if value is None:
            return default
        word = value.strip().lower()
        if word not in TRUE | FALSE:
            raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
        return word in TRUE

    def integer(self, name: str, default: int, *, least: int, most: int) -> int:
        value = self.text(name)
        try:
            number = int(value) if value else default
        except ValueError:
            raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None
        if not least <= number <= most:
            raise ImproperlyConfigured(f"{name} must be from {least} to {most}, not {number}.")
        return number

    def choice(self, name: str, default: str, *, known: tuple[str, ...]) -> str:
        value = self.text(name, default).upper()
        if value not in known:
            raise ImproperlyConfigured(f"{name} must be one of {', '.join(known)}, not {value!r}.")
        return value

    def database(self, *, sqlite_file: Path) -> dict[str, Any]:
        """Django's ``DATABASES`` entry: PostgreSQL or SQLite from DATABASE_URL, else the file."""
        url = self.text("DATABASE_URL")
        if not url:
            return sqlite_entry(str(sqlite_file))
        refusal = ImproperlyConfigured(
            "DATABASE_URL must look like postgresql://user:password@host:5432/name or "
            "sqlite:////folder/file.sqlite3."
        )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                entry: dict[str, Any] = environ.Env.db_url_config(url)
        except (ValueError, environ.ImproperlyConfigured):
            raise refusal from None
        engine = entry.get("ENGINE", "").rsplit(".", 1)[-1]
        # Processes share the database, so one in memory cannot serve.
        if engine not in {"postgresql", "sqlite3"} or entry.get("NAME") in {"", ":memory:"}:
            raise refusal
        if engine == "postgresql":
            return {**entry, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
        return sqlite_entry(entry["NAME"])

    def broker(self, *, embedded: str) -> str:
        """CELERY_BROKER_URL, which must be a Redis or Valkey address, else ``embedded``."""
        url = self.text("CELERY_BROKER_URL")
        if url and urlsplit(url).scheme not in {"redis", "rediss", "redis+socket", "memory"}:
            raise ImproperlyConfigured("CELERY_BROKER_URL must look like redis://host:6379/0.")
        return url or embedded


def sqlite_entry(file: str) -> dict[str, Any]:
    """Immediate transactions make writers queue instead of failing with "database is locked".

    ``synchronous=FULL`` costs 0.3 ms a commit here (NORMAL 0.02 ms), and what was committed, a
    vote for one, then survives a power failure and not only a killed process.
    """
    pragmas = (
        "journal_mode=WAL",
        "synchronous=FULL",
        "busy_timeout=20000",
        "cache_size=-16000",
        "journal_size_limit=27103364",
    )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": ";".join(f"PRAGMA {pragma}" for pragma in pragmas),
        },
    }
