"""The revision of a benchmark: a hash of everything that can change an answer or a score."""

from __future__ import annotations

import hashlib
import json

from pydantic import TypeAdapter

from evaluation.records import Benchmark, Question, Scenario

_SCENARIOS = TypeAdapter(tuple[Scenario, ...])
_QUESTIONS = TypeAdapter(tuple[Question, ...])


def revision_of(benchmark: Benchmark) -> str:
    """SHA-256, in hex, of the canonical JSON of scenarios and questions.

    The order of scenarios, steps and questions counts; the order in which a mapping was filled
    does not. Card and report are no part of it: a corrected citation keeps the revision.
    """
    content = {
        "scenarios": _SCENARIOS.dump_python(benchmark.scenarios, mode="json"),
        "questions": _QUESTIONS.dump_python(benchmark.questions, mode="json"),
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
