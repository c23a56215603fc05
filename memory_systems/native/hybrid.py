"""A package's own ranking fused with BM25 over the texts that it stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memory_systems.fetching import Knobs, Ranking
from memory_systems.fusion import FUSED_DEPTH, RRF_K, reciprocal_rank_fusion
from memory_systems.lexical.index_folder import open_index
from memory_systems.lexical.tokenizer import TOKENIZER_NAME
from memory_systems.native.unit_table import UnitTable


def fused_ranking(
    own: Callable[[int], Ranking],
    text: str,
    *,
    table: UnitTable,
    engine: str,
    folder: Path,
    knobs: Knobs,
) -> Callable[[int], Ranking]:
    """Reciprocal rank fusion of the two; ``knobs`` are told how many each found."""
    index = open_index(
        folder,
        engine=engine,
        fingerprint=table.fingerprint,
        texts=lambda: [unit.text for unit in table.units],
    )
    knobs.update(lexical_engine=engine, tokenizer=TOKENIZER_NAME, rrf_k=RRF_K)

    def fused(k: int) -> Ranking:
        depth = max(FUSED_DEPTH, k)
        lists = [
            [place for place, _ in ranking] for ranking in (own(depth), index.top(text, depth))
        ]
        knobs.update(fused_depth=depth, n_dense=len(lists[0]), n_lexical=len(lists[1]))
        knobs["n_in_both"] = len(set(lists[0]) & set(lists[1]))
        return reciprocal_rank_fusion(lists)

    return fused
