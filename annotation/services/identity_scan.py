"""Looking again, through all that is stored of a campaign, for what could tell who wrote an
answer: in the texts as they are read, and in the markup around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from annotation.blinding.identities import scanned_names
from annotation.blinding.simulated_reading import plain_text
from annotation.models import Campaign, CampaignQuestion, Pair, RenderedText
from annotation.services.answer_scans import AnswerScanner
from annotation.services.campaign_identities import campaign_identities
from annotation.services.rendering import QuestionContent
from evaluation.services.benchmarks import question_record

IN_MARKUP: Final = "in the markup"
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """``where``: pair 3, first answer. ``state``: on vote, reviewed (a person accepted it) or held
    back."""

    where: str
    kind: str
    found: str
    quote: str
    state: str

    @property
    def can_reach_raters(self) -> bool:
        return self.state == "on vote"


@dataclass(frozen=True, slots=True)
class StoredScan:
    """``n_topic``: names that belong to the topic of their question, so that they tell nothing."""

    n_texts: int
    n_questions: int
    n_topic: int
    findings: tuple[StoredFinding, ...]


def scan_stored(*, campaign: Campaign) -> StoredScan:
    """Every answer, context and question that raters of the campaign may be shown."""
    identities = campaign_identities(campaign=campaign)
    scanner = AnswerScanner(
        benchmark_id=campaign.benchmark_id or 0, names=scanned_names(identities)
    )
    rows = CampaignQuestion.objects.filter(campaign=campaign).select_related("question")
    questions = {row.pk: row for row in rows}
    findings: list[StoredFinding] = []
    seen: set[str] = set()
    n_topic = 0
    for where, pair, text, is_context in _texts(campaign):
        seen.add(text.sha256)
        state = _state(pair)
        for found in _in_markup(text.html, identities):
            findings.append(StoredFinding(where, IN_MARKUP, found, "", state))
        if is_context:
            continue
        content = _content(questions[pair.question_id])
        for one in scanner(content, plain_text(text.html)).findings:
            n_topic += one.is_topic
            if one.needs_review:
                findings.append(StoredFinding(where, one.kind, one.found, one.quote, state))
    for row in questions.values():
        for found in _in_markup(f"{row.question_html}{row.gold_html}", identities):
            findings.append(StoredFinding(f"question {row.key}", IN_MARKUP, found, "", "on vote"))
    return StoredScan(
        n_texts=len(seen), n_questions=len(questions), n_topic=n_topic, findings=tuple(findings)
    )


def _texts(campaign: Campaign) -> Iterator[tuple[str, Pair, RenderedText, bool]]:
    pairs = Pair.objects.filter(campaign=campaign).select_related(
        "first_text", "second_text", "first_context", "second_context"
    )
    for pair in pairs.order_by("kind", "position").iterator(chunk_size=200):
        named = "pair" if pair.kind == Pair.VOTE else f"{pair.kind} check"
        for name, text, is_context in (
            ("first answer", pair.first_text, False),
            ("second answer", pair.second_text, False),
            ("first context", pair.first_context, True),
            ("second context", pair.second_context, True),
        ):
            if text is not None:
                yield f"{named} {pair.position}, {name}", pair, text, is_context


def _state(pair: Pair) -> str:
    if pair.is_rejected:
        return "held back"
    if pair.reviewed_at is not None:
        return "reviewed"
    return "held back" if pair.needs_review else "on vote"


def _in_markup(html: str, identities: frozenset[str]) -> list[str]:
    """Identities that stand in tags: a reader does not see them, a reader of the source does."""
    markup = " ".join(_TAG.findall(html)).casefold()
    return sorted(
        name
        for name in identities
        if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", markup)
    )


def _content(row: CampaignQuestion) -> QuestionContent:
    return QuestionContent(
        question_id=row.question_id or 0,
        key=row.key,
        text=row.text,
        gold=plain_text(row.gold_html),
        facts=tuple(row.facts),
        source_spans=tuple(row.source_spans),
        slices=row.slices,
        source_ids=question_record(row.question).source_ids if row.question else (),
    )
