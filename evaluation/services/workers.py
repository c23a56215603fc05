"""Whether anybody is there to do the works."""

from __future__ import annotations

from celery import current_app
from kombu.exceptions import OperationalError


def workers_answering(*, within_seconds: float = 3.0) -> int:
    """How many workers answer a call on the broker; 0 where the broker itself does not."""
    try:
        with current_app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, timeout=within_seconds)
            replies = current_app.control.inspect(
                timeout=within_seconds, connection=connection
            ).ping()
    except (OperationalError, OSError):
        return 0
    return len(replies or {})
