"""Drawn candidates made into pairs: rendered, scanned, with first and second as they were drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.campaign_options import CampaignOptions
from annotation.models import CampaignQuestion, CampaignSystem, Pair, RenderedText
from annotation.models.campaign import Campaign
from annotation.pair_sampling.candidates import Candidates
from annotation.pair_sampling.drawing import Draw
from annotation.services.answer_scans import AnswerScanner, PairScan, scan_pairs
from annotation.services.campaign_frame import Frame
from annotation.services.rendering import (
    QuestionContent,
    answer_texts,
    question_contents,
    render_answers,
    render_contexts,
)

LONGEST_STRATUM_LABEL = 120
Ask = tuple[int, str]


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """``ask`` is the question row and phase; first and second are (column of the frame, answer
    row)."""

    ask: Ask
    first: tuple[int, int]
    second: tuple[int, int]
    stratum: str
    probability: float


@dataclass(frozen=True, slots=True)
class PreparedPairs:
    """Everything that takes time, done before the database is locked."""

    pairs: tuple[DrawnPair, ...]
    contents: Mapping[Ask, QuestionContent]
    texts: Mapping[int, RenderedText]
    contexts: Mapping[int, RenderedText]
    scans: tuple[PairScan, ...]


def prepare_pairs(
    *,
    scan: AnswerScanner,
    options: CampaignOptions,
    frame: Frame,
    drawn: list[DrawnPair],
) -> PreparedPairs:
    """Render and scan the drawn pairs."""
    answers = {pk for pair in drawn for _, pk in (pair.first, pair.second)}
    plain = answer_texts(answers)
    contents = question_contents(
        [pair.ask for pair in drawn], several_phases=has_several_phases(frame)
    )
    return PreparedPairs(
        pairs=tuple(drawn),
        contents=contents,
        texts=render_answers(plain),
        contexts=render_contexts(answers) if options.show_context else {},
        scans=scan_pairs(
            [(contents[pair.ask], plain[pair.first[1]], plain[pair.second[1]]) for pair in drawn],
            scan=scan,
        ),
    )


def drawn_pairs(candidates: Candidates, draw: Draw, frame: Frame) -> list[DrawnPair]:
    probabilities = draw.inclusion_probabilities(draw.chosen)
    pairs = []
    for place, candidate in enumerate(draw.chosen):
        row = int(candidates.question[candidate])
        columns = [int(candidates.left[candidate]), int(candidates.right[candidate])]
        if draw.right_is_first[place]:
            columns.reverse()
        first, second = ((column, int(frame.answers[row, column])) for column in columns)
        pairs.append(
            DrawnPair(
                ask=frame.asks[row],
                first=first,
                second=second,
                stratum=stratum_label(candidates, frame, int(candidate)),
                probability=float(probabilities[place]),
            )
        )
    return pairs


def stratum_label(candidates: Candidates, frame: Frame, candidate: int) -> str:
    """``2–4 | bm25 | simple-rag@static``."""
    sides = (candidates.left[candidate], candidates.right[candidate])
    labels = [frame.labels[int(column)][:LONGEST_STRATUM_LABEL] for column in sides]
    return " | ".join((candidates.bucket_names[int(candidates.bucket[candidate])], *labels))


def has_several_phases(frame: Frame) -> bool:
    return len({phase for _, phase in frame.asks}) > 1


def store_questions(
    campaign: Campaign, contents: Mapping[Ask, QuestionContent]
) -> dict[Ask, CampaignQuestion]:
    """The campaign's rows of these questions, made where they are new."""
    known = {row.key: row for row in campaign.questions.all()}
    new = [content.as_row(campaign) for content in contents.values() if content.key not in known]
    CampaignQuestion.objects.bulk_create(new, batch_size=200)
    known.update({row.key: row for row in new})
    return {ask: known[content.key] for ask, content in contents.items()}


def store_pairs(
    *,
    campaign: Campaign,
    options: CampaignOptions,
    prepared: PreparedPairs,
    systems: list[CampaignSystem],
    start: int,
    now: datetime,
) -> list[Pair]:
    """The pairs as rows, from position ``start``. ``systems`` are in the frame's order. A pair in
    which the scan found something wants no votes before a lead has accepted it."""
    questions = store_questions(campaign, prepared.contents)
    rows = [
        Pair(
            campaign=campaign,
            kind=Pair.VOTE,
            position=start + place,
            question=questions[pair.ask],
            first_system=systems[pair.first[0]],
            second_system=systems[pair.second[0]],
            first_answer_id=pair.first[1],
            second_answer_id=pair.second[1],
            first_text=prepared.texts[pair.first[1]],
            second_text=prepared.texts[pair.second[1]],
            first_context=prepared.contexts.get(pair.first[1]),
            second_context=prepared.contexts.get(pair.second[1]),
            stratum=pair.stratum,
            inclusion_probability=pair.probability,
            scan=list(scan.entries),
            needs_review=scan.needs_review,
            n_wanted=0 if scan.needs_review else options.overlap,
            created_at=now,
        )
        for place, (pair, scan) in enumerate(zip(prepared.pairs, prepared.scans, strict=True))
    ]
    return Pair.objects.bulk_create(rows, batch_size=500)
