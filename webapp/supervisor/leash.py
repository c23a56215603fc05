"""Run a command that dies with its parent, even when the parent is killed without warning.

``python -m webapp.supervisor.leash PARENT_PID SIGNAL COMMAND ARGUMENT…`` becomes the command; Linux
sends it SIGNAL (a name such as SIGKILL) as soon as the parent is gone. Elsewhere it is only run.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int, death: signal.Signals) -> None:
    """Ask the kernel for ``death`` when ``parent`` ends; exit at once when it already has.

    The request belongs to this process alone: each child of it has to ask again.
    """
    if sys.platform != "linux":
        return
    if ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(death)) != 0:
        raise OSError("the kernel refused to tie this process to its parent")
    if os.getppid() != parent:
        os._exit(1)


def main(arguments: list[str]) -> None:
    parent, death, *command = arguments
    if not command:
        raise SystemExit("leash: a parent's process id, a signal and a command are needed")
    die_with_parent(int(parent), signal.Signals[death])
    os.execvp(command[0], command)  # noqa: S606 - becoming the command is what this is for


if __name__ == "__main__":
    main(sys.argv[1:])
