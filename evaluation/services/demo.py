"""What a first start measures by itself: a small board that is really computed there and then."""

from __future__ import annotations

from evaluation.models import Run
from evaluation.services.loading import load_benchmark
from evaluation.services.published import load_published
from evaluation.services.run_options import RunOptions
from evaluation.services.runs import create_run

BENCHMARK = "scholia-prose"
SYSTEMS = ("bm25", "simple-rag", "simple-rag+bm25", "base-model", "direct-read")


def prepare_demo() -> None:
    """Load the published results and the generated benchmark, then start two runs of it: the fast
    static embedder first, MiniLM behind it. Does nothing where runs exist."""
    load_published()
    load_benchmark(name_or_path=BENCHMARK)
    if Run.objects.filter(benchmark__slug=BENCHMARK).exists():
        return
    create_run(options=RunOptions(benchmark=BENCHMARK, systems=SYSTEMS, embedder="static"))
    create_run(
        options=RunOptions(
            benchmark=BENCHMARK, systems=("simple-rag", "simple-rag+bm25"), embedder="minilm"
        )
    )
