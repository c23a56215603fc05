"""Running a command as the shell does: what it says where, and its exit code."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from typing import Any

from django.core.management import CommandError, load_command_class


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def run_command(name: str, *arguments: str, app: str = "evaluation") -> Outcome:
    """Like ``manage.py name arguments``, but connections stay open for the test."""
    command: Any = load_command_class(app, name)
    command._called_from_command_line = True
    out, err, usage = io.StringIO(), io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stderr(usage), contextlib.redirect_stdout(out):
            parser = command.create_parser("manage.py", name)
            options = vars(parser.parse_args(list(arguments)))
            given = options.pop("args", ())
            command.execute(*given, **{**options, "stdout": out, "stderr": err})
    except CommandError as error:
        return Outcome(error.returncode, out.getvalue(), f"{err.getvalue()}{error}")
    except SystemExit as exit:
        return Outcome(int(exit.code or 0), out.getvalue(), usage.getvalue())
    return Outcome(0, out.getvalue(), err.getvalue())
