"""A planted campaign, without limits on the crawl's requests."""

from __future__ import annotations

import pytest
from rest_framework.throttling import SimpleRateThrottle

from tests.blinding.planted import Planted, plant


@pytest.fixture(autouse=True)
def _no_limits(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEMJURY_THROTTLE = False  # type: ignore[attr-defined]
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


@pytest.fixture
def planted(db: None) -> Planted:
    return plant()
