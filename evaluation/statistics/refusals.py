"""What a statistic says when it has no value."""

from __future__ import annotations


class StatisticUndefined(Exception):
    """The statistic has no value for this input; the message says why, in one sentence for a
    reader of the page. Malformed arguments raise ``ValueError`` instead."""
