"""A table of 112 votes for which the published statements about people and Gemini hold:
"Beyond Memory Leaderboards", section 6.5 and Figure 6b. The votes are made; the counts are theirs.
"""

from __future__ import annotations

from evaluation.statistics.calibration.pairs import Outcome, PairTable
from tests.evaluation.statistics.calibration.tables import labelled

AGREEING = (
    *(50, 70, 80, 90),
    *(110, 110, 120, 120, 130, 150, 199),
    *(200, 210, 250, 280, 300, 320, 350, 380, 399),
    *(400 + 20 * i for i in range(29)),
)
DISAGREEING = (0, 0, 20, 30, 40, 60, 110, 120, 140, 160, 190, 240)
TIED = (
    *[0] * 22,
    *(10, 10, 20, 20, 20, 30, 30, 40, 40, 50, 50, 50),
    *(60, 70, 80, 90, 100, 100, 100),
    *(150, 160, 170, 180, 200),
    *(250, 300, 350, 500, 600),
)


def seed_votes() -> PairTable:
    """One vote a pair; the side of the higher score alternates."""
    rows: list[tuple[int, Outcome]] = []
    for gaps, agrees in ((AGREEING, True), (DISAGREEING, False)):
        for i, gap in enumerate(gaps):
            leads = i % 2 == 0
            side = Outcome.FIRST if leads == agrees else Outcome.SECOND
            rows.append((gap if leads else -gap, side))
    rows += [(gap, Outcome.TIE) for gap in TIED]
    return labelled(rows, n_questions=20)
