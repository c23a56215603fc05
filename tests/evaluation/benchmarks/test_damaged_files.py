"""Whatever happens to a file, a loader takes it or refuses it in words."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmarks import locomo, longmemeval, squad
from evaluation.formats import agent_memory_benchmark, answers_jsonl, inspect_log, memorybench
from evaluation.source_files.refusals import WrongKindOfFile

from . import test_locomo, test_longmemeval, test_squad

SAMPLES: dict[str, tuple[Any, Any]] = {
    "squad": (squad.load, {"data": [{"title": "A", "paragraphs": [test_squad.PAPER]}]}),
    "locomo": (locomo.load, [test_locomo.talk()]),
    "longmemeval": (longmemeval.load, [test_longmemeval.entry()]),
    "jsonl": (
        answers_jsonl.read,
        {
            "benchmark": "b", "question_id": "q", "system": "s", "answer": "a", "context": "abc",
            "slices": {"tier": ["L1"]}, "flags": ["f"], "achieved_chars": 3,
            "judgments": [{"judge": "j", "composite": 5, "scores": {"accuracy": 1}}],
        },
    ),
    "agent-memory-benchmark": (
        agent_memory_benchmark.read,
        {
            "dataset": "d", "split": "s", "memory_provider": "m", "run_name": "r",
            "total_queries": 1, "results": [
                {"query_id": "q", "query": "?", "answer": "a", "context": "c", "correct": True,
                 "score": 0.5, "judge_reason": "r", "gold_answers": ["g"], "retrieve_time_ms": 1,
                 "category_axes": {"type": ["t"]}}
            ],
        },
    ),
    "memorybench": (
        memorybench.read,
        {
            "provider": "p", "benchmark": "b", "judge": "j", "evaluations": [
                {"questionId": "q", "questionType": "t", "question": "?", "score": 1,
                 "label": "correct", "explanation": "e", "hypothesis": "h", "groundTruth": "g",
                 "searchDurationMs": 1}
            ],
        },
    ),
    "inspect": (
        inspect_log.read,
        {
            "version": 2, "status": "success", "eval": {"task": "t", "model": "m",
            "dataset": {"name": "d"}}, "samples": [
                {"id": 1, "epoch": 1, "input": [{"role": "user", "content": "?"}],
                 "target": ["g"], "output": {"choices": [{"message": {"content": "a"}}]},
                 "scores": {"s": {"value": {"a": "C"}, "explanation": "e"}},
                 "error": {"message": "x"}, "attachments": {"a": "b"}}
            ],
        },
    ),
}  # fmt: skip
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 0.5, "", " ", "x", [], {}, [None], {"a": 1}, [[]]]
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list)
        else ()
    )  # fmt: skip
    return [at, *(place for key, one in inner for place in places(one, (*at, key)))]


def changed(value: Any, place: tuple[Any, ...], junk: Any) -> Any:
    if not place:
        return junk
    copied = copy.deepcopy(value)
    parent = copied
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = junk
    return copied


def taken(load: Any, path: Path) -> bool:
    said = ""
    try:
        load(path)
    except WrongKindOfFile as refusal:
        said = str(refusal)
    assert not said or said.startswith(path.name)
    return not said


@pytest.mark.parametrize("name", SAMPLES)
def test_the_undamaged_file_is_taken(tmp_path, name):
    load, data = SAMPLES[name]
    path = tmp_path / "given.json"
    path.write_text(json.dumps(data))
    assert taken(load, path)


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_junk_in_any_place_is_taken_or_refused_in_words(tmp_path_factory, name, data):
    load, sample = SAMPLES[name]
    place = data.draw(st.sampled_from(places(sample)))
    path = tmp_path_factory.mktemp("damaged") / "given.json"
    path.write_text(json.dumps(changed(sample, place, data.draw(JUNK))))
    taken(load, path)


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_file_cut_short_is_refused_in_words(tmp_path_factory, name, data):
    load, sample = SAMPLES[name]
    content = json.dumps(sample).encode()
    path = tmp_path_factory.mktemp("cut") / "given.json"
    path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    assert not taken(load, path)
