"""The published tables, read from the project's data files (see data/SOURCE.md)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from evaluation.benchmarks.published.labels import is_anchor, modality_of, system_slug
from evaluation.benchmarks.published.records import (
    PublishedCalibration,
    PublishedContrast,
    PublishedCost,
    PublishedJudgePair,
    PublishedScore,
    PublishedSideBySide,
)

SRB_PAPER = "Beyond Memory Leaderboards (arXiv:2607.16848)"
MEME_PAPER = "MEME (arXiv:2605.12477)"
MEMSHIFT_PAPER = "MemShift"
SRB_JUDGE, SRB_SECOND_JUDGE = "Gemini 3.1 Pro", "DeepSeek V4 Pro"
MEMSHIFT_SLUGS = {
    "twelve-month, 20 worlds": "memshift-12-months",
    "three-month, 15 worlds": "memshift-3-months",
}
MEME_SLUG = "meme"
_DATA = Path(__file__).parent / "data"
_MEME_MODEL = "gpt-4.1-mini"
_COST_STAGES = {
    "cost_ingest_usd_per_episode": "ingest",
    "cost_inference_usd_per_episode": "inference",
}


def _rows(name: str) -> list[dict[str, str]]:
    with (_DATA / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def published_scores(benchmark: str | None = None) -> list[PublishedScore]:
    """Every printed score, or those of one benchmark, in the order of the tables: ``paim``,
    ``ptr``, ``ptr-80`` (composite 0–10), ``meme`` (rates 0–1 by task), ``memshift-12-months`` and
    ``memshift-3-months`` (update and stability in per cent by shift)."""
    every = [*_srb_scores(), *_meme_scores(), *_memshift_scores()]
    return [score for score in every if benchmark is None or score.benchmark == benchmark]


def _srb_scores() -> Iterator[PublishedScore]:
    for row in _rows("srb_scores.csv"):
        slug = system_slug(row["system"], modality=row["modality"])
        whole = row["tier"] == "all"
        notes = [row["note"]] if row["note"] else []
        if row["modality"] == "internal":
            notes.append("internal synthesis")
        yield PublishedScore(
            benchmark=row["benchmark"],
            paper=SRB_PAPER,
            place=row["source"],
            system_label=row["system"] + (" + BM25" if row["modality"] == "hybrid" else ""),
            system=slug,
            modality=modality_of(slug, row["modality"]),
            track=row["track"],
            measure="composite",
            slice_name="" if whole else "tier",
            slice_value="" if whole else row["tier"],
            n_questions=int(row["n_questions"]) if row["n_questions"] else None,
            score=float(row["score"]),
            scale_high=10.0,
            mean_chars=float(row["mean_chars"]) if row["mean_chars"] else None,
            judge=row["judge"],
            note="; ".join(notes),
            is_anchor=is_anchor(slug),
        )


def _meme_slug(row: dict[str, str]) -> str:
    model = row["internal_llm"] or row["answering_llm"]
    return system_slug(row["system"], model="" if model == _MEME_MODEL else model)


def _meme_note(row: dict[str, str]) -> str:
    parts = [f"{row['episodes']} episodes", f"answering model {row['answering_llm']}"]
    if row["internal_llm"]:
        parts.append(f"internal model {row['internal_llm']}")
    return "; ".join(parts)


def _meme_place(row: dict[str, str]) -> str:
    return "Table 19" if row["paradigm"] == "Ceiling" else "Table 2"


def _meme_scores() -> Iterator[PublishedScore]:
    for row in _rows("meme_scores.csv"):
        if row["metric"] in _COST_STAGES:
            continue
        slug = _meme_slug(row)
        whole = row["metric"] == "overall"
        yield PublishedScore(
            benchmark=MEME_SLUG,
            paper=MEME_PAPER,
            place=_meme_place(row),
            system_label=row["system"],
            system=slug,
            modality=modality_of(slug),
            track="native",
            measure="pass_rate",
            slice_name="" if whole else "task",
            slice_value="" if whole else row["metric"],
            n_questions=None,
            score=float(row["value"]),
            scale_high=1.0,
            mean_chars=None,
            judge="GPT-4o",
            note=_meme_note(row),
            is_anchor=is_anchor(slug),
        )


def _memshift_scores() -> Iterator[PublishedScore]:
    for row in _rows("memshift_carryover.csv"):
        slug = system_slug(row["memory"])
        for measure in ("update", "stability"):
            yield PublishedScore(
                benchmark=MEMSHIFT_SLUGS[row["worlds"]],
                paper=MEMSHIFT_PAPER,
                place="Table 3",
                system_label=row["memory"],
                system=slug,
                modality=modality_of(slug),
                track="native",
                measure=measure,
                slice_name="shift",
                slice_value=row["shift"],
                n_questions=None,
                score=float(row[measure]),
                scale_high=100.0,
                mean_chars=None,
                judge="",
                note=f"{row['worlds']}; typed scorer",
                is_anchor=is_anchor(slug),
            )


def published_contrasts(benchmark: str | None = None) -> list[PublishedContrast]:
    """Table 7 of the scientific-recall paper."""
    return [
        PublishedContrast(
            benchmark=row["benchmark"],
            paper=SRB_PAPER,
            place="Table 7",
            track=row["track"],
            a=system_slug(row["a"]),
            b=system_slug(row["b"]),
            delta=float(row["delta"]),
            ci_low=float(row["ci_low"]),
            ci_high=float(row["ci_high"]),
            n=int(row["n"]),
        )
        for row in _rows("srb_contrasts.csv")
        if benchmark is None or row["benchmark"] == benchmark
    ]


def published_calibration() -> list[PublishedCalibration]:
    """What the scientific-recall paper prints about its judges and about routers."""
    return [
        PublishedCalibration(
            benchmark=row["benchmark"],
            paper=SRB_PAPER,
            place="Section 8" if row["measure"].startswith("router") else "Section 6.5",
            measure=row["measure"],
            judge=row["judge_a"],
            other=row["judge_b_or_human"],
            value=float(row["value"]),
            n=int(row["n"]) if row["n"] else None,
        )
        for row in _rows("srb_calibration.csv")
    ]


def published_judges() -> list[PublishedJudgePair]:
    """Table 8 of the scientific-recall paper: two judges on 50 questions of PTr."""
    return [
        PublishedJudgePair(
            benchmark="ptr",
            paper=SRB_PAPER,
            place="Table 8",
            system_label=row["system"] + (" + BM25" if row["modality"] == "hybrid" else ""),
            system=system_slug(row["system"], modality=row["modality"]),
            first_judge=SRB_JUDGE,
            second_judge=SRB_SECOND_JUDGE,
            first_score=float(row["gemini_50k"]),
            second_score=float(row["deepseek_50k"]),
            delta=float(row["delta_50k"]),
            mean_delta=float(row["avg_delta_all_budgets"]),
        )
        for row in _rows("srb_judges.csv")
    ]


def published_sxs() -> list[PublishedSideBySide]:
    """Figure 6b of the scientific-recall paper: decisive blinded votes by score gap."""
    buckets = []
    for row in _rows("srb_sxs.csv"):
        low, _, high = row["gap_bucket"].rstrip("+").partition("-")
        buckets.append(
            PublishedSideBySide(
                benchmark="paim",
                paper=SRB_PAPER,
                place="Figure 6b",
                judge=SRB_JUDGE,
                gap_low=float(low),
                gap_high=float(high) if high else None,
                n_decisive=int(row["decisive"]),
                n_agree=int(row["agree"]),
            )
        )
    return buckets


def published_costs() -> list[PublishedCost]:
    """Costs an episode that the MEME paper prints."""
    return [
        PublishedCost(
            benchmark=MEME_SLUG,
            paper=MEME_PAPER,
            place=_meme_place(row),
            system_label=row["system"],
            system=_meme_slug(row),
            stage=_COST_STAGES[row["metric"]],
            usd_per_episode=float(row["value"]),
            note=_meme_note(row),
        )
        for row in _rows("meme_scores.csv")
        if row["metric"] in _COST_STAGES
    ]
