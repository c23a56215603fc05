"""Replies of endpoints, read to their end within a time and a size.

The SDKs' own time limit is for each piece that arrives: an endpoint that sends a space now and
then, as some do to keep a connection open, would be waited for without end.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

MOST_REPLY_BYTES = 20_000_000
_OF_THE_TRANSFER = ("content-encoding", "content-length", "transfer-encoding")


class ReplyOutOfBounds(Exception):
    """The reply was not read to its end."""


class ReplyOverdue(ReplyOutOfBounds):
    """The reply had not ended when its time was over."""


class ReplyTooLong(ReplyOutOfBounds):
    """The reply is larger than any of its kind; the message says so."""


def with_bounds(client: Any, *, longest_s: float) -> Any:
    """An SDK's HTTP client, changed so that a reply that is read whole has come within
    ``longest_s`` of its request and has at most MOST_REPLY_BYTES. It raises ReplyOutOfBounds
    besides: OpenAI's SDK lets it through, Anthropic's has it as the cause of its own error."""
    unbounded = client.send

    def send(request: Any, *, stream: bool = False, **options: Any) -> Any:
        deadline = time.monotonic() + longest_s
        response = unbounded(request, stream=True, **options)
        if stream:
            return response
        with closing(response):
            content = b"".join(_within(response.iter_bytes(), deadline))
        headers = [
            (name, value)
            for name, value in response.headers.multi_items()
            if name.lower() not in _OF_THE_TRANSFER
        ]
        return type(response)(
            response.status_code,
            headers=headers,
            content=content,
            request=response.request,
            extensions=response.extensions,
        )

    client.send = send
    return client


def _within(pieces: Iterable[bytes], deadline: float) -> Iterator[bytes]:
    n_bytes = 0
    for piece in pieces:
        n_bytes += len(piece)
        if n_bytes > MOST_REPLY_BYTES:
            raise ReplyTooLong(f"the reply has more than {MOST_REPLY_BYTES:,} bytes")
        if time.monotonic() > deadline:
            raise ReplyOverdue
        yield piece
