"""What protocol version 1 gives, byte by byte: a change needs a new version and a new digest."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from evaluation.benchmarks.registry import generate_benchmark
from evaluation.protocol.cells import restore_context
from evaluation.protocol.keys import PROTOCOL_VERSION, key_of
from evaluation.protocol.packing import TEMPLATE_VERSION
from evaluation.protocol.tracks import parse_track
from evaluation.records import Ingest
from evaluation.scoring.registry import open_judge
from evaluation.synthesis.registry import open_synthesizer
from memory_systems.base import SystemConfig
from memory_systems.embedding import get_embedder
from memory_systems.registry import open_system, system_info

DIGESTS = {1: "7a00f989880f702ef4f5fd67a131f02075c62a9d3a7d53b2f953ce30dabc5a20"}


def test_contexts_answers_and_scores_change_only_with_the_protocol_version(
    tmp_path: Path,
) -> None:
    benchmark = generate_benchmark("scholia-terms", size="small", seed=7)
    memory = open_system("bm25", SystemConfig(modality="lexical"), tmp_path / "memory")
    for step in benchmark.scenarios[0].steps:
        if isinstance(step, Ingest):
            memory.ingest(step.item)
    memory.flush()
    synthesizer = open_synthesizer(
        "extractive", embedder=get_embedder("static", tmp_path / "vectors")
    )
    judge = open_judge("rubric")
    given = []
    for question in benchmark.questions[:8]:
        restored = restore_context(memory, system_info("bm25"), question, parse_track("5k"))
        answer = synthesizer.synthesize(question.text, restored.context.text)
        judgment = judge.judge(
            question.text, question.expectations["main"], answer.text, restored.context.text
        )
        given.append(
            [restored.context.text, answer.text, judgment.composite, dict(judgment.scores)]
        )
    memory.close()
    digest = key_of([TEMPLATE_VERSION, dict(synthesizer.key_parts), dict(judge.key_parts), given])
    assert DIGESTS[PROTOCOL_VERSION] == digest, asdict(benchmark.card)
