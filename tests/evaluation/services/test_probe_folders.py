"""The doctor's folders do not outlive whoever tried a memory in them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from evaluation.services.probe_folders import probe_folder

KILLED = """
import os, signal, sys
from django.conf import settings
settings.configure(MEMJURY_DATA=sys.argv[1])
from evaluation.services.probe_folders import probe_folder
with probe_folder() as folder:
    (folder / "memory").mkdir()
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_folder_goes_with_what_is_in_it(settings: Any, tmp_path: Path) -> None:
    settings.MEMJURY_DATA = tmp_path
    with probe_folder() as folder:
        (folder / "memory").mkdir()
    assert not folder.exists()


def test_what_a_killed_process_left_goes_with_the_next_and_what_is_held_stays(
    settings: Any, tmp_path: Path
) -> None:
    settings.MEMJURY_DATA = tmp_path
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    killed = subprocess.run(command, capture_output=True, text=True, check=False)
    left = Path(killed.stdout.strip())
    assert (left / "memory").is_dir(), killed.stderr
    with probe_folder() as first, probe_folder() as second:
        assert not left.exists()
        assert first != second
        assert first.is_dir()
        assert second.is_dir()
    assert [path.name for path in (tmp_path / "probes").iterdir()] == ["lock"]
