"""Theoria on a large corpus: ``python -m performance.theoria [--embedder minilm] [--papers FILE]``.

scholia-terms standard (240 papers, 10 million characters), extraction by rule, the static embedder;
or the papers of a file in SQuAD layout. Prints how much there is of each layer, what building it
took (seconds on the clock and of processor, peak memory) and the median query of each kind. Ends
with status 1 when a limit of the standard corpus is exceeded. Times on the clock are those of a
machine with nothing else to do: the load is printed beside them.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.benchmarks.registry import generate_benchmark, load_files
from evaluation.records import Benchmark, Ingest
from memory_systems.adapters.theoria.system import Theoria
from memory_systems.base import Budget, Modality, SystemConfig
from memory_systems.embedding import get_embedder
from memory_systems.registry import checked_parameters

FINDING = "In our hands the accuracy fell by 12 % when the cache was off."
TRACKS = (("native", Budget()), ("10k", Budget(chars=10_000)), ("50k", Budget(chars=50_000)))
LEAST_CLAIMS = 25_000
MOST_BUILD_S = 180.0
MOST_GB = 2.0
MOST_QUERY_MS = 40.0


@dataclass(frozen=True, slots=True)
class Corpus:
    folder: Path
    benchmark: Benchmark
    embedder: str

    def opened(self, modality: Modality) -> Theoria:
        embedder = get_embedder(self.embedder, self.folder / "vectors")
        config = SystemConfig(modality, embedder, checked_parameters("theoria", {}))
        return Theoria(config, self.folder / "memory")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--papers", type=Path, help="a file in SQuAD layout instead")
    chosen = parser.parse_args()
    if chosen.papers:
        benchmark = load_files("squad", chosen.papers, slug="papers")
    else:
        benchmark = generate_benchmark("scholia-terms", size="standard")
    with tempfile.TemporaryDirectory() as folder:
        rows = _measure(Corpus(Path(folder), benchmark, chosen.embedder))
    is_over = False
    for name, found, limit in rows:
        is_least = name == "claims"
        is_kept = found >= limit if is_least else found <= limit
        is_over |= not is_kept
        told = f"{'kept' if is_kept else 'missed'}: at {'least' if is_least else 'most'} {limit:,g}"
        print(f"  {name:34} {found:10,.2f}{'' if chosen.papers else f'  {told}'}")
    return int(is_over and not chosen.papers)


def _measure(corpus: Corpus) -> list[tuple[str, float, float]]:
    items = [step.item for step in corpus.benchmark.scenarios[0].steps if isinstance(step, Ingest)]
    print(
        f"{corpus.benchmark.card.slug}: {len(items)} papers, "
        f"{sum(len(item.text) for item in items):,} characters, {corpus.embedder} embedder"
    )
    memory = corpus.opened("dense")
    started, cpu = time.perf_counter(), time.process_time()
    for item in items:
        memory.ingest(item)
    ingested_s, ingest_cpu_s = time.perf_counter() - started, time.process_time() - cpu
    memory.settle()
    built_s, built_cpu_s = time.perf_counter() - started, time.process_time() - cpu
    peak_gb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    layers = memory.stats().layers
    print("  " + "; ".join(f"{name} {count:,}" for name, count in layers.items()))
    print(
        f"  papers one by one {ingested_s:.1f} s ({ingest_cpu_s:.1f} s of processor), with what is "
        f"derived from all {built_s:.1f} s ({built_cpu_s:.1f} s); load {_load()}"
    )
    memory.close()
    rows = [
        ("claims", float(layers["claims"]), float(LEAST_CLAIMS)),
        ("building it all, s", built_s, MOST_BUILD_S),
        ("peak memory, GB", peak_gb, MOST_GB),
    ]
    questions = [question.text for question in corpus.benchmark.questions][:100]
    modalities: tuple[Modality, ...] = ("dense", "hybrid")
    for modality in modalities:
        memory = corpus.opened(modality)
        memory.retrieve("q", questions[0], budget=Budget())
        for track, budget in TRACKS:
            taken_ms = _query_ms(memory, questions, budget)
            rows.append((f"{modality} query at {track}, ms", taken_ms, MOST_QUERY_MS))
        memory.close()
    memory = corpus.opened("dense")
    memory.layers()
    started = time.perf_counter()
    memory.observe(FINDING)
    print(f"  one finding observed in {time.perf_counter() - started:.2f} s; load {_load()}")
    memory.close()
    return rows


def _query_ms(memory: Theoria, questions: Sequence[str], budget: Budget) -> float:
    taken = []
    for question in questions:
        started = time.perf_counter()
        memory.retrieve("q", question, budget=budget)
        taken.append(1e3 * (time.perf_counter() - started))
    return statistics.median(taken)


def _load() -> str:
    return ", ".join(f"{load:.1f}" for load in os.getloadavg()) + f" on {os.cpu_count()} processors"


if __name__ == "__main__":
    sys.exit(main())
