"""A memory killed in the middle of an ingest loses that item alone, and nothing after redoing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memory_systems.base import Modality
from tests.memory_systems.contract import CASES, ITEMS, filled_state, open_memory, state_of

ROOT = Path(__file__).parents[2]
N_KILLS = 3


def run_doomed(slug: str, modality: Modality, folder: Path, burns_at: int) -> tuple[int, list[str]]:
    command = [sys.executable, "-m", "tests.memory_systems.doomed_ingest"]
    ran = subprocess.run(
        [*command, slug, modality, str(folder), str(burns_at)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode in (0, -signal.SIGKILL), ran.stderr
    return ran.returncode, ran.stdout.splitlines()


@pytest.mark.parametrize(("slug", "modality"), CASES)
def test_a_killed_ingest_keeps_whole_items_and_is_redone_to_the_same(
    slug: str, modality: Modality, tmp_path: Path
) -> None:
    undisturbed = filled_state(slug, modality, tmp_path / "undisturbed")
    _, printed = run_doomed(slug, modality, tmp_path / "counted", 0)
    n_statements = int(printed[-1])
    rng = random.Random(f"{slug}/{modality}")
    order = [item.id for item in ITEMS]
    for burns_at in rng.sample(range(2, n_statements + 1), N_KILLS):
        folder = tmp_path / f"killed-{burns_at}"
        code, stored = run_doomed(slug, modality, folder, burns_at)
        assert code == -signal.SIGKILL
        memory = open_memory(slug, modality, folder)
        kept = memory.stored_item_ids()
        assert kept == set(stored), "what was acknowledged is there, and what was not is not"
        assert stored == order[: len(stored)]
        for item in ITEMS[len(stored) :]:
            memory.ingest(item)
        memory.flush()
        assert state_of(memory, slug) == undisturbed
        memory.close()
