"""Calibrations that are computed at once, and the campaign of the paper."""

from __future__ import annotations

import pytest

from annotation.calibration.settings import CalibrationSettings
from annotation.models import Campaign
from annotation.services import calibration
from tests.annotation.calibrated_campaigns import paper_campaign
from webapp.forms import calibration as forms


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for intervals; a report is never old."""
    monkeypatch.setattr(forms, "DEFAULT", CalibrationSettings(n_resamples=200))
    monkeypatch.setattr(calibration, "SLOW_SECONDS", 600.0)


@pytest.fixture
def paper(db: None) -> Campaign:
    return paper_campaign()
