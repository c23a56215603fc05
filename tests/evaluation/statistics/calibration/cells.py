"""Small tables of cells that two judges have scored."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from hypothesis import strategies as st

from evaluation.statistics.calibration.judge_cells import JudgeCells

SYSTEMS = ("theoria", "mem0", "simple-rag", "hindsight", "base-model")
Row = tuple[int, int, int, int, int, float | None, float | None]


def judge_cells(rows: Iterable[Row]) -> JudgeCells:
    """Rows of (system, track, modality, tier, question, first score, second score)."""
    columns = list(zip(*rows, strict=True)) or [()] * 7
    codes = [np.array(column, dtype=np.int64) for column in columns[:5]]
    scores = [
        np.array([np.nan if score is None else score for score in column], dtype=np.float64)
        for column in columns[5:]
    ]
    return JudgeCells(
        SYSTEMS,
        ("10k", "50k"),
        ("dense", "hybrid"),
        ("L1", "L2", "L3"),
        codes[0],
        codes[1],
        codes[2],
        codes[3],
        codes[4],
        scores[0],
        scores[1],
    )


@st.composite
def cell_tables(draw: st.DrawFn, *, min_size: int = 1, complete: bool = False) -> JudgeCells:
    """Any table, its scores in quarters of a point; without missing ones when ``complete``."""
    known = st.integers(0, 40).map(lambda quarters: quarters / 4)
    score = known if complete else st.one_of(st.none(), known)
    row = st.tuples(*(st.integers(0, n - 1) for n in (len(SYSTEMS), 2, 2, 3, 6)), score, score)
    return judge_cells(draw(st.lists(row, min_size=min_size, max_size=24)))
