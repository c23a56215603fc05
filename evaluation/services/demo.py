"""What a first start measures by itself: a small board that is really computed there and then."""

from __future__ import annotations

from evaluation.models import Run
from evaluation.services.loading import load_benchmark
from evaluation.services.published import load_published
from evaluation.services.run_options import RunOptions
from evaluation.services.runs import create_run

BENCHMARK = "scholia-prose"
SYSTEMS = ("bm25", "simple-rag", "simple-rag+bm25", "base-model", "direct-read")
SLOW_SYSTEMS = ("simple-rag", "simple-rag+bm25")


def prepare_demo() -> bool:
    """Do the next step of the demo, and say whether it was the last one.

    The published results and the generated benchmark, a run with the fast static embedder, and
    once that has ended one with MiniLM, which takes minutes and must not hold the first one up.
    """
    load_published()
    load_benchmark(name_or_path=BENCHMARK)
    runs = Run.objects.filter(benchmark__slug=BENCHMARK)
    if not runs.exists():
        create_run(options=RunOptions(benchmark=BENCHMARK, systems=SYSTEMS, embedder="static"))
        return False
    if runs.filter(options__embedder="minilm").exists():
        return True
    if runs.unfinished().exists():
        return False
    create_run(options=RunOptions(benchmark=BENCHMARK, systems=SLOW_SYSTEMS, embedder="minilm"))
    return True
