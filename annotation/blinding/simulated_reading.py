"""How a simulated rater decides: by the must-have facts that each answer states, and a noise.

A simulated rater knows what a rater's page shows and nothing else: no judgment, no score, no name.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Final

from annotation.blinding.voting_page import BOTH_BAD, LEFT, RIGHT, TIE, BlindPair
from evaluation.records import Expectation, Fact
from evaluation.scoring.rubric import RubricJudge

TIE_BAND: Final = 1.0
"""Answers whose marks are no further apart than this look alike; marks are from 0 to 10."""
BAD_BELOW: Final = 1.0
WORDS_A_MINUTE: Final = 250
_TAG = re.compile(r"<[^>]*>")


@dataclass(slots=True)
class SimulatedReader:
    """``noise``: standard deviation of the error in each mark, in points."""

    rng: random.Random
    noise: float

    def choose(self, pair: BlindPair, choices: Sequence[str]) -> str:
        """One of ``choices``, which hold a, b and tie at least."""
        left, right = (
            mark + self.rng.gauss(0.0, self.noise)
            for mark in (_mark(pair, pair.left_html), _mark(pair, pair.right_html))
        )
        if BOTH_BAD in choices and max(left, right) < BAD_BELOW:
            return BOTH_BAD
        if abs(left - right) <= TIE_BAND:
            return TIE
        return LEFT if left > right else RIGHT

    def seconds(self, pair: BlindPair) -> float:
        """What reading the pair takes: some raters skim, some read twice."""
        texts = (pair.question_html, pair.gold_html, pair.left_html, pair.right_html)
        n_words = sum(len(plain_text(text).split()) for text in texts)
        return 5.0 + 60 * n_words / WORDS_A_MINUTE * self.rng.lognormvariate(0.0, 0.4)


def plain_text(html: str) -> str:
    """The text that a reader of the HTML sees; tags become spaces."""
    return unescape(_TAG.sub(" ", html))


def _mark(pair: BlindPair, answer_html: str) -> float:
    return rubric_mark(pair.question_html, pair.gold_html, pair.facts, answer_html)


@lru_cache(maxsize=4096)
def rubric_mark(
    question_html: str, gold_html: str, facts: tuple[str, ...], answer_html: str
) -> float:
    """0 to 10: the mean of the rubric's completeness and accuracy, 0 where it has neither."""
    judged = RubricJudge().judge(
        plain_text(question_html),
        Expectation(
            gold_answer=plain_text(gold_html), facts=tuple(Fact(text=fact) for fact in facts)
        ),
        plain_text(answer_html),
        "",
    )
    marks = [judged.scores[name] for name in ("completeness", "accuracy") if name in judged.scores]
    return sum(marks) / len(marks) if marks else 0.0
