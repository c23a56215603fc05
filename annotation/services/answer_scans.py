"""The answer scan over the pairs of a campaign, with the names and topics that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.blinding.answer_scan import AnswerScan, scan_answer
from annotation.services.rendering import QuestionContent
from evaluation.models import SourceItem
from evaluation.services.storage import unpack_text


@dataclass(frozen=True, slots=True)
class PairScan:
    """``entries`` are what the pair keeps: what was found on which side, as JSON."""

    entries: tuple[dict[str, Any], ...]
    needs_review: bool


def scan_pairs(
    pairs: Sequence[tuple[QuestionContent, str, str]],
    *,
    scan: AnswerScanner,
) -> tuple[PairScan, ...]:
    """One scan for each pair of (question, first answer's text, second answer's text)."""
    return tuple(
        _of_pair(scan(content, first), scan(content, second)) for content, first, second in pairs
    )


class AnswerScanner:
    """Scans answers of one benchmark; each answer to a question is scanned once."""

    def __init__(self, *, benchmark_id: int, names: frozenset[str]) -> None:
        self.benchmark_id = benchmark_id
        self.names = names
        self.item_ids = frozenset(
            SourceItem.objects.filter(benchmark=benchmark_id).values_list("item_id", flat=True)
        )
        self.scans: dict[tuple[str, str], AnswerScan] = {}

    def __call__(self, content: QuestionContent, text: str) -> AnswerScan:
        key = (content.key, text)
        if key not in self.scans:
            self.scans[key] = scan_answer(
                text,
                names=self.names,
                topic=content.topic,
                sources=self._sources(content.source_ids),
                item_ids=self.item_ids,
            )
        return self.scans[key]

    def _sources(self, source_ids: Iterable[str]) -> Callable[[], list[str]]:
        def read() -> list[str]:
            rows = SourceItem.objects.filter(
                benchmark=self.benchmark_id, item_id__in=list(source_ids)
            ).order_by("pk")
            return [
                f"{title}\n{unpack_text(body)}" for title, body in rows.values_list("title", "body")
            ]

        return read


def _of_pair(first: AnswerScan, second: AnswerScan) -> PairScan:
    entries = tuple(
        {
            "side": side,
            "kind": finding.kind,
            "found": finding.found,
            "quote": finding.quote,
            "times": finding.times,
            "is_topic": finding.is_topic,
        }
        for side, scan in (("first", first), ("second", second))
        for finding in scan.findings
    ) + tuple(
        {"side": side, "kind": "shared", "found": name, "quote": "", "times": n, "is_topic": True}
        for side, scan in (("first", first), ("second", second))
        for name, n in scan.shared
    )
    return PairScan(entries, first.needs_review or second.needs_review)
