"""``manage.py install_system SLUG``: the published package of a memory system, set apart."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation.management.door import Door
from memory_systems.native.installation import systems_folder
from memory_systems.native.installing import install, remove
from memory_systems.registry import system_info, system_slugs


class Command(Door):
    help = (
        "Install the published package of a memory system into a Python environment of its own, in "
        "the exact versions that this MemJury measures. The environment of the site is never "
        "touched. An installation is complete or it is not there at all."
    )
    examples = (
        "install_system mem0",
        "install_system graphiti --upgrade",
        "install_system graphiti --python /usr/bin/python3.12",
        "install_system mem0 --remove",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        known = ", ".join(slug for slug in system_slugs() if system_info(slug).package)
        parser.add_argument("system", metavar="SLUG", help=f"one of {known}")
        parser.add_argument(
            "--upgrade", action="store_true", help="install again, whatever is there"
        )
        parser.add_argument("--remove", action="store_true", help="take it away")
        parser.add_argument(
            "--python", default=sys.executable, metavar="PYTHON", help="the Python to build it on"
        )

    def enter(self, options: dict[str, Any]) -> None:
        slug, systems = options["system"], systems_folder()
        package = system_info(slug).package
        if options["remove"]:
            if options["upgrade"]:
                raise CommandError("--upgrade and --remove exclude each other", returncode=2)
            removed = remove(slug, systems=systems)
            self.stdout.write(f"{slug} is removed" if removed else f"{slug} was not installed")
            return
        done = install(
            slug,
            package=package,
            systems=systems,
            python=options["python"],
            again=options["upgrade"],
            say=self.say,
        )
        self.stdout.write(f"{slug}: {package} {done.version} is installed in {done.folder}")
