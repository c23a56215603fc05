"""Checks: pairs with a known winner, made of the same stuff as all others.

The winner is an answer to the question that the reference judge gave 9 points or more, or the gold
answer where there is none; the loser is a real answer to another question, with another gold answer
and about as long as the winner. The winner is so by how the pair was made: that the loser speaks of
something else needs no judge. Both are rendered like any answer, and neither names its system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Final

import numpy as np

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, Pair, RenderedText
from annotation.services.campaign_frame import Frame
from annotation.services.check_picking import CheckPicker, Clean
from annotation.services.pair_building import Ask, store_questions
from annotation.services.rendering import (
    QuestionContent,
    answer_texts,
    render_answers,
    render_contexts,
    render_gold,
)

METHOD: Final = (
    "winner: an answer with at least 9 points from the reference judge, or the gold answer; "
    "loser: a system's answer to another question, of about the same length"
)
MOST_ATTENTION = 60


class NoChecksPossible(Exception):
    """No pair with a known winner can be made of these answers."""


@dataclass(frozen=True, slots=True)
class Check:
    kind: str
    ask: Ask
    winner_is_first: bool
    winner_text: RenderedText
    loser_text: RenderedText
    winner_context: RenderedText | None
    loser_context: RenderedText | None


@dataclass(frozen=True, slots=True)
class PreparedChecks:
    checks: tuple[Check, ...]
    contents: Mapping[Ask, QuestionContent]
    n_gold: int

    def as_json(self) -> dict[str, int | str]:
        kinds = [check.kind for check in self.checks]
        return {
            "method": METHOD,
            "n_attention": kinds.count(Pair.ATTENTION),
            "n_qualification": kinds.count(Pair.QUALIFICATION),
            "n_gold_winners": self.n_gold,
        }


@dataclass(frozen=True, slots=True)
class _Planned:
    """``winner``: an answer row, or 0 for the gold answer."""

    kind: str
    ask: Ask
    winner: int
    loser: int
    winner_is_first: bool


def n_checks(options: CampaignOptions) -> tuple[int, int]:
    """How many attention and qualification checks the campaign needs: nobody sees one twice."""
    every = options.attention_every
    if every is None:
        return 0, options.n_qualification
    decisions = options.votes_per_rater or ceil(options.n_pairs * every / (every - 1))
    return min(MOST_ATTENTION, ceil(decisions / every)), options.n_qualification


def prepare_checks(
    *, frame: Frame, options: CampaignOptions, is_clean: Clean, rng: np.random.Generator
) -> PreparedChecks:
    """Choose and render. ``is_clean``: whether an answer to a question gives nothing away. Raises
    NoChecksPossible."""
    n_attention, n_qualification = n_checks(options)
    kinds = [Pair.ATTENTION] * n_attention + [Pair.QUALIFICATION] * n_qualification
    if not kinds:
        return PreparedChecks((), {}, 0)
    picker = CheckPicker(frame, is_clean, rng)
    planned: list[_Planned] = []
    for row in picker.rows_in_turn(limit=20 * len(kinds)):
        if len(planned) == len(kinds):
            break
        made = picker.pick(row)
        if made is None:
            continue
        ask, winner, loser = made
        kind = kinds[len(planned)]
        planned.append(_Planned(kind, ask, winner, loser, bool(rng.random() < 0.5)))
    if len(planned) < len(kinds):
        raise NoChecksPossible(
            f"{len(kinds)} checks with a known winner are needed and {len(planned)} can be made: "
            "they take answers to several questions with different gold answers. Ask for fewer "
            "checks, or for none"
        )
    return _rendered(planned, picker, options, frame)


def _rendered(
    planned: list[_Planned], picker: CheckPicker, options: CampaignOptions, frame: Frame
) -> PreparedChecks:
    answers = {one.loser for one in planned} | {one.winner for one in planned if one.winner}
    texts = render_answers(answer_texts(answers))
    gold = render_gold(
        {picker.contents[one.ask].key: picker.contents[one.ask].gold for one in planned}
    )
    contexts: Mapping[int, RenderedText] = {}
    beside = {one.ask: _any_answer(frame, one.ask) for one in planned}
    if options.show_context:
        contexts = render_contexts(answers | set(beside.values()))
    checks = tuple(
        Check(
            kind=one.kind,
            ask=one.ask,
            winner_is_first=one.winner_is_first,
            winner_text=(texts[one.winner] if one.winner else gold[picker.contents[one.ask].key]),
            loser_text=texts[one.loser],
            winner_context=contexts.get(one.winner or beside[one.ask]),
            loser_context=contexts.get(one.loser),
        )
        for one in planned
    )
    contents = {one.ask: picker.contents[one.ask] for one in planned}
    return PreparedChecks(checks, contents, sum(not one.winner for one in planned))


def store_checks(*, campaign: Campaign, prepared: PreparedChecks, now: datetime) -> list[Pair]:
    """The checks as rows: they name no system, want no votes and are never counted."""
    questions = store_questions(campaign, prepared.contents)
    positions = {Pair.ATTENTION: 0, Pair.QUALIFICATION: 0}
    rows = []
    for check in prepared.checks:
        sides = [
            (check.winner_text, check.winner_context),
            (check.loser_text, check.loser_context),
        ]
        (first, first_context), (second, second_context) = (
            sides if check.winner_is_first else sides[::-1]
        )
        rows.append(
            Pair(
                campaign=campaign,
                kind=check.kind,
                position=positions[check.kind],
                question=questions[check.ask],
                first_text=first,
                second_text=second,
                first_context=first_context,
                second_context=second_context,
                known_winner="first" if check.winner_is_first else "second",
                n_wanted=0,
                created_at=now,
            )
        )
        positions[check.kind] += 1
    return Pair.objects.bulk_create(rows, batch_size=500)


def _any_answer(frame: Frame, ask: Ask) -> int:
    row = frame.answers[frame.asks.index(ask)]
    return int(row[row > 0][0])
