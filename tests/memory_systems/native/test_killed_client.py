"""kill -9 of the client: its worker ends with it, and what was half done is taken out again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from memory_systems.base import SourceItem
from tests.memory_systems.native.fake_system import open_fake

ROOT = Path(__file__).parents[3]
CLIENT = """
import sys
from pathlib import Path
from memory_systems.base import SourceItem
from tests.memory_systems.native.fake_system import FakeNative, open_fake
from dataclasses import replace
FakeNative.LIMITS = replace(FakeNative.LIMITS, add_s=60.0)
memory = open_fake(Path(sys.argv[1]))
memory.ingest(SourceItem(id="whole", text="This one is whole"))
print(memory._worker.start().pid, flush=True)
memory.ingest(SourceItem(id="half", text="First part\\n\\nHANG at the second"))
"""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_the_worker_of_a_killed_client_ends_and_the_half_item_is_taken_out(tmp_path: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert client.stdout is not None
    worker = int(client.stdout.readline())
    deadline = time.monotonic() + 20
    while "First part" not in _stored(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(client.pid, signal.SIGKILL)
    client.wait(timeout=10)
    client.stdout.close()
    while is_alive(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(worker)
    assert "First part" in _stored(tmp_path)
    memory = open_fake(tmp_path)
    assert memory.stored_item_ids() == {"whole"}
    assert "First part" not in _stored(tmp_path)
    assert memory.ingest(SourceItem(id="half", text="First part\n\nSecond part")).units == 2
    memory.close()


def _stored(folder: Path) -> str:
    file = folder / "sentences.json"
    return file.read_text() if file.exists() else ""
