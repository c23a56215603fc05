"""Real files of other projects, where they lie beside this one."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def real_file(*parts: str) -> Path:
    """The file's path; skips the test where it is not there."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the real file {'/'.join(parts)} is not beside the project")
    return path
