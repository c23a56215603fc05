"""What every command of this app shares: help worth reading, and refusals in one sentence."""

from __future__ import annotations

import argparse
import errno
import json
import sys
import textwrap
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from django.core.management.base import (
    BaseCommand,
    CommandError,
    CommandParser,
    DjangoHelpFormatter,
)
from django.db import DatabaseError, OperationalError, ProgrammingError
from kombu.exceptions import OperationalError as BrokerError

from evaluation.services.refusals import REFUSALS

SHOWN_PROBLEMS = 20
HELP_WIDTH = 88
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
NO_RIGHT = (errno.EROFS, errno.EACCES, errno.EPERM)


class DoorHelp(DjangoHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Django's order of options, and the examples as they are written."""


class Door(BaseCommand):
    """A command that is a door to one service.

    Exit code 0: done. 1: refused, with one sentence on stderr. 2: used wrongly. ``examples`` are
    lines of the shell, shown under ``--help``.
    """

    examples: Sequence[str] = ()

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        shown = "\n".join(f"  manage.py {line}" for line in self.examples)
        options.setdefault("epilog", f"examples:\n{shown}" if shown else None)
        options.setdefault("formatter_class", DoorHelp)
        parser = super().create_parser(prog_name, subcommand, **options)
        parser.description = textwrap.fill(self.help, width=HELP_WIDTH)
        return parser

    def handle(self, *_arguments: Any, **options: Any) -> None:
        try:
            self.enter(options)
        except KeyboardInterrupt as error:
            raise CommandError("stopped; what was stored stays stored", returncode=130) from error
        except BrokenPipeError:
            # Who reads the output has left (as `head` does): that is no failure.
            sys.stderr.close()
        except REFUSALS as refusal:
            raise CommandError(one_line(str(refusal))) from refusal
        except BrokerError as error:
            raise CommandError(
                "the broker does not answer, so nothing was handed to a worker; what was stored "
                "stays, and `manage.py up` goes on with it"
            ) from error
        except DatabaseError as error:
            raise CommandError(database_sentence(error)) from error
        except OSError as error:
            raise CommandError(system_sentence(error)) from error

    @abstractmethod
    def enter(self, options: dict[str, Any]) -> None:
        """Read the options, call one service, say what came of it."""

    def say(self, text: str) -> None:
        """To stderr: what a person reads while the result goes to stdout."""
        self.stderr.write(text, style_func=str)

    def write_json(self, value: Any) -> None:
        self.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def show_problems(door: Door, problems: Sequence[str]) -> None:
    """To stderr: the first problems, and how many more there are."""
    for problem in problems[:SHOWN_PROBLEMS]:
        door.say(f"not taken: {one_line(problem)}")
    if len(problems) > SHOWN_PROBLEMS:
        door.say(f"… and {len(problems) - SHOWN_PROBLEMS:,} more")


def one_line(text: str) -> str:
    return " ".join(text.split())


def database_sentence(error: DatabaseError) -> str:
    text = one_line(str(error))
    if "disk is full" in text or "No space left" in text:
        return "the disk of the database is full: make room and run the command again"
    if "readonly" in text or "unable to open" in text or "read-only" in text:
        return f"the data folder cannot be written ({text}): point MEMJURY_DATA at one that can"
    if isinstance(error, ProgrammingError | OperationalError) and (
        "no such table" in text or "does not exist" in text
    ):
        return "the database has no tables yet: run `manage.py migrate`, or `manage.py up`"
    return f"the database refused: {text}"


def system_sentence(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in NO_ROOM:
        return f"no space is left on the disk{where}: make room and run the command again"
    if error.errno in NO_RIGHT:
        return f"this cannot be written{where}: {error.strerror}"
    return f"{error.strerror or error}{where}"


def words(text: str) -> tuple[str, ...]:
    """``a,b`` or ``a b`` as its words; for argparse's ``type``."""
    return tuple(text.replace(",", " ").split())


def whole_number(*, least: int, most: int | None = None) -> Callable[[str], int]:
    """For argparse's ``type``: a whole number in a range, refused in words."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < least or (most is not None and number > most):
            bound = f"from {least} to {most}" if most is not None else f"at least {least}"
            raise argparse.ArgumentTypeError(f"{number} must be {bound}")
        return number

    return read


def add_format(parser: CommandParser, *names: str) -> None:
    """``--format``, the first name being the default."""
    parser.add_argument(
        "--format", choices=names, default=names[0], help=f"how to print it (default {names[0]})"
    )
