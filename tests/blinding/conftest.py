"""A planted campaign, without limits on the crawl's requests."""

from __future__ import annotations

import pytest

from tests.blinding.planted import Planted, plant


@pytest.fixture(autouse=True)
def _no_limits(settings: object) -> None:
    settings.MEMJURY_THROTTLE = False  # type: ignore[attr-defined]


@pytest.fixture
def planted(db: None) -> Planted:
    return plant()
