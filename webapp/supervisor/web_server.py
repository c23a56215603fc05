"""gunicorn's configuration, read by ``--config python:webapp.supervisor.web_server``."""

from __future__ import annotations

import gc
import os
import signal
from contextlib import suppress
from typing import Any

from webapp.supervisor.leash import die_with_parent

MOST_PROCESSES = 8


def processes_and_threads(n_at_once: int) -> tuple[int, int]:
    """For so many requests at the same time: threads of one process wait for each other whenever
    they compute, so there are several only beyond the most processes."""
    processes = min(n_at_once, MOST_PROCESSES)
    return processes, -(-n_at_once // processes)


# Imported once and forked: a web process starts at once and shares the memory of what is imported.
preload_app = True
worker_class = "webapp.supervisor.web_worker.WebWorker"
timeout = 120
graceful_timeout = 10
# Each request waits in the one queue of new connections, from which whoever is idle takes the
# oldest: with kept connections a process is never idle while their owners ask on.
keepalive = 0
control_socket_disable = True
accesslog = None
# Recycling bounds what a leak in any library can grow to.
max_requests = 5000
max_requests_jitter = 500
logconfig_dict: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "gunicorn.error": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # It warns of every HEAD request, whose body Django leaves to the server to drop.
        "gunicorn.http.wsgi": {"handlers": ["console"], "level": "ERROR", "propagate": False},
        "gunicorn.access": {"handlers": [], "level": "INFO", "propagate": False},
    },
}


def when_ready(server: Any) -> None:
    """What was imported stays: nobody looks through it for garbage, or copies it by looking."""
    del server
    gc.collect()
    gc.freeze()


def post_fork(server: Any, worker: Any) -> None:
    """A web worker must not outlive the server that started it."""
    del worker
    die_with_parent(server.pid, signal.SIGKILL)
    if hasattr(os, "SCHED_BATCH"):
        # Web processes that wake up do not interrupt each other in the middle of an answer.
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
