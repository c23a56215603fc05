"""Speed of memory systems at a large corpus: ``python -m performance.retrieval [--seed N]``.

240 made-up papers of 40,000 characters (about 12,000 chunks), the static embedder. Times are
medians of five rounds; ratios are of medians over 25 turns within one run, so that a slow machine
does not matter. Ours multiplies on one thread (see memory_systems.ranking), so the bare product is
held to one too; what it does with every thread is printed beside.
Ends with status 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import bm25s
import numpy as np
from threadpoolctl import threadpool_limits

from memory_systems.base import Budget, MemorySystem, Modality, SourceItem, SystemConfig
from memory_systems.embedders.static_vectors import StaticVectors
from memory_systems.embedding import CachedEmbedder
from memory_systems.lexical.engines import Bm25sEngine, LexicalEngine, RankBm25Engine
from memory_systems.lexical.tokenizer import tokenize
from memory_systems.registry import open_system

N_RUNS = 5
N_TURNS = 25
N_PAPERS = 240
PAPER_CHARS = 40_000
N_QUESTIONS = 40
NATIVE = Budget()


def made_papers(seed: int) -> list[SourceItem]:
    """Papers whose words follow Zipf's law, in sentences and paragraphs."""
    rng = random.Random(seed)
    letters = "etaoinshrdlucmfwyp"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 11))) for _ in range(30_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    papers = []
    for number in range(N_PAPERS):
        drawn = iter(rng.choices(words, weights, k=PAPER_CHARS // 5))
        parts: list[str] = []
        while sum(map(len, parts)) < PAPER_CHARS:
            sentence = " ".join(next(drawn) for _ in range(rng.randint(8, 24)))
            parts.append(sentence.capitalize() + rng.choice((". ", ". ", ". ", ".\n\n")))
        papers.append(SourceItem(id=f"paper-{number}", text="".join(parts)))
    return papers


def made_questions(papers: Sequence[SourceItem], seed: int) -> list[str]:
    rng = random.Random(seed)
    return [
        " ".join(rng.choices(rng.choice(papers).text.split(), k=14)) for _ in range(N_QUESTIONS)
    ]


def median_s(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(N_RUNS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def ratio(work: Callable[[], object], reference: Callable[[], object]) -> float:
    """Median time of one over the other's, taken in turns so that both meet the same load."""
    work(), reference()
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(N_TURNS):
        for times, each in zip(taken, (work, reference), strict=True):
            start = time.perf_counter()
            each()
            times.append(time.perf_counter() - start)
    return statistics.median(taken[0]) / statistics.median(taken[1])


class Bench:
    """The corpus in a folder, opened in every modality over the same stored units."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.papers = made_papers(seed)
        self.questions = made_questions(self.papers, seed)
        self.static = StaticVectors()
        self.static.encode(["warm"])

    def opened(self, slug: str, modality: Modality, folder: str = "") -> MemorySystem:
        embedder = CachedEmbedder(self.static, self.folder / "vectors")
        return open_system(slug, SystemConfig(modality, embedder), self.folder / (folder or slug))

    def built(self, slug: str, modality: Modality) -> float:
        start = time.perf_counter()
        memory = self.opened(slug, modality)
        for paper in self.papers:
            memory.ingest(paper)
        memory.flush()
        memory.close()
        self.opened(slug, modality).close()
        return time.perf_counter() - start

    def ask_all(self, memory: MemorySystem, budget: Budget = NATIVE) -> None:
        for question in self.questions:
            memory.retrieve("q", question, budget=budget)

    def query_ms(self, memory: MemorySystem, budget: Budget = NATIVE) -> float:
        self.ask_all(memory, budget)
        return 1e3 * median_s(lambda: self.ask_all(memory, budget)) / len(self.questions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20260101)
    seed = parser.parse_args().seed
    print(f"seed {seed}, {N_PAPERS} papers, medians of {N_RUNS}")
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Bench(Path(folder), seed))


def _measure(bench: Bench) -> int:
    built_s = bench.built("simple-rag", "hybrid")
    again_s = bench.built("simple-rag", "hybrid")
    open_s = median_s(lambda: bench.opened("simple-rag", "hybrid").close())
    dense = bench.opened("simple-rag", "dense")
    hybrid = bench.opened("simple-rag", "hybrid")
    bench.built("bm25", "lexical")
    lexical = bench.opened("bm25", "lexical")
    units = dense.units()
    texts = [unit.text for unit in units]
    start = time.perf_counter()
    bench.static.encode(texts)
    embedded_s = time.perf_counter() - start
    dense_ms, lexical_ms = bench.query_ms(dense), bench.query_ms(lexical)
    hybrid_ms, wide_ms = bench.query_ms(hybrid), bench.query_ms(hybrid, Budget(chars=50_000))
    bare_search = _bare_search(bench, texts)
    on_all_threads = ratio(lambda: bench.ask_all(hybrid), bare_search)
    with threadpool_limits(1):
        on_one_thread = ratio(lambda: bench.ask_all(hybrid), bare_search)
    engines = Bm25sEngine.build(texts), RankBm25Engine.build(texts)
    fast, slow = (partial(_search_few, engine, bench.questions[:5]) for engine in engines)
    rows = [
        ("ingest of everything / embedding it", built_s / embedded_s, 5.0),
        ("open, s", open_s, 0.5),
        ("open / ingest of everything", open_s / built_s, 0.1),
        ("ingest again / ingest", again_s / built_s, 0.1),
        ("dense query at native, ms", dense_ms, 15.0),
        ("lexical query at native, ms", lexical_ms, 5.0),
        ("hybrid query at native, ms", hybrid_ms, 30.0),
        ("hybrid query at 50k characters, ms", wide_ms, 30.0),
        ("hybrid query / bare product plus bm25s top-k", on_one_thread, 1.3),
        ("bm25s query / rank-bm25 query", ratio(fast, slow), 0.1),
    ]
    print(f"{len(units):,} chunks ingested in {built_s:.1f} s")
    for name, found, limit in rows:
        mark = "within" if found <= limit else "over"
        print(f"  {name:46} {found:8.3f}  {mark} the limit of {limit:g}")
    print(f"  the same where the bare product takes every thread {on_all_threads:.3f}")
    return int(any(found > limit for _, found, limit in rows))


def _bare_search(bench: Bench, texts: list[str]) -> Callable[[], None]:
    """What no implementation can do without: the question's vector, the product, bm25s, the best
    200 of each side, and the text of 20 units, which are in memory here."""
    vectors = bench.static.encode(texts)
    vocabulary: dict[str, int] = {}
    ids = [[vocabulary.setdefault(t, len(vocabulary)) for t in tokenize(text)] for text in texts]
    index = bm25s.BM25(method="lucene", backend="numpy")
    index.index((ids, vocabulary), create_empty_token=False, show_progress=False)

    def search() -> None:
        for question in bench.questions:
            scores = vectors @ bench.static.encode([question])[0]
            np.argpartition(scores, -200)[-200:]
            found = index.retrieve([tokenize(question)], k=200, show_progress=False)
            [texts[place] for place in found.documents[0][:20]]

    return search


def _search_few(engine: LexicalEngine, questions: Sequence[str]) -> None:
    for question in questions:
        engine.top(question, 20)


if __name__ == "__main__":
    sys.exit(main())
