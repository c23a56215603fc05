"""Installing a system's published package into an environment of its own, whole or not at all."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory_systems.base import SystemRefused
from memory_systems.native.installation import (
    PROJECT,
    RECORD,
    REQUIREMENTS,
    Installation,
    find_installation,
    pins_file,
    pins_of,
)

INSTALLER = PROJECT / "requirements" / "install.py"
LONGEST_INSTALL_S = 3600.0
SHOWN_LINES = 3
_NEEDS = re.compile(r"# needs: Python (\d+)\.(\d+)-(\d+)\.(\d+), (\d+) MB")


class NothingToInstall(SystemRefused):
    """The system has no package of its own: it runs as it is."""


class PythonNotSupported(SystemRefused):
    """The package does not run on this Python."""


class SpaceMissing(SystemRefused):
    """The disk has less room than the package needs."""


class InstallationFailed(SystemRefused):
    """The environment could not be made or filled; what was installed before is untouched."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The first and last Python that the pinned versions run on, and the room they take."""

    first_python: tuple[int, int]
    last_python: tuple[int, int]
    megabytes: int


def needs_of(slug: str) -> Needs:
    """From the first line of ``requirements/systems/<slug>.in``."""
    file = REQUIREMENTS / f"{slug}.in"
    if not file.exists():
        known = ", ".join(sorted(one.stem for one in REQUIREMENTS.glob("*.in")))
        raise NothingToInstall(
            f"{slug!r} has no package to install; systems with one of their own: {known}"
        )
    found = _NEEDS.match(file.read_text(encoding="utf-8"))
    if found is None:
        raise InstallationFailed(f"{file} does not begin with what it needs")
    numbers = [int(number) for number in found.groups()]
    return Needs((numbers[0], numbers[1]), (numbers[2], numbers[3]), numbers[4])


def install(
    slug: str,
    *,
    package: str,
    systems: Path,
    python: str = sys.executable,
    again: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Installation:
    """Install the pinned versions, beside what is there, and put them in its place when they are
    complete. With what is asked for installed already, nothing is done unless ``again``.

    Raises NothingToInstall, PythonNotSupported, SpaceMissing, InstallationFailed.
    """
    needs = needs_of(slug)
    with _alone(systems, slug):
        found = find_installation(slug, systems)
        if found is not None and found.pins == pins_of(slug) and not again:
            return found
        check_python(slug, needs, python)
        _clear_away(systems, slug)
        check_space(slug, needs, systems)
        place = Path(tempfile.mkdtemp(prefix=f".{slug}.", dir=systems))
        try:
            version = _fill(slug, package, place, python, say)
            told = {"version": version, "pins": pins_of(slug)}
            (place / RECORD).write_text(json.dumps(told), encoding="utf-8")
            _correct_paths(place, systems / slug)
            _swap(place, systems / slug)
        finally:
            shutil.rmtree(place, ignore_errors=True)
    return Installation(slug, systems / slug, version, told["pins"])


def remove(slug: str, *, systems: Path) -> bool:
    """Whether something was installed. Raises NothingToInstall for a system without a package."""
    needs_of(slug)
    if not (systems / slug).exists():
        return False
    with _alone(systems, slug):
        _clear_away(systems, slug)
        with tempfile.TemporaryDirectory(prefix=f".{slug}.", dir=systems) as rubbish:
            (systems / slug).rename(Path(rubbish) / slug)
    return True


def check_python(slug: str, needs: Needs, python: str) -> None:
    """Raises PythonNotSupported, also where the Python cannot be run."""
    command = [python, "-c", "import sys, venv; print(*sys.version_info[:2])"]
    code, said = _run(command)
    if code:
        why = said or f"it ended with exit code {code}"
        raise PythonNotSupported(f"{python} cannot make environments: {why}")
    told = re.fullmatch(r"(\d+) (\d+)", said.strip())
    if told is None:
        raise PythonNotSupported(
            f"{python} is no Python: asked for its version it said {said!r:.60}"
        )
    major, minor = told.groups()
    if not needs.first_python <= (int(major), int(minor)) <= needs.last_python:
        first, last = (f"{one}.{two}" for one, two in (needs.first_python, needs.last_python))
        raise PythonNotSupported(
            f"{slug} runs on Python {first} to {last}, and {python} is {major}.{minor}: "
            "name another one with --python"
        )


def check_space(slug: str, needs: Needs, systems: Path) -> None:
    """Raises SpaceMissing."""
    free = shutil.disk_usage(systems).free // 1_000_000
    if free < needs.megabytes:
        raise SpaceMissing(
            f"{slug} takes about {needs.megabytes:,} MB and {systems} has {free:,} MB left"
        )


def _fill(slug: str, package: str, place: Path, python: str, say: Callable[[str], None]) -> str:
    """Make and fill the environment; the package's version as it is installed."""
    venv = place / "venv"
    say(f"making an environment for {slug}")
    code, said = _run([python, "-m", "venv", "--without-pip", str(venv)])
    if code:
        raise InstallationFailed(f"{slug}: no environment could be made: {said}")
    say(f"installing {package} and what it needs; this takes from half a minute to some minutes")
    inside = str(venv / "bin" / "python")
    lock = pins_file(slug).relative_to(INSTALLER.parent)
    code, said = _run([sys.executable, str(INSTALLER), str(lock), "--into", inside])
    if code:
        raise InstallationFailed(
            f"{slug}: the packages could not be downloaded or installed, and nothing was changed: "
            f"{said}"
        )
    script = f"from importlib.metadata import version; print(version({package!r}))"
    code, said = _run([inside, "-c", script])
    if code:
        raise InstallationFailed(f"{slug}: {package} is not among what was installed: {said}")
    return said.strip()


def _run(command: list[str]) -> tuple[int, str]:
    """The exit code, and the output or the last lines of what went wrong."""
    try:
        done = subprocess.run(  # noqa: S603 - our own command lines
            command,
            capture_output=True,
            text=True,
            timeout=LONGEST_INSTALL_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, str(error)
    if not done.returncode:
        return 0, done.stdout
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    if any("No space left" in line for line in lines):
        return done.returncode, "no space is left on the disk"
    return done.returncode, " | ".join(lines[-SHOWN_LINES:])


def _correct_paths(place: Path, final: Path) -> None:
    """The commands of an environment name its Python by its full path."""
    for command in (place / "venv" / "bin").iterdir():
        if command.is_file() and not command.is_symlink():
            text = command.read_bytes()
            corrected = text.replace(str(place).encode(), str(final).encode())
            if corrected != text:
                command.write_bytes(corrected)


def _swap(place: Path, final: Path) -> None:
    old = place.with_name(f"{place.name}.old")
    if final.exists():
        final.rename(old)
    try:
        place.rename(final)
    except OSError:
        if old.exists():
            old.rename(final)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _clear_away(systems: Path, slug: str) -> None:
    """What a killed installation or removal left: nobody else is at it."""
    for left in systems.glob(f".{slug}.*"):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)


@contextmanager
def _alone(systems: Path, slug: str) -> Iterator[None]:
    """One installation of a system at a time. Raises InstallationFailed where the folder cannot be
    written."""
    try:
        systems.mkdir(parents=True, exist_ok=True)
        with (systems / f".{slug}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise InstallationFailed(f"{slug}: {systems} cannot be written: {error}") from error
