"""All that a rater's page may know. Nothing here names a system, run, variant, judge or score, and
nothing but these reaches the rater's views before a vote."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

LEFT, RIGHT, TIE, BOTH_BAD = "a", "b", "tie", "both_bad"

# Where a rater stands; the page shows exactly one of these.
CLOSED: Final = "closed"
"""Not open yet, closed, or not open to this person; ``sentence`` says which."""
CONSENT: Final = "consent"
"""The instructions and the consent, before anything else."""
VOTING: Final = "voting"
"""``pair`` is to be decided."""
REVEALED: Final = "revealed"
"""``revealed`` shows who wrote the pair just decided; Continue goes on."""
WAITING: Final = "waiting"
"""Everything left is being decided by others; look again later."""
DONE: Final = "done"
"""The rater's work is done: thanks, the code, the reveal."""

BEFORE_THE_END: Final = (VOTING, REVEALED, WAITING, DONE)
"""Where a rater who has decided something can finish: early, or for good when all is done."""


@dataclass(frozen=True, slots=True)
class BlindPair:
    """One pair as a rater sees it: A is on the left. The HTML is safe and was rendered when the
    campaign was made. ``assignment_id`` is random and belongs to one rater."""

    assignment_id: str
    question_html: str
    gold_html: str
    facts: tuple[str, ...]
    source_spans: tuple[str, ...]
    left_html: str
    right_html: str
    left_context_html: str = ""
    right_context_html: str = ""


@dataclass(frozen=True, slots=True)
class BlindCampaign:
    """``token`` is the link's. ``choices`` are some of a, b, tie, both_bad."""

    token: str
    name: str
    decision: str
    instructions_html: str
    consent_html: str
    choices: tuple[str, ...]
    reasons: tuple[str, ...]
    asks_comment: bool
    asks_confidence: bool
    shows_context: bool
    is_simulated: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """``n_wanted``: votes this rater is asked for; None: as many as they like."""

    n_done: int
    n_wanted: int | None


@dataclass(frozen=True, slots=True)
class RevealedPair:
    """Who wrote a pair that this rater has decided. Only a reveal makes one."""

    question_html: str
    left_system: str
    right_system: str
    choice: str
    left_score: str
    right_score: str


@dataclass(frozen=True, slots=True)
class VotingPage:
    """``can_finish``: the rater has decided something and has not ended their part yet."""

    stage: str
    campaign: BlindCampaign
    progress: Progress
    pseudonym: str = ""
    pair: BlindPair | None = None
    can_undo: bool = False
    can_finish: bool = False
    sentence: str = ""
    revealed: tuple[RevealedPair, ...] = field(default=())
    completion_code: str = ""
