"""Where the published packages are installed: one environment a system, under the data folder.

``<systems>/<slug>/venv`` is the system's own Python environment and ``installed.json`` beside it
says what was installed. Nothing here ever touches the environment that the site runs in.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_systems.base import SystemNotInstalled

PROJECT = Path(__file__).resolve().parents[2]
REQUIREMENTS = PROJECT / "requirements" / "systems"
RECORD = "installed.json"


@dataclass(frozen=True, slots=True)
class Installation:
    """An installed system. ``version`` is its package's, ``pins`` the SHA-256 of the list of exact
    versions that it was made from."""

    slug: str
    folder: Path
    version: str
    pins: str

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"


def systems_folder(environ: Mapping[str, str] | None = None) -> Path:
    """MEMJURY_SYSTEMS, else ``systems`` in the data folder (MEMJURY_DATA, else ``var``)."""
    environ = os.environ if environ is None else environ
    if named := environ.get("MEMJURY_SYSTEMS", "").strip():
        return Path(named).expanduser().resolve()
    data = environ.get("MEMJURY_DATA", "").strip()
    return (Path(data).expanduser() if data else PROJECT / "var").resolve() / "systems"


def pins_file(slug: str) -> Path:
    """The list of exact versions that the system is installed from."""
    return REQUIREMENTS / f"{slug}.txt"


def pins_of(slug: str) -> str:
    """SHA-256 of that list. Raises OSError for a system without one."""
    return hashlib.sha256(pins_file(slug).read_bytes()).hexdigest()


def pinned_version(slug: str, package: str) -> str:
    """The exact version of the package in the system's list, as ``2.2.1``; empty where it is not
    in the list."""
    for line in pins_file(slug).read_text(encoding="utf-8").splitlines():
        name, _, version = line.partition("==")
        if name.partition("[")[0].strip() == package:
            return version.split()[0]
    return ""


def find_installation(slug: str, folder: Path | None = None) -> Installation | None:
    """What is installed, of whatever version, or None."""
    place = (systems_folder() if folder is None else folder) / slug
    try:
        told = json.loads((place / RECORD).read_text(encoding="utf-8"))
        found = Installation(slug, place, str(told["version"]), str(told["pins"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if found.python.exists() else None


def get_installation(slug: str) -> Installation:
    """The installation to run. Raises SystemNotInstalled where there is none, or one of other
    versions than the rows of the board would claim."""
    if absence := why_not_usable(slug):
        raise SystemNotInstalled(absence)
    found = find_installation(slug)
    if found is None:
        raise SystemNotInstalled(f"memory system {slug!r} was removed just now")
    return found


def why_not_usable(slug: str) -> str:
    """A sentence with the command that helps; empty where the system can run."""
    found = find_installation(slug)
    if found is None:
        return (
            f"memory system {slug!r} is not installed: python manage.py install_system {slug} "
            "installs it"
        )
    if found.pins != pins_of(slug):
        return (
            f"memory system {slug!r} is installed in other versions ({found.version}) than this "
            f"MemJury measures: python manage.py install_system {slug} --upgrade renews it"
        )
    return ""
