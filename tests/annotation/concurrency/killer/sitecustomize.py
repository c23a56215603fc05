"""Put on PYTHONPATH of a site under test: its web workers can be made to die inside a commit.

The file named by VOTE_KILL_ORDER holds ``before N`` or ``after N``: the web worker that makes the
N-th commit from then on removes the file and kills itself, before or after the commit itself.
"""

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

ORDER = Path(os.environ["VOTE_KILL_ORDER"])
commit = BaseDatabaseWrapper.__dict__["_commit"]


@dataclass
class Counted:
    order: str = ""
    n_commits: int = 0


counted = Counted()


def _commit(self: BaseDatabaseWrapper) -> None:
    order = ORDER.read_text() if ORDER.exists() and "gunicorn" in " ".join(sys.orig_argv) else ""
    if not order:
        commit(self)
        return
    if order != counted.order:
        counted.order, counted.n_commits = order, 0
    counted.n_commits += 1
    when, at, _ = order.split()
    if counted.n_commits < int(at):
        commit(self)
        return
    ORDER.unlink(missing_ok=True)
    if when == "after":
        commit(self)
    os.kill(os.getpid(), signal.SIGKILL)


setattr(BaseDatabaseWrapper, "_commit", _commit)  # noqa: B010 - typed as having no such method
