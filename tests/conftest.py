"""What all tests share: settings of hypothesis and a data folder of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "memjury", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("memjury")


@pytest.fixture(autouse=True)
def data_folder(request: pytest.FixtureRequest) -> Path | None:
    """Tests that use the database write to a data folder of their own, given to those who ask."""
    asked = "data_folder" in request.fixturenames[1:]
    if not asked and request.node.get_closest_marker("django_db") is None:
        return None
    folder: Path = request.getfixturevalue("tmp_path") / "data"
    folder.mkdir()
    request.getfixturevalue("settings").MEMJURY_DATA = folder
    return folder
