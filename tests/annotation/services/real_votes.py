"""The real files of votes that lie beside the project, and AlpacaEval's in its own format."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tests.evaluation.real_files import real_file


def llmfao() -> Path:
    return real_file("data", "evalica", "llmfao.csv")


def pandalm(*judges: str) -> list[Path]:
    """The test set, then the files of the judges."""
    names = ["testset-v1", *(f"{judge}-testset-v1" for judge in judges)]
    return [real_file("data", "pandalm", f"{name}.json") for name in names]


def alpaca_eval(folder: Path) -> Path:
    """annotations.json as AlpacaEval writes it, from the verdicts and questions that are here."""
    questions = {
        one["question_id"]: one["instruction"]
        for one in json.loads(real_file("data", "alpaca_eval", "questions.json").read_text())
    }
    with real_file("data", "alpaca_eval", "judgments_multijudge.csv").open(newline="") as stream:
        rows = [
            {
                "instruction": questions[int(row["question_id"])],
                "output_1": "",
                "generator_1": row["baseline"],
                "dataset": row["dataset"],
                "output_2": "",
                "generator_2": row["system"],
                "annotator": row["judge"],
                "preference": float(row["preference"]) if row["preference"] else None,
            }
            for row in csv.DictReader(stream)
        ]
    path = folder / "annotations.json"
    path.write_text(json.dumps(rows))
    return path
