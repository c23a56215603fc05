"""Finds a model's files inside an installed package and checks that they are the ones known."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from memory_systems.base import SystemRefused


class EmbedderNotInstalled(SystemRefused):
    """The package that carries an embedder's files is not installed."""


class EmbedderFileChanged(SystemRefused):
    """An embedder's file is not the one this version was written for: its vectors would differ."""


def pinned_file(package: str, relative_path: str, *, sha256: str) -> Path:
    """The file's path. The package is located, never imported.

    Raises EmbedderNotInstalled, EmbedderFileChanged.
    """
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec is not None else None
    path = Path(next(iter(folders))) / relative_path if folders else None
    if path is None or not path.is_file():
        raise EmbedderNotInstalled(
            f"the file {relative_path} of the Python package {package!r} is not installed; "
            "install the project's requirements (requirements/base.txt)"
        )
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise EmbedderFileChanged(
            f"{relative_path} of the Python package {package!r} has SHA-256 {found[:12]}…, not "
            f"{sha256[:12]}…; install the version pinned in requirements/base.txt"
        )
    return path
