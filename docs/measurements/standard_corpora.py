"""Measures the standard corpora over fresh seeds, and prints the table that the README shows.

python docs/measurements/standard_corpora.py FOLDER [--seeds 1,2] [--corpora …] [--embedder static]
Each seed has a data folder of its own under FOLDER; a finished one is not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import fmean, stdev

from scipy.stats import t

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ("scholia-prose", "scholia-terms")
SYSTEMS = "bm25,simple-rag,simple-rag+bm25,base-model,direct-read"
TRACKS = ("10k", "30k", "50k", "native")


def manage(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "MEMJURY_DATA": str(folder), "MEMJURY_DEMO": "0"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def measure(folder: Path, corpus: str, seed: int, embedder: str) -> list[dict[str, object]]:
    """The board rows of one corpus at one seed, at every track."""
    result = folder / f"{corpus}-{embedder}-{seed}.json"
    if result.exists():
        rows: list[dict[str, object]] = json.loads(result.read_text())
        return rows
    data = folder / f"data-{corpus}-{seed}"
    started = time.monotonic()
    manage(data, "migrate", "-v0")
    manage(data, "load_benchmark", corpus, "--size=standard", f"--seed={seed}")
    manage(
        data,
        "run_benchmark",
        corpus,
        f"--systems={SYSTEMS}",
        f"--tracks={','.join(TRACKS)}",
        f"--embedder={embedder}",
        "--wait",
        "--in-process",
    )
    rows = []
    for track in TRACKS:
        board = json.loads(manage(data, "leaderboard", corpus, f"--track={track}", "--format=json"))
        rows += [{**row, "shown_at": track, "seed": seed} for row in board["rows"]]
    result.write_text(json.dumps(rows))
    print(f"{corpus} seed {seed}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return rows


def table(rows: list[dict[str, object]]) -> str:
    """Markdown: the mean over seeds of each variant's score at each track, ± their deviation."""
    variants = sorted({str(row["variant"]) for row in rows})
    lines = ["| variant | " + " | ".join(TRACKS) + " |", "|---|" + "---|" * len(TRACKS)]
    for variant in variants:
        cells = []
        for track in TRACKS:
            scores = [
                float(str(row["score"]))
                for row in rows
                if row["variant"] == variant
                and row["shown_at"] == track
                and row["track"] == track
                and row["score"] is not None
            ]
            spread = f" ± {stdev(scores):.2f}" if len(scores) > 1 else ""
            cells.append(f"{fmean(scores):.2f}{spread}" if scores else "—")
        lines.append(f"| {variant} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def lifts(rows: list[dict[str, object]]) -> str:
    """Hybrid minus dense at each track: the mean over seeds with its 95 % t interval."""
    parts = []
    for track in TRACKS:
        scores = {
            (row["variant"], row["seed"]): float(str(row["score"]))
            for row in rows
            if row["shown_at"] == row["track"] == track and row["score"] is not None
        }
        seeds = sorted({str(row["seed"]) for row in rows})
        dense, hybrid = (
            [score for (name, _), score in sorted(scores.items()) if _slug(str(name)) == slug]
            for slug in ("simple-rag", "simple-rag+bm25")
        )
        gains = [b - a for a, b in zip(dense, hybrid, strict=True)]
        half = float(t.ppf(0.975, len(seeds) - 1)) * stdev(gains) / len(seeds) ** 0.5
        mean = fmean(gains)
        parts.append(f"{track} {mean:+.2f} [{mean - half:+.2f}, {mean + half:+.2f}]")
    return "Hybrid minus dense: " + "; ".join(parts)


def _slug(variant: str) -> str:
    return variant.partition("@")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", default="2026113001,2026113002,2026113003,2026113004,2026113005")
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--embedder", default="static")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for corpus in options.corpora.split(","):
        rows = [
            row
            for seed in options.seeds.split(",")
            for row in measure(options.folder, corpus, int(seed), options.embedder)
        ]
        print(f"\n{corpus}, {options.embedder} embedder, seeds {options.seeds}\n\n{table(rows)}")
        if "," in options.seeds:
            print(f"\n{lifts(rows)}")


if __name__ == "__main__":
    main()
