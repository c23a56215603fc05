"""Put on PYTHONPATH of a site under test: its web workers can be made to die inside a commit.

The file named by VOTE_KILL_ORDER holds ``before N`` or ``after N``: the web worker that makes the
N-th commit from then on removes the file and kills itself, before or after the commit itself.
"""

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps.registry import Apps
from django.db.backends.base.base import BaseDatabaseWrapper

ORDER = Path(os.environ["VOTE_KILL_ORDER"])
commit = BaseDatabaseWrapper.__dict__["_commit"]
populate = Apps.populate


@dataclass
class Counted:
    order: str = ""
    n_commits: int = 0


counted = Counted()


def dying(commit: Callable[..., Any], *values: Any, **more: Any) -> Any:
    """The commit, or the death that is ordered before or after it."""
    order = ORDER.read_text() if ORDER.exists() and "gunicorn" in " ".join(sys.orig_argv) else ""
    if not order:
        return commit(*values, **more)
    if order != counted.order:
        counted.order, counted.n_commits = order, 0
    counted.n_commits += 1
    when, at, _ = order.split()
    if counted.n_commits < int(at):
        return commit(*values, **more)
    ORDER.unlink(missing_ok=True)
    if when == "after":
        commit(*values, **more)
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def _commit(self: BaseDatabaseWrapper) -> None:
    dying(commit, self)


def _populate(self: Apps, installed_apps: Any = None) -> None:
    """Votes are committed by the statements themselves, on a server."""
    populate(self, installed_apps)
    if "gunicorn" in " ".join(sys.orig_argv):
        from annotation.services import server_statements, statements

        ask_server = server_statements.ask_server

        def ask(*values: Any, commits: bool = False) -> Any:
            if commits:
                return dying(ask_server, *values, commits=True)
            return ask_server(*values)

        setattr(statements, "ask_server", ask)  # noqa: B010 - not a thing to assign to otherwise


setattr(BaseDatabaseWrapper, "_commit", _commit)  # noqa: B010 - typed as having no such method
setattr(Apps, "populate", _populate)  # noqa: B010
