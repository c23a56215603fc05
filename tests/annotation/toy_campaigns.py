"""A small campaign without runs: systems, questions, rendered pairs and judge's scores, as the
making of a campaign leaves them."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from itertools import combinations, cycle, islice
from typing import Any

from annotation.campaign_options import CampaignOptions
from annotation.models import (
    Campaign,
    CampaignQuestion,
    CampaignSystem,
    CampaignTally,
    Pair,
    PairScore,
    RenderedText,
)
from evaluation.models import Judge

NOW = dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)
LABELS = ("simple-rag@static", "simple-rag+bm25@static", "bm25", "theoria@static", "base-model")


def make_campaign(
    *,
    n_pairs: int = 6,
    n_systems: int = 3,
    overlap: int = 1,
    n_questions: int | None = None,
    n_attention: int = 0,
    n_qualification: int = 0,
    slug: str = "toy",
    is_open: bool = True,
    is_simulated: bool = False,
    now: dt.datetime = NOW,
    seed: int = 1,
    **options: Any,
) -> Campaign:
    """An open campaign made at ``now``; ``options`` are those of CampaignOptions.

    Every pair of systems takes its turn over the questions. Checks (``n_attention``,
    ``n_qualification``) name no system; their right answer is the first of the pair. The campaign
    of ``slug`` has the link token ``link-<slug>`` and the system labels of LABELS.
    """
    chosen = CampaignOptions(
        n_pairs=n_pairs, overlap=overlap, n_qualification=n_qualification, **options
    )
    judge, _ = Judge.objects.get_or_create(
        key=_sha("judge toy"),
        defaults={"name": "rubric", "is_proxy": True, "parts": {}, "created_at": now},
    )
    campaign = Campaign.objects.create(
        slug=slug,
        name=f"Campaign {slug}",
        link_token=f"link-{slug}",
        is_simulated=is_simulated,
        judge=judge,
        track="10k",
        options=chosen.as_json(),
        created_at=now,
        opened_at=now if is_open else None,
    )
    CampaignTally.objects.create(campaign=campaign)
    systems = CampaignSystem.objects.bulk_create(
        [CampaignSystem(campaign=campaign, label=_label(number)) for number in range(n_systems)]
    )
    questions = CampaignQuestion.objects.bulk_create(
        [_question(campaign, number) for number in range(1, (n_questions or n_pairs) + 1)]
    )
    rng = random.Random(seed)
    pairs = [
        _pair(campaign, position, question, two, overlap, now, rng)
        for position, question, two in zip(
            range(n_pairs), cycle(questions), cycle(combinations(systems, 2)), strict=False
        )
    ]
    pairs += [
        _check(campaign, kind, position, question, now)
        for kind, n_checks in (
            (Pair.ATTENTION, n_attention),
            (Pair.QUALIFICATION, n_qualification),
        )
        for position, question in enumerate(islice(cycle(questions), n_checks))
    ]
    _render(pairs)
    Pair.objects.bulk_create(pairs, batch_size=500)
    PairScore.objects.bulk_create(
        [_score(pair, judge, rng) for pair in pairs if pair.kind == Pair.VOTE], batch_size=500
    )
    return campaign


def _question(campaign: Campaign, number: int) -> CampaignQuestion:
    text = f"At how many degrees does sample {number} anneal?"
    return CampaignQuestion(
        campaign=campaign,
        key=f"TQ{number}",
        text=text,
        question_html=f"<p>{text}</p>\n",
        gold_html=f"<p>It anneals at {number * 10} degrees.</p>\n",
        facts=[f"It is {number * 10} degrees."],
        source_spans=[f"Sample {number} was annealed at {number * 10} degrees."],
        slices={"tier": [f"L{1 + number % 3}"]},
    )


def _pair(
    campaign: Campaign,
    position: int,
    question: CampaignQuestion,
    two: tuple[CampaignSystem, CampaignSystem],
    overlap: int,
    now: dt.datetime,
    rng: random.Random,
) -> Pair:
    first, second = two if rng.random() < 0.5 else two[::-1]
    # The numbers stand for what was written; they follow neither the sides nor the systems.
    numbers = rng.sample(range(1_000, 1_000_000), 2)
    return Pair(
        campaign=campaign,
        position=position,
        question=question,
        first_system=first,
        second_system=second,
        first_text=_text(f"It anneals after {numbers[0]} seconds, says the source of {position}."),
        second_text=_text(f"It anneals after {numbers[1]} seconds, says the source of {position}."),
        stratum="toy",
        inclusion_probability=0.5,
        n_wanted=overlap,
        created_at=now,
    )


def _check(
    campaign: Campaign, kind: str, position: int, question: CampaignQuestion, now: dt.datetime
) -> Pair:
    return Pair(
        campaign=campaign,
        kind=kind,
        position=position,
        question=question,
        first_text=_text(f"It is as the reference says ({kind} {position})."),
        second_text=_text(f"Nothing is known of it ({kind} {position})."),
        known_winner="first",
        n_wanted=0,
        created_at=now,
    )


def _score(pair: Pair, judge: Judge, rng: random.Random) -> PairScore:
    first, second = rng.randrange(0, 1001, 25), rng.randrange(0, 1001, 25)
    return PairScore(pair=pair, judge=judge, first_hundredths=first, second_hundredths=second)


def _text(words: str) -> RenderedText:
    html = f"<p>{words}</p>\n"
    return RenderedText(
        sha256=_sha(html), html=html, n_chars=len(words), n_words=len(words.split())
    )


def _render(pairs: list[Pair]) -> None:
    texts = {
        text.sha256: text
        for pair in pairs
        for text in (pair.first_text, pair.second_text)
        if text is not None
    }
    RenderedText.objects.bulk_create(list(texts.values()), ignore_conflicts=True, batch_size=500)


def _label(number: int) -> str:
    return LABELS[number] if number < len(LABELS) else f"system-{number}"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
