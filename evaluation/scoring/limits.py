"""How much of a very long text a judge reads: its beginning, the same for every judge."""

from __future__ import annotations

MAX_ANSWER_CHARS = 20_000
MAX_EXCERPT_CHARS = 20_000
