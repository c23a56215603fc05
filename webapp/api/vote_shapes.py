"""What the API tells a rater. No field here can name a system, run, judge or score before the
vote: they are made from what the rater's pages are made from."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.blinding.voting_page import (
    BlindPair,
    Progress,
    RevealedPair,
    VotingPage,
)


@dataclass(frozen=True, slots=True)
class BlindAssignment:
    """The pair to decide: a is the left answer. ``id`` is random and belongs to one rater. The
    HTML is safe."""

    id: str
    question_html: str
    gold_html: str
    facts: tuple[str, ...]
    source_spans: tuple[str, ...]
    left_html: str
    right_html: str
    left_context_html: str
    right_context_html: str

    @classmethod
    def of(cls, pair: BlindPair) -> BlindAssignment:
        return cls(
            id=pair.assignment_id,
            question_html=pair.question_html,
            gold_html=pair.gold_html,
            facts=pair.facts,
            source_spans=pair.source_spans,
            left_html=pair.left_html,
            right_html=pair.right_html,
            left_context_html=pair.left_context_html,
            right_context_html=pair.right_context_html,
        )


@dataclass(frozen=True, slots=True)
class WhatToDecide:
    """What a vote asks. ``is_simulated``: it takes no votes of people."""

    name: str
    decision: str
    instructions_html: str
    consent_html: str
    choices: tuple[str, ...]
    reasons: tuple[str, ...]
    asks_comment: bool
    asks_confidence: bool
    shows_context: bool
    is_simulated: bool


@dataclass(frozen=True, slots=True)
class RaterState:
    """Where a rater stands. ``stage``: closed, consent, voting, revealed, waiting or done;
    ``sentence`` says why. ``assignment`` is there while voting. ``stored`` is true in the answer
    to a vote. ``can_finish``: the rater may end their part, early or after everything.
    ``rater_key`` is given once, in the answer to joining: keep it. ``revealed`` is who wrote the
    pairs decided before, where the vote reveals it."""

    stage: str
    sentence: str
    stored: bool
    assignment: BlindAssignment | None
    can_undo: bool
    can_finish: bool
    progress: Progress
    pseudonym: str
    rater_key: str
    vote: WhatToDecide
    revealed: tuple[RevealedPair, ...]
    completion_code: str

    @classmethod
    def of(cls, page: VotingPage, *, stored: bool = False, rater_key: str = "") -> RaterState:
        asked = page.campaign
        return cls(
            stage=page.stage,
            sentence=page.sentence,
            stored=stored,
            assignment=BlindAssignment.of(page.pair) if page.pair else None,
            can_undo=page.can_undo,
            can_finish=page.can_finish,
            progress=page.progress,
            pseudonym=page.pseudonym,
            rater_key=rater_key,
            vote=WhatToDecide(
                name=asked.name,
                decision=asked.decision,
                instructions_html=asked.instructions_html,
                consent_html=asked.consent_html,
                choices=asked.choices,
                reasons=asked.reasons,
                asks_comment=asked.asks_comment,
                asks_confidence=asked.asks_confidence,
                shows_context=asked.shows_context,
                is_simulated=asked.is_simulated,
            ),
            revealed=page.revealed,
            completion_code=page.completion_code,
        )
