"""A web process of gunicorn that leaves to others what it cannot answer at once."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from gunicorn.workers.gthread import ThreadWorker


class WebWorker(ThreadWorker):
    """Takes no new connection while all its threads are busy: gunicorn's own takes a thousand, and
    a vote would wait behind a slow page while other processes idle."""

    n_busy = 0

    def enqueue_req(self, conn: Any) -> None:
        self.n_busy += 1
        super().enqueue_req(conn)
        self.set_accept_enabled(self._accepting)

    def finish_request(self, conn: Any, fs: Future[Any]) -> None:
        self.n_busy -= 1
        super().finish_request(conn, fs)

    def set_accept_enabled(self, enabled: bool) -> None:
        """gunicorn asks for it again after every request."""
        super().set_accept_enabled(enabled and self.n_busy < self.cfg.threads)
