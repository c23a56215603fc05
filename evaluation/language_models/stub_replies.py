"""What the stub endpoint says: the same reply for the same request, on every machine."""

from __future__ import annotations

import hashlib
import json
import re
from zlib import crc32

EMBEDDING_DIM = 64
_WORD = re.compile(r"\w+")
_VERDICT_NAMES = ("accuracy", "completeness", "specificity", "hallucination_avoidance")


def default_reply(prompt: str) -> str:
    """A verdict where the prompt is a judge's case, else an answer of the prompt's own words."""
    case = read_case(prompt)
    return _answer(prompt) if case is None else verdict(case)


def read_case(prompt: str) -> dict[str, object] | None:
    """The judge's case: the JSON object in the prompt that names a case; None for other prompts."""
    start = prompt.find('{"case"')
    if start < 0:
        return None
    try:
        case, _ = json.JSONDecoder().raw_decode(prompt, start)
    except ValueError:
        return None
    return case if isinstance(case, dict) else None


def verdict(case: dict[str, object]) -> str:
    """Scores by simple overlap: the share of the gold answer's words that the answer holds. A case
    with a context is about retrieval, and its context stands for the answer."""
    gold = _words(str(case.get("gold_answer", "")))
    about_retrieval = "context" in case
    said = _words(str(case.get("context" if about_retrieval else "answer", "")))
    share = len(gold & said) / len(gold) if gold else float(not said)
    score = round(10 * share, 1)
    names = ("retrieval_quality",) if about_retrieval else _VERDICT_NAMES
    reason = f"{len(gold & said)} of {len(gold)} words of the gold answer are there."
    return json.dumps({"case": case.get("case"), "reason": reason} | dict.fromkeys(names, score))


def embedding(text: str) -> list[float]:
    """Unit-length counts of hashed words, 64 places; zeros for a text without words."""
    places = [0.0] * EMBEDDING_DIM
    for word in _WORD.findall(text.lower()):
        places[crc32(word.encode()) % EMBEDDING_DIM] += 1.0
    length = sum(value * value for value in places) ** 0.5
    return [value / length for value in places] if length else places


def _answer(prompt: str) -> str:
    """The two lines of the prompt that share most words with its last line (the question)."""
    lines = [line.strip() for line in prompt.splitlines() if line.strip()]
    asked = _words(lines[-1]) if lines else set()
    ranked = sorted(lines[:-1], key=lambda line: -len(asked & _words(line)))
    mark = hashlib.sha256(prompt.encode()).hexdigest()[:8]
    return " ".join([*(line[:400] for line in ranked[:2]), f"({mark})"])


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
