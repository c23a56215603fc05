"""A worker's environment holds nothing secret and nothing that phones home."""

from __future__ import annotations

from pathlib import Path

from memory_systems.native.environment import worker_environment


def test_keys_and_settings_stay_with_the_client(tmp_path: Path) -> None:
    given = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "secret",
        "MEMJURY_ENDPOINT_LAB_API_KEY": "secret",
        "HTTPS_PROXY": "http://proxy",
        "PYTHONPATH": "/elsewhere",
        "HOME": "/root",
    }
    made = worker_environment(tmp_path, {"MEM0_TELEMETRY": "False"}, environ=given)
    assert "secret" not in made.values()
    assert "PYTHONPATH" not in made
    assert "HTTPS_PROXY" not in made
    assert made["PATH"] == "/bin"
    assert made["HOME"] == str(tmp_path)
    assert made["MEM0_TELEMETRY"] == "False"
    assert made["HF_HUB_OFFLINE"] == "1"
