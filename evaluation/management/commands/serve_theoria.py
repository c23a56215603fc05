"""``manage.py serve_theoria``: ask a Theoria memory over HTTP, and tell it findings."""

from __future__ import annotations

import errno
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation.management.door import Door, whole_number
from evaluation.services.model_access import embedder
from evaluation.services.theoria_copies import open_theoria_copy
from memory_systems.adapters.theoria.server import HOST, TheoriaServer
from memory_systems.adapters.theoria.system import Theoria
from memory_systems.base import SystemConfig
from memory_systems.registry import checked_parameters

PORT = 8092


class Command(Door):
    help = (
        "Serve a Theoria memory on 127.0.0.1: GET /theories (what the corpus holds to be so), "
        "POST /retrieve (evidence for a query), POST /observe (a new finding, which updates or "
        "seeds theories). Give a RUN to serve a copy of a memory that it measured, which never "
        "changes the measured one; or --folder for a memory of your own, made where there is none."
    )
    examples = (
        "serve_theoria 3fa9c2d41e",
        "serve_theoria 3fa9c2d41e --variant theoria@static --port 8100",
        "serve_theoria --folder notes/theoria --embedder static",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", nargs="?", metavar="RUN", help="a run with theoria in it")
        parser.add_argument(
            "--variant", default="", metavar="LABEL", help="which, where the run has several"
        )
        parser.add_argument(
            "--scenario", default="", metavar="KEY", help="whose memory (default: the first)"
        )
        parser.add_argument("--folder", type=Path, help="a memory of your own")
        parser.add_argument(
            "--embedder", default="minilm", metavar="E", help="of --folder (default minilm)"
        )
        parser.add_argument(
            "--port",
            type=whole_number(least=0, most=65535),
            default=PORT,
            help=f"default {PORT}; 0 takes a free one",
        )

    def enter(self, options: dict[str, Any]) -> None:
        if bool(options["run"]) == bool(options["folder"]):
            raise CommandError("name a RUN or a --folder", returncode=2)
        memory, folder = self.opened(options)
        with closing(memory):
            try:
                server = TheoriaServer(memory, port=options["port"])
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                raise CommandError(
                    f"port {options['port']} is taken: choose another with --port"
                ) from error
            with server:
                self.say(f"{memory.stats().n_units:,} units in {folder}; Ctrl-C stops serving")
                self.stdout.write(f"http://{HOST}:{server.server_address[1]}")
                self.stdout.flush()
                server.serve_forever()

    def opened(self, options: dict[str, Any]) -> tuple[Theoria, Path]:
        if options["run"]:
            return open_theoria_copy(
                run=options["run"], variant=options["variant"], scenario=options["scenario"]
            )
        config = SystemConfig(
            modality="dense",
            embedder=embedder(options["embedder"]),
            parameters=checked_parameters("theoria", {}),
        )
        return Theoria(config, options["folder"]), options["folder"]
