"""Cards of the benchmarks that are here only as published results."""

from __future__ import annotations

from evaluation.records import Card

_SRB_CITATION = (
    "Sheverev, Finkelstein, Nikolenko: Beyond Memory Leaderboards: Evaluating Scientific Memory "
    "as Budgeted Context Restoration. arXiv:2607.16848"
)
_SRB_SOURCE = "https://huggingface.co/datasets/quantellence/srb-data"
_NOT_STATED = "not stated in the paper; only its printed numbers are here"
_MEMSHIFT_SOURCE = "https://github.com/zichuanxu/memshift"
_MEMSHIFT_CITATION = "MemShift: Separating Detection from Repair in LLM-Derived Personal Memory"


def published_cards() -> list[Card]:
    """One card for each benchmark slug of ``published_scores``."""
    return [
        Card(
            slug="paim",
            title="Public AI Memory (Paim)",
            family="scientific",
            licence=_NOT_STATED,
            citation=_SRB_CITATION,
            source=_SRB_SOURCE,
            description="81 full-text papers on agent memory and retrieval, 66 audited questions.",
        ),
        Card(
            slug="ptr",
            title="Public Transformers (PTr)",
            family="scientific",
            licence=_NOT_STATED,
            citation=_SRB_CITATION,
            source=_SRB_SOURCE,
            description="252 full-text papers on Transformers, 98 audited questions.",
        ),
        Card(
            slug="ptr-80",
            title="Public Transformers, 80-paper subset",
            family="scientific",
            licence=_NOT_STATED,
            citation=_SRB_CITATION,
            source=_SRB_SOURCE,
            description="80 papers of PTr, matched to Paim in tokens; 48 questions.",
        ),
        Card(
            slug="meme",
            title="MEME",
            family="meme",
            licence="CC BY 4.0 (data), MIT (code)",
            citation="MEME. arXiv:2605.12477",
            source="https://huggingface.co/datasets/meme-benchmark/MEME",
            description="100 episodes of facts that depend on each other; six tasks.",
        ),
        Card(
            slug="memshift-12-months",
            title="MemShift, twelve-month worlds",
            family="memshift",
            licence="CC BY 4.0 (data), MIT (code)",
            citation=_MEMSHIFT_CITATION,
            source=_MEMSHIFT_SOURCE,
            description="20 twelve-month worlds of one synthetic person; three shifts.",
        ),
        Card(
            slug="memshift-3-months",
            title="MemShift, three-month worlds",
            family="memshift",
            licence="CC BY 4.0 (data), MIT (code)",
            citation=_MEMSHIFT_CITATION,
            source=_MEMSHIFT_SOURCE,
            description="15 three-month worlds, on which systems run natively; three shifts.",
        ),
    ]
