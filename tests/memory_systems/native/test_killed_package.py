"""kill -9 in the middle of a real package's ingest: redone, the memory is what it would be."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory_systems.base import Modality
from tests.memory_systems.native.conftest import Opener
from tests.memory_systems.native.installed import FEW, SYSTEMS_FOLDER, cases

ROOT = Path(__file__).parents[3]
LONGEST_S = 120


def kill_on_the_way(
    slug: str, modality: str, folder: Path, *, at_item: int, after_s: float
) -> None:
    command = [sys.executable, "-m", "tests.memory_systems.native.doomed_package"]
    client = subprocess.Popen(
        [*command, slug, modality, str(folder), str(SYSTEMS_FOLDER)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert client.stdout is not None
    with client.stdout:
        for _ in range(at_item + 1):
            client.stdout.readline()
        time.sleep(after_s)
        os.kill(client.pid, signal.SIGKILL)
    client.wait(timeout=LONGEST_S)


@pytest.mark.parametrize(("slug", "modality"), cases(modalities=1))
def test_a_killed_ingest_loses_nothing_that_was_acknowledged_and_leaves_no_half(
    slug: str, modality: Modality, open_native: Opener, tmp_path: Path
) -> None:
    undisturbed = open_native(slug, modality, tmp_path / "undisturbed")
    for item in FEW:
        undisturbed.ingest(item)
    expected = sorted((unit.source_id, unit.kind, unit.text) for unit in undisturbed.units())
    undisturbed.close()
    rng = random.Random(slug)
    for at_item in (0, 2):
        folder = tmp_path / f"killed-{at_item}"
        kill_on_the_way(slug, modality, folder, at_item=at_item, after_s=rng.uniform(0.05, 0.4))
        memory = open_native(slug, modality, folder)
        kept = memory.stored_item_ids()
        assert kept <= {item.id for item in FEW}
        assert len(kept) >= at_item, "what was acknowledged is there"
        assert {unit.source_id for unit in memory.units()} <= kept
        for item in FEW:
            assert memory.ingest(item).errors == ()
        found = sorted((unit.source_id, unit.kind, unit.text) for unit in memory.units())
        assert found == expected
        memory.close()
