from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from evaluation.benchmarks.published import tables
from evaluation.benchmarks.published.cards import published_cards
from evaluation.benchmarks.published.labels import (
    UnknownPublishedName,
    is_anchor,
    modality_of,
    system_slug,
)
from evaluation.benchmarks.published.tables import (
    published_calibration,
    published_contrasts,
    published_costs,
    published_judges,
    published_scores,
    published_sxs,
)
from tests.evaluation.real_files import real_file

DATA = Path(tables.__file__).parent / "data"
ROW_NAMES = {
    "Theoria": "theoria", "Theoria (dense)": "theoria", "Theoria + BM25": "theoria+bm25",
    "Mem0": "mem0", "Mem0 (dense)": "mem0", "Mem0 + BM25": "mem0+bm25",
    "Simple RAG": "simple-rag", "Simple RAG (dense)": "simple-rag",
    "Simple RAG + BM25": "simple-rag+bm25", "Hindsight": "hindsight", "Cognee": "cognee",
    "Graphiti": "graphiti", "Graphiti (KG)": "graphiti", "Direct Read (on 15q)": "direct-read",
    "Prism (ablation)": "prism", "Base model": "base-model",
}  # fmt: skip
TIERS = ("", "L1", "L2", "L3")
TABLE_OF = {"paim": "Table 4", "ptr": "Table 5", "ptr-80": "Table 6"}


def printed(**wanted):
    (score,) = [
        score
        for score in published_scores()
        if all(getattr(score, name) == value for name, value in wanted.items())
    ]
    return score


@pytest.mark.parametrize(
    ("benchmark", "system", "track", "slice_value", "score"),
    [
        ("paim", "simple-rag", "30k", "", 7.25),
        ("paim", "theoria", "30k", "", 7.19),
        ("paim", "graphiti", "native", "", 8.04),
        ("paim", "graphiti", "native", "L3", 8.24),
        ("paim", "cognee", "30k", "", 5.28),
        ("ptr", "mem0+bm25", "50k", "", 9.24),
        ("ptr", "theoria+bm25", "50k", "", 9.21),
        ("ptr-80", "mem0", "50k", "", 8.72),
    ],
)
def test_values_copied_by_hand_from_the_paper_are_in_the_tables(
    benchmark, system, track, slice_value, score
):
    one = printed(benchmark=benchmark, system=system, track=track, slice_value=slice_value)
    assert (one.score, one.scale_high, one.measure) == (score, 10.0, "composite")
    assert one.place == TABLE_OF[benchmark]


def test_native_graphiti_is_an_unmatched_point_and_the_budgeted_one_is_the_graph_alone():
    native = printed(benchmark="paim", system="graphiti", track="native", slice_value="")
    assert (native.mean_chars, native.note) == (2_552_000.0, "")
    budgeted = printed(benchmark="paim", system="graphiti", track="30k", slice_value="")
    assert budgeted.note == "KG-only (no episodes)"


def test_anchors_and_internal_synthesis_are_marked():
    assert printed(benchmark="ptr", system="base-model", track="30k", slice_value="").is_anchor
    assert printed(benchmark="paim", system="direct-read", slice_value="").n_questions == 15
    prism = printed(benchmark="paim", system="prism", slice_value="")
    assert (prism.modality, prism.note, prism.mean_chars) == ("other", "internal synthesis", None)


def test_every_score_is_one_of_its_kind_and_on_its_scale():
    scores = published_scores()
    kinds = Counter(
        (s.benchmark, s.system, s.modality, s.track, s.measure, s.slice_name, s.slice_value)
        for s in scores
    )
    assert max(kinds.values()) == 1
    assert all(0 <= score.score <= score.scale_high for score in scores)
    assert {score.benchmark for score in scores} == {card.slug for card in published_cards()}


def test_every_row_of_the_data_files_is_read():
    n_rows = {
        path.stem: len(list(csv.reader(path.read_text().splitlines()))) - 1
        for path in DATA.glob("*.csv")
    }
    n_scores = Counter(score.paper for score in published_scores())
    assert n_scores[tables.SRB_PAPER] == n_rows["srb_scores"]
    assert n_scores[tables.MEMSHIFT_PAPER] == 2 * n_rows["memshift_carryover"]
    assert n_scores[tables.MEME_PAPER] + len(published_costs()) == n_rows["meme_scores"]
    assert len(published_contrasts()) == n_rows["srb_contrasts"]
    assert len(published_calibration()) == n_rows["srb_calibration"]
    assert len(published_judges()) == n_rows["srb_judges"]
    assert len(published_sxs()) == n_rows["srb_sxs"]


def test_contrasts_name_variants_and_keep_their_intervals():
    first = published_contrasts("paim")[0]
    assert (first.a, first.b, first.track) == ("simple-rag", "theoria", "30k")
    assert (first.delta, first.ci_low, first.ci_high, first.n) == (0.01, -0.52, 0.53, 65)
    assert {c.a for c in published_contrasts("ptr")} == {
        "theoria+bm25",
        "mem0+bm25",
        "simple-rag+bm25",
    }


def test_the_votes_by_score_gap_are_the_printed_counts():
    buckets = published_sxs()
    assert [(b.gap_low, b.gap_high, b.n_agree, b.n_decisive) for b in buckets] == [
        (0.0, 2.0, 11, 22),
        (2.0, 4.0, 9, 10),
        (4.0, None, 29, 29),
    ]


def test_judge_pairs_and_calibration_keep_their_signs():
    base = next(pair for pair in published_judges() if pair.system == "base-model")
    assert (base.first_score, base.second_score, base.delta) == (1.79, 2.18, 0.39)
    pearson = next(c for c in published_calibration() if c.measure == "pearson_per_cell")
    assert (pearson.value, pearson.n, pearson.other) == (0.93, 946, "DeepSeek V4 Pro")


@pytest.mark.parametrize(
    ("label", "slug"),
    [
        ("Simple RAG", "simple-rag"),
        ("Theoria+BM25", "theoria+bm25"),
        ("Mem0 + BM25", "mem0+bm25"),
        ("no-store BM25", "no-store-bm25"),
        ("HoldMem(0,1), citation key", "holdmem@d0-b1-citation"),
        ("HoldMem(Dm,1)", "holdmem@dm-b1"),
        ("HippoRAG 2", "hipporag2"),
    ],
)
def test_the_papers_names_become_our_slugs(label, slug):
    assert system_slug(label) == slug


def test_an_unknown_name_is_refused():
    with pytest.raises(UnknownPublishedName, match="Nobody"):
        system_slug("Nobody")
    with pytest.raises(UnknownPublishedName, match="odd"):
        modality_of("mem0", "odd")
    assert is_anchor("in-context@claude-sonnet-4-6")
    assert not is_anchor("mem0")


def numbers(cell: str) -> list[float]:
    plain = re.sub(r"\\mathbf|\\,|[{}$^*]", "", cell.replace("{,}", "")).replace("−", "-")
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", plain)]


def table_rows(text: str, place: str) -> dict[str, list[str]]:
    """The rows of a table of the paper's text: the variant's slug to its cells."""
    lines = text[text.index(f"\n{place}:") :].splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("System\t")) + 1
    rows: dict[str, list[str]] = {}
    for line in lines[start:]:
        name, *cells = line.split("\t")
        if not cells:
            break
        name = re.sub(r"\s*\$?\+\$?\s*", " + ", name).strip()
        if name == "+ BM25 hybrid":
            name = f"{list(rows)[-1]} + BM25"
        rows[name] = cells
    return rows


@pytest.mark.parametrize(("benchmark", "place"), TABLE_OF.items())
def test_every_score_agrees_with_the_papers_own_table(benchmark, place):
    rows = table_rows(real_file("seeds", "srb.txt").read_text(), place)
    assert len(rows) >= 7
    shown = {(s.system, s.track, s.slice_value): s for s in published_scores(benchmark)}
    native = "50k" if benchmark == "ptr-80" else "native"
    n_compared = 0
    for name, cells in rows.items():
        slug = ROW_NAMES[name]
        wanted = {(tier, native): cell for tier, cell in zip(TIERS, cells[:4], strict=True)}
        if len(cells) > 6:
            wanted |= {("", "10k"): cells[5], ("", "30k"): cells[7], ("", "50k"): cells[9]}
            chars = {"10k": cells[6], "30k": cells[8], "50k": cells[10]}
            for track, cell in chars.items():
                assert shown[slug, track, ""].mean_chars == numbers(cell)[0] * 1000
        for (tier, track), cell in wanted.items():
            assert [shown[slug, track, tier].score] == numbers(cell), (name, tier, track)
            n_compared += 1
    assert n_compared >= 45


def test_every_contrast_agrees_with_the_papers_own_table():
    text = real_file("seeds", "srb.txt").read_text()
    lines = text[text.index("\nTable 7:") :].splitlines()
    rows = [line.split("\t") for line in lines if re.match(r".+ \$-\$ .+\t\$", line)]
    assert [
        (numbers(delta)[0], *numbers(interval), int(n.strip("$"))) for _, delta, interval, n in rows
    ] == [(c.delta, c.ci_low, c.ci_high, c.n) for c in published_contrasts()]


def test_meme_agrees_with_the_results_that_its_authors_publish():
    results = json.loads(real_file("data", "meme_sw033", "main_results.json").read_text())
    tasks = {
        "ER": "exact_recall", "Agg": "aggregation", "Tr": "tracking", "Del": "deletion",
        "Cas": "cascade", "Abs": "absence",
    }  # fmt: skip
    slugs = {
        "BM25": "bm25", "text-emb-3-small": "text-embedding-3-small", "Mem0": "mem0",
        "Graphiti": "graphiti", "MD-flat": "md-flat", "Karpathy Wiki": "karpathy-wiki",
        "MD-flat × Opus 4.7": "md-flat@claude-opus-4-7",
    }  # fmt: skip
    shown = {(s.system, s.slice_value): s.score for s in published_scores("meme")}
    for row in (row for group in results["groups"] for row in group["rows"]):
        slug = slugs[row["system"]]
        assert shown[slug, ""] == row["overall"]
        assert {task: shown[slug, name] for task, name in tasks.items()} == row["rates"]


def test_memshift_agrees_with_the_papers_own_table():
    text = real_file("seeds", "memshift.txt").read_text()
    block = text[text.index("Memory\tSource revision Update") :].split("\n\n")[0].splitlines()[1:]
    expected = [[float(cell) for cell in line.split("\t")[1:]] for line in block]
    flat = [score.score for score in published_scores() if score.paper == tables.MEMSHIFT_PAPER]
    assert [flat[at : at + 6] for at in range(0, len(flat), 6)] == expected
