"""Oracle context: the text around the gold spans, as a perfect retriever would bring it back."""

from __future__ import annotations

from collections.abc import Iterable

from memory_systems.base import Budget, GoldQuestion, Retrieval, SystemInfo, Unit
from memory_systems.chunking import Boundaries
from memory_systems.fetching import CHARS_PER_TOKEN, OVERFETCH
from memory_systems.item_memory import GoldRequired, ItemMemory

_GROWTH = 1.25
_LEAST_WINDOW_CHARS = 200

Span = tuple[str, int, int]


class OracleContext(ItemMemory):
    """At native and at k: one window of ``window_chars`` around each gold span, merged where they
    meet. At a size, ``targeted`` shares it out among the spans; ``capped`` starts with windows
    that all fit and goes on with wider and wider ones, which merge with them when packed, until
    the budget is over-fetched or the sources are exhausted. A question without spans (nothing is
    reported) gets the beginnings of its sources.
    """

    INFO = SystemInfo(
        slug="oracle-context",
        title="Oracle context",
        description=(
            "Windows of text around the places that state the must-have facts: what the "
            "synthesizer makes of a retrieval that misses nothing."
        ),
        modalities=("none",),
        granularity="windows around gold spans",
        knob="the windows' width",
        is_anchor=True,
        uses_embedder=False,
        retrieval_parameters={"window_chars": 1000},
    )

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        """Raises GoldRequired: the spans come by ``retrieve_for`` alone."""
        raise GoldRequired("oracle-context reads around the gold spans and was not told them")

    def retrieve_for(self, question: GoldQuestion, *, budget: Budget) -> Retrieval:
        """Windows in the order of the question's spans; spans of items that are not stored are
        left out and counted."""
        asked = question.spans or tuple((item_id, 0, 0) for item_id in question.source_ids)
        item_ids = dict.fromkeys(item_id for item_id, _, _ in asked)
        items = _Items(self._store.units_of(item_id) for item_id in item_ids)
        spans = [span for span in asked if span[0] in items.text]
        width = int(self._config.parameters["window_chars"])
        limit = budget.chars or (budget.tokens or 0) * CHARS_PER_TOKEN
        if not limit:
            units = items.windows(spans, width, score=1.0)[: budget.k]
        elif budget.mode == "targeted":
            width = max(1, limit // max(1, len(spans)))
            units = items.windows(spans, width, score=1.0)
        else:
            width = max(_LEAST_WINDOW_CHARS, min(width, limit // (len(spans) + 1)))
            units = items.growing_windows(spans, width, enough=OVERFETCH * limit)
        return Retrieval(
            units=tuple(units),
            knobs={
                "window_chars": width,
                "n_spans": len(spans),
                "n_spans_not_stored": len(asked) - len(spans),
            },
        )


class _Items:
    """The texts that a question's spans lie in."""

    def __init__(self, found: Iterable[tuple[Unit, ...]]) -> None:
        units = [unit for units in found for unit in units]
        self.text = {unit.source_id: unit.text for unit in units}
        self._kind = {unit.source_id: unit.kind for unit in units}
        self._boundaries = {item_id: Boundaries(text) for item_id, text in self.text.items()}

    def windows(self, spans: Iterable[Span], width: int, *, score: float) -> list[Unit]:
        """Windows of about ``width`` characters that hold their span whole, merged."""
        merged: list[Span] = []
        for item_id, start, end in spans:
            window = (item_id, *self._around(item_id, start, end, width))
            touching = [other for other in merged if _touch(other, window)]
            if not touching:
                merged.append(window)
                continue
            place = merged.index(touching[0])
            starts, ends = zip(*(other[1:] for other in (*touching, window)), strict=True)
            merged[place] = (item_id, min(starts), max(ends))
            merged = [other for other in merged if other not in touching[1:]]
        return [
            Unit(
                text=self.text[item_id][start:end],
                kind=self._kind[item_id],
                score=score,
                source_id=item_id,
                start=start,
                end=end,
            )
            for item_id, start, end in merged
            if start < end
        ]

    def growing_windows(self, spans: list[Span], width: int, *, enough: float) -> list[Unit]:
        """Windows of ``width``, then wider and wider ones, until one round holds ``enough``
        characters or the items whole."""
        latest = self.windows(spans, width, score=1.0)
        units = {(unit.source_id, unit.start, unit.end): unit for unit in latest}
        whole = sum(len(self.text[item_id]) for item_id in {span[0] for span in spans})
        growth = 1.0
        while sum(len(unit.text) for unit in latest) < min(enough, whole):
            growth *= _GROWTH
            latest = self.windows(spans, round(width * growth), score=1 / growth)
            for unit in latest:
                units.setdefault((unit.source_id, unit.start, unit.end), unit)
        return list(units.values())

    def _around(self, item_id: str, start: int, end: int, width: int) -> tuple[int, int]:
        """A window that holds the span, centred on it as far as the text allows, its edges at
        sentence or word ends where one is near."""
        length = len(self.text[item_id])
        start, end = max(0, min(start, length)), max(0, min(end, length))
        first = max(0, min((start + end - width) // 2, length - width))
        last = min(length, first + width)
        slack = width // 20
        boundaries = self._boundaries[item_id]
        if first > 0:
            first = boundaries.nearest(first, slack)
        if last < length:
            last = boundaries.nearest(last, slack)
        return min(first, start), max(last, end)


def _touch(a: Span, b: Span) -> bool:
    return a[0] == b[0] and a[1] <= b[2] and b[1] <= a[2]
