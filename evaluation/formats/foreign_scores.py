"""Scores of other tools on our scale: true or false, or a share from 0 to 1, becomes 0–10."""

from __future__ import annotations

import re
import unicodedata

from evaluation.formats.result_rows import MAX_SCORE, ResultJudgment
from evaluation.source_files.reading import is_finite_number

BOOLEAN_SCALE = "true or false in the file; 10 for true, 0 for false"
SHARE_SCALE = "0 to 1 in the file, times 10"


def composite_of(value: object) -> float | None:
    """The score on our scale, or None for anything that is neither true, false nor a number from
    0 to 1: a score on an unknown scale is not guessed at."""
    if isinstance(value, bool):
        return MAX_SCORE if value else 0.0
    if isinstance(value, int | float) and is_finite_number(value) and 0 <= value <= 1:
        return round(value * MAX_SCORE, 10)
    return None


def judgment_of(judge: str, value: object, reason: str) -> ResultJudgment:
    """A judgment of this score; unscored, with the value in its reason, where it has none."""
    composite = composite_of(value)
    if composite is None:
        stated = "the file gives no score" if value is None else f"the score {value!r} is not 0–1"
        return ResultJudgment(judge, None, reason=reason, unscored_reason=stated)
    return ResultJudgment(judge, composite, reason=reason)


def slug_of(*names: str) -> str:
    """Names as one slug (``openai/gpt-4.1`` gives ``openai-gpt-4-1``); "unnamed" where no letter
    or digit is left."""
    plain = unicodedata.normalize("NFKD", " ".join(names)).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.casefold())) or "unnamed"
