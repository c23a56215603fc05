"""The campaign that a file of votes makes: systems, questions, raters, pairs and places."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from annotation.vote_formats.exported_votes import preferred_of
from annotation.vote_formats.rows import (
    LONGEST_KEY,
    LONGEST_LABEL,
    LONGEST_RATER,
    MODEL,
    SIMULATED,
    UNSCORED,
    BrokenRows,
    VoteRow,
)

NOT_STATED: Final = "not stated"


@dataclass(slots=True)
class LaidQuestion:
    key: str
    text: str = ""
    slices: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class LaidRater:
    """Counts are over all votes of the rater, unscored verdicts left out."""

    pseudonym: str
    voter: str
    row: VoteRow
    n_votes: int = 0
    n_counted: int = 0
    n_too_fast: int = 0
    seconds_total: float = 0.0
    by_choice: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class LaidPair:
    """``first`` and ``second`` are systems by number. The counts are over counted votes."""

    position: int
    question: int
    first: int
    second: int
    row: VoteRow
    n_counted: int = 0
    by_answer: dict[str, int] = field(default_factory=dict)
    slots: set[int] = field(default_factory=set)
    raters: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class LaidVote:
    """An unscored verdict has neither a slot nor a reason for having none."""

    row: VoteRow
    pair: int
    rater: int
    left_is_first: bool
    slot: int | None
    not_counted: str


@dataclass(slots=True)
class Layout:
    """``n_repeated``: verdicts of a rater who had judged the same two systems on the same question
    before; each stands on a pair of its own."""

    systems: list[str] = field(default_factory=list)
    questions: list[LaidQuestion] = field(default_factory=list)
    raters: list[LaidRater] = field(default_factory=list)
    pairs: list[LaidPair] = field(default_factory=list)
    votes: list[LaidVote] = field(default_factory=list)
    unscored: list[LaidVote] = field(default_factory=list)
    n_repeated: int = 0
    n_counted: int = 0
    simulated: bool = False
    track: str = ""


def lay_out(rows: Sequence[VoteRow], *, seed: int, path: Path) -> Layout:
    """A pair is a question and two systems, whichever side they were on; which of them is first is
    drawn once from ``seed`` and their names. A rater votes once on a pair: what a rater says again
    goes to a further pair of the same question and systems, so nothing is dropped.

    Verdicts of language models take places only where nobody else voted, and never where they
    compare a system with itself. Rows of our own export keep their pairs, places and reasons.
    Raises BrokenRows, naming ``path``, for rows that no campaign can hold.
    """
    if len({row.voter == SIMULATED for row in rows}) > 1:
        raise BrokenRows(path, ["simulated and real votes never share a campaign"])
    making = _Making(seed, models_count=all(row.voter == MODEL for row in rows))
    for row in rows:
        problem = making.problem_with(row) or making.take(row)
        if problem:
            making.problems.append(f"{row.place}: {problem}")
    if making.problems:
        raise BrokenRows(path, making.problems)
    made = making.made
    made.simulated = rows[0].voter == SIMULATED
    made.n_counted = sum(pair.n_counted for pair in made.pairs)
    made.track = rows[0].stated.track if rows[0].stated else ""
    return made


class _Making:
    def __init__(self, seed: int, *, models_count: bool) -> None:
        self.seed = seed
        self.models_count = models_count
        self.made = Layout()
        self.problems: list[str] = []
        self.systems: dict[str, int] = {}
        self.questions: dict[str, int] = {}
        self.raters: dict[str, int] = {}
        self.pairs: dict[object, int] = {}
        self.said: dict[tuple[object, int], int] = {}

    def problem_with(self, row: VoteRow) -> str:
        for name, value, longest in (
            ("left system", row.left, LONGEST_LABEL),
            ("right system", row.right, LONGEST_LABEL),
            ("question", row.question or NOT_STATED, LONGEST_KEY),
            ("rater", row.rater or NOT_STATED, LONGEST_RATER),
        ):
            if not value.strip():
                return f"the {name} is empty"
            if len(value) > longest:
                return f"the {name} “{value[:40]}…” has more than {longest} characters"
        if row.left == row.right and row.voter != MODEL:
            return f"“{row.left}” is compared with itself"
        is_counted = row.stated is not None and row.stated.slot is not None
        if is_counted and row.voter == MODEL and not self.models_count:
            return "a language model's verdict never counts beside people's votes"
        return ""

    def take(self, row: VoteRow) -> str:
        """Adds the row; says why where it cannot."""
        question = self._question(row)
        rater = self._rater(row)
        if self.made.raters[rater].voter != row.voter:
            return (
                f"“{row.rater}” was a {self.made.raters[rater].voter} before, is a {row.voter} now"
            )
        left, right = self._system(row.left), self._system(row.right)
        pair, problem = self._pair(row, question, rater, left, right)
        if problem:
            return problem
        laid = self.made.pairs[pair]
        left_is_first = row.left_is_first if row.left_is_first is not None else laid.first == left
        slot, not_counted = self._place(row, laid)
        if slot is not None and slot in laid.slots:
            return f"place {slot} of pair {laid.position} is taken already"
        vote = LaidVote(row, pair, rater, left_is_first, slot, not_counted)
        laid.raters.add(rater)
        if row.choice == UNSCORED:
            self.made.unscored.append(vote)
        else:
            self.made.votes.append(vote)
            _count(laid, self.made.raters[rater], vote)
        return ""

    def _system(self, label: str) -> int:
        if label not in self.systems:
            self.systems[label] = len(self.made.systems)
            self.made.systems.append(label)
        return self.systems[label]

    def _question(self, row: VoteRow) -> int:
        key = row.question or NOT_STATED
        if key not in self.questions:
            self.questions[key] = len(self.made.questions)
            slices = row.stated.slices if row.stated else {}
            self.made.questions.append(LaidQuestion(key, row.question_text, slices))
        return self.questions[key]

    def _rater(self, row: VoteRow) -> int:
        name = row.rater or NOT_STATED
        if name not in self.raters:
            self.raters[name] = len(self.made.raters)
            # An e-mail address is no pseudonym.
            shown = f"address {len(self.raters)} (hidden)" if "@" in name else name
            self.made.raters.append(LaidRater(shown, row.voter, row))
        return self.raters[name]

    def _pair(
        self, row: VoteRow, question: int, rater: int, left: int, right: int
    ) -> tuple[int, str]:
        two = (min(left, right), max(left, right))
        key: object = (question, two)
        if row.stated is not None:
            key = row.stated.position
        else:
            n_said = self.said.get((key, rater), 0)
            self.said[key, rater] = n_said + 1
            if n_said:
                self.made.n_repeated += 1
                key = (question, two, n_said)
        if key not in self.pairs:
            self.pairs[key] = len(self.made.pairs)
            first = self._first(row, left, right)
            position = row.stated.position if row.stated else len(self.made.pairs)
            second = right if first == left else left
            self.made.pairs.append(LaidPair(position, question, first, second, row))
        number = self.pairs[key]
        laid = self.made.pairs[number]
        if (laid.question, {laid.first, laid.second}) != (question, {left, right}):
            return number, f"pair {laid.position} has another question or other systems before"
        if row.left_is_first is not None and laid.first != (left if row.left_is_first else right):
            return number, f"pair {laid.position} had first and second the other way before"
        if rater in laid.raters:
            return number, f"“{row.rater}” has voted on pair {laid.position} before"
        return number, ""

    def _first(self, row: VoteRow, left: int, right: int) -> int:
        if row.left_is_first is not None:
            return left if row.left_is_first else right
        low, high = sorted((row.left, row.right))
        drawn = hashlib.sha256(f"{self.seed}\0{row.question}\0{low}\0{high}".encode()).digest()
        return self.systems[low if drawn[0] % 2 else high]

    def _place(self, row: VoteRow, pair: LaidPair) -> tuple[int | None, str]:
        if row.choice == UNSCORED:
            return None, ""
        if row.stated is not None:
            return row.stated.slot, row.stated.not_counted
        if row.voter == MODEL and (not self.models_count or row.left == row.right):
            return None, MODEL
        return pair.n_counted + 1, ""


def _count(pair: LaidPair, rater: LaidRater, vote: LaidVote) -> None:
    row = vote.row
    rater.n_votes += 1
    rater.by_choice[row.choice] = rater.by_choice.get(row.choice, 0) + 1
    rater.seconds_total += row.seconds or 0.0
    rater.n_too_fast += bool(row.stated and row.stated.is_too_fast)
    if vote.slot is not None:
        rater.n_counted += 1
        pair.n_counted += 1
        pair.slots.add(vote.slot)
        answer = preferred_of(row.choice, vote.left_is_first)
        pair.by_answer[answer] = pair.by_answer.get(answer, 0) + 1
