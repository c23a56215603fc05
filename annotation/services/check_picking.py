"""Who wins and who loses in a check: a right answer, and a real answer to another question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import ceil

import numpy as np

from annotation.services.campaign_frame import Frame
from annotation.services.pair_building import Ask, has_several_phases
from annotation.services.rendering import QuestionContent, answer_texts, question_contents
from evaluation.synthesis.abstention import is_abstention

WINNERS_LEAST = 900
POOL = 400
LOSERS_TRIED = 40
MOST_SHARED, MOST_SHARED_BESIDE_NUMBERS = 1 / 2, 2 / 3
"""Of the words of gold answer and facts, the share that the loser may have too: without numbers
among them, and with numbers, none of which the loser may have."""

Clean = Callable[[QuestionContent, str], bool]


class CheckPicker:
    """Picks out of a frame. ``is_clean``: whether an answer to a question gives nothing away. A
    loser comes again only when the others were used as often."""

    def __init__(self, frame: Frame, is_clean: Clean, rng: np.random.Generator) -> None:
        self.frame, self.is_clean, self.rng = frame, is_clean, rng
        self.contents = question_contents(frame.asks, several_phases=has_several_phases(frame))
        places = np.argwhere(frame.answers > 0)
        chosen = places[rng.permutation(len(places))[:POOL]]
        texts = answer_texts(int(frame.answers[row, column]) for row, column in chosen)
        self.n_uses: Counter[int] = Counter()
        self.picked: set[tuple[Ask, int, int]] = set()
        self.pool = [
            (int(row), answer, texts[answer])
            for row, column in chosen
            for answer in [int(frame.answers[row, column])]
            if texts[answer].strip() and not is_abstention(texts[answer])
        ]

    def rows_in_turn(self, *, limit: int) -> list[int]:
        """Every question before any comes again."""
        n = len(self.frame.asks)
        turns = [self.rng.permutation(n) for _ in range(ceil(limit / max(n, 1)))] if n else []
        return [int(row) for turn in turns for row in turn][:limit]

    def pick(self, row: int) -> tuple[Ask, int, int] | None:
        """The question with the answers that win and lose, 0 for the gold answer; None where no
        (further) check can be made of it."""
        ask = self.frame.asks[row]
        content = self.contents[ask]
        winner = self._winner(row, content)
        text = answer_texts([winner])[winner] if winner else content.gold
        if not text.strip():
            return None
        losers = [
            (self.n_uses[answer], abs(len(other) - len(text)), answer)
            for number in self.rng.permutation(len(self.pool))[:LOSERS_TRIED]
            for other_row, answer, other in [self.pool[number]]
            if self._loses(content, self.contents[self.frame.asks[other_row]], other)
        ]
        if not losers or (ask, winner, min(losers)[2]) in self.picked:
            return None
        loser = min(losers)[2]
        self.n_uses[loser] += 1
        self.picked.add((ask, winner, loser))
        return ask, winner, loser

    def _winner(self, row: int, content: QuestionContent) -> int:
        columns = np.flatnonzero(self.frame.scores[row] >= WINNERS_LEAST)
        for column in self.rng.permutation(columns):
            answer = int(self.frame.answers[row, column])
            text = answer_texts([answer])[answer]
            if not is_abstention(text) and self.is_clean(content, text):
                return answer
        return 0

    def _loses(self, content: QuestionContent, other: QuestionContent, other_text: str) -> bool:
        if other.question_id == content.question_id:
            return False
        said = _words(" ".join((content.gold, *content.facts)))
        shared = said & _words(other_text)
        if any(map(_is_number, shared)):
            return False
        has_numbers = any(map(_is_number, said))
        most = MOST_SHARED_BESIDE_NUMBERS if has_numbers else MOST_SHARED
        return len(shared) <= most * len(said) and self.is_clean(other, other_text)


def _words(text: str) -> frozenset[str]:
    """Those of four letters and more, and all that hold a digit."""
    words = (word.strip(".,;:!?()[]*\"'") for word in text.casefold().split())
    return frozenset(word for word in words if len(word) > 3 or _is_number(word))


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word))
