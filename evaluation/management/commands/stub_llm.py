"""``manage.py stub_llm``: an endpoint that answers by rules, for trials without a key."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation.language_models.stub_server import StubServer
from evaluation.management.door import Door, whole_number

DEFAULT_PORT = 8808


class Command(Door):
    help = (
        "Serve a stub of an OpenAI- and Anthropic-compatible endpoint on 127.0.0.1. It extracts "
        "facts, entities and relations by rules, the same for the same text, and so drives the "
        "published memory packages offline. It proves that they are wired up, nothing about what "
        "they are worth. The models stub-500, stub-garbage, stub-hang … misbehave on demand."
    )
    examples = ("stub_llm", "stub_llm --port 8899 --delay 0.5")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port",
            type=whole_number(least=0, most=65535),
            default=DEFAULT_PORT,
            help=f"default {DEFAULT_PORT}; 0 takes any free one",
        )
        parser.add_argument(
            "--delay", type=float, default=0.0, metavar="S", help="seconds before every reply"
        )

    def enter(self, options: dict[str, Any]) -> None:
        try:
            stub = StubServer(port=options["port"], delay_s=options["delay"])
        except OSError as error:
            raise CommandError(
                f"port {options['port']} cannot be used ({error.strerror}): choose another with "
                "--port"
            ) from error
        self.stdout.write(f"the stub answers at {stub.base_url}; Ctrl-C ends it")
        self.say(f"for MemJury: export MEMJURY_ENDPOINT_STUB_BASE_URL={stub.base_url}")
        self.stdout.flush()
        stub.serve()
