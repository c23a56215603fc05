"""Install a lock file into this interpreter's environment: ``python requirements/install.py LOCK…``

``--into PYTHON`` installs into the environment of another interpreter instead, and leaves this
one's as it is.

uv does it in seconds where pip takes minutes, but does not read pip's configuration, so the
indices, certificates and folders set there are handed on. Where uv fails, pip does the work.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

UV = "uv==0.11.18"
HERE = Path(__file__).resolve().parent
# pip's option, uv's variable, and what joins several values
HANDED_ON = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
}


def run(*command: str, environment: Mapping[str, str] | None = None, quiet: bool = False) -> bool:
    """Whether the command succeeded; a quiet one says nothing when it fails."""
    sink = subprocess.DEVNULL if quiet else None
    done = subprocess.run(  # noqa: S603 - our own command lines
        command, env={**os.environ, **(environment or {})}, check=False, stdout=sink, stderr=sink
    )
    return done.returncode == 0


def pip(*arguments: str, quiet: bool = False) -> bool:
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments, quiet=quiet)


def pip_configuration() -> dict[str, str]:
    """pip's options by name; the environment's and the user's win over the machine's."""
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    options: dict[str, str] = {}
    for line in listing.splitlines():
        section_and_name, separator, value = line.partition("=")
        if not separator:
            continue
        section, _, name = section_and_name.rpartition(".")
        if section == ":env:" or name not in options:
            options[name] = str(ast.literal_eval(value))
    return options


def uv_environment(options: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """uv's variables that say what pip's options say, where they are not set already."""
    handed: dict[str, str] = {}
    for option, (variable, joiner) in HANDED_ON.items():
        if option in options and variable not in environment:
            handed[variable] = joiner.join(options[option].split())
    if "UV_INDEX" in handed:
        # pip takes the best version of all its indices; uv would stop at the first that has one.
        handed.setdefault("UV_INDEX_STRATEGY", "unsafe-best-match")
    return handed


def install(locks: list[str], into: str) -> bool:
    files = [argument for lock in locks for argument in ("-r", str(HERE / lock))]
    is_own = into == sys.executable
    if is_own and not pip("--version", quiet=True):
        run(sys.executable, "-m", "ensurepip", quiet=True)
    if (is_own and pip("install", "-qq", UV)) or find_spec("uv"):
        target = ("--python", into, "--compile-bytecode", "--quiet")
        environment = uv_environment(pip_configuration(), os.environ)
        if run(
            *(sys.executable, "-m", "uv", "pip", "install", *target, *files),
            environment=environment,
        ):
            return True
    print("uv could not install the packages; trying pip, which takes some minutes.", flush=True)
    return pip("--python", into, "install", "--quiet", *files)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Install lock files of this folder.")
    parser.add_argument("locks", nargs="+", metavar="LOCK")
    parser.add_argument("--into", default=sys.executable, metavar="PYTHON")
    chosen = parser.parse_args(arguments)
    where = sys.prefix if chosen.into == sys.executable else chosen.into
    print(f"Installing {', '.join(chosen.locks)} into {where}", flush=True)
    if install(chosen.locks, chosen.into):
        return 0
    print(
        "The packages could not be installed; the lines above say why. "
        "Check the network and the package index that pip is configured with.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
