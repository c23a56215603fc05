"""``manage.py up``: the whole site in one terminal."""

from __future__ import annotations

import argparse
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from webapp.sign_in.links import first_sign_in_link
from webapp.supervisor.preflight import CannotStart
from webapp.supervisor.site import run_site
from webapp.supervisor.supervisor import ChildGaveUp


class Command(BaseCommand):
    help = (
        "Start broker, worker and web server, and keep them running until Ctrl-C. "
        "Applies migrations and collects static files first; on a first start it prepares the "
        "demo benchmark and prints a one-time sign-in link."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, default=settings.MEMJURY_PORT, help="default: PORT, else 8000"
        )
        parser.add_argument(
            "--host", default=settings.MEMJURY_HOST, help="default: MEMJURY_HOST, else 127.0.0.1"
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        if not 1 <= port <= 65535:
            raise CommandError(f"--port must be from 1 to 65535, not {port}.")
        try:
            run_site(host=host, port=port, say=self.say, announce=self.announce)
        except (CannotStart, ChildGaveUp) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.say("site", "stopped before it was up")

    def say(self, who: str, what: str) -> None:
        self.stdout.write(f"{timezone.now():%H:%M:%S}  {who:<9} {what}")
        self.stdout.flush()

    def announce(self, address: str) -> None:
        self.stdout.write(f"\nMemJury is running at {address}")
        link = first_sign_in_link(address=address)
        if link is not None:
            self.stdout.write(f"Sign in as the administrator (once, within 15 minutes): {link}")
        self.stdout.write(f"Stop it with Ctrl-C. Data and logs are in {settings.MEMJURY_DATA}.\n")
        self.stdout.flush()
