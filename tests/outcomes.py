"""What one pass of the tests came to: an outcome for each test id, kept as lines of a file."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "TEST_OUTCOMES"


@dataclass(frozen=True)
class Outcomes:
    """``by_id`` maps a test id to passed, failed or skipped; ``reasons`` counts the skips."""

    by_id: dict[str, str]
    reasons: Counter[str]

    @property
    def counts(self) -> str:
        counted = Counter(self.by_id.values())
        return ", ".join(f"{counted[word]} {word}" for word in ("passed", "failed", "skipped"))


def note(report: Any) -> None:
    """Keep the outcome of one phase of a test (a pytest TestReport) where a file is named."""
    file = os.environ.get(VARIABLE)
    if file is None or not (report.when == "call" or report.outcome != "passed"):
        return
    reason = ""
    if report.outcome == "skipped":
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else "expected to fail"
        reason = text.removeprefix("Skipped: ")
    with Path(file).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps([report.nodeid, report.outcome, reason]) + "\n")


def read(file: Path) -> Outcomes:
    by_id: dict[str, str] = {}
    reasons: Counter[str] = Counter()
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        test_id, outcome, reason = json.loads(line)
        # With loadgroup, xdist marks the id of a grouped test.
        test_id = test_id.rpartition("@")[0] if test_id.endswith("@processes") else test_id
        if by_id.get(test_id) != "failed":
            by_id[test_id] = outcome
        if outcome == "skipped":
            reasons[reason] += 1
    return Outcomes(by_id, reasons)
