"""Calibration pages in a real browser: every look, and results that arrive by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User

from annotation.models import Campaign, CampaignTally
from annotation.services import calibration
from tests.annotation.calibrated_campaigns import paper_campaign
from tests.annotation.toy_campaigns import NOW
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.browser.conftest import Reader
from tests.webapp.laboratory import make_benchmark, make_run

pytestmark = pytest.mark.browser
LOOKS = [(1440, "light"), (768, "dark"), (360, "light")]
SERIOUS = frozenset({"serious", "critical"})


@pytest.fixture
def paper(transactional_db: None) -> Campaign:
    """Closed, on a benchmark that two judges have scored."""
    benchmark = make_benchmark()
    scores = {
        label: {"10k": [place % 7 + shift for place in range(24)]}
        for shift, label in enumerate(("bm25", "simple-rag@static", "simple-rag+bm25@static"))
    }
    make_run(benchmark, scores, judges=("rubric", "second"))
    campaign = paper_campaign()
    campaign.benchmark, campaign.closed_at = benchmark, NOW
    campaign.save()
    return campaign


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_page_can_be_read_by_everyone(
    reader_at: Any, paper: Campaign, lead_user: User, width: int, theme: str
) -> None:
    reader: Reader = reader_at(width, theme)
    reader.sign_in(lead_user)
    found = []
    for address in (
        "/calibration/", "/calibration/paper/", "/calibration/paper/?edges=0,1,2,4",
        "/calibration/published/paim/", "/calibration/published/ptr/", "/benchmarks/glass/judges/",
        "/ratings/",
    ):  # fmt: skip
        reader.open(address)
        found += [
            f"{address}: {one['id']} ({one['nodes'][0]['html'][:120]})"
            for one in Axe().run(reader.page).response["violations"]
            if one["impact"] in SERIOUS
        ]
        if reader.overflow:
            found.append(f"{address}: {reader.overflow} pixels too wide")
        found += [f"{address}: refused {one}" for one in reader.refused]
    assert found == []
    assert reader.troubles == []


def test_every_chart_is_drawn(reader: Reader, paper: Campaign, lead_user: User) -> None:
    reader.sign_in(lead_user)
    for address, n_charts in (("/calibration/paper/", 3), ("/benchmarks/glass/judges/", 2)):
        page = reader.open(address)
        assert page.locator(".chart .main-svg").count() >= n_charts
        assert page.locator(".chart .waiting").count() == 0


def test_votes_that_arrive_show_without_reloading(
    reader: Reader, paper: Campaign, lead_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "SLOW_SECONDS", 600.0)
    Campaign.objects.update(closed_at=None)
    reader.sign_in(lead_user)
    page = reader.open("/calibration/paper/")
    add_vote(add_rater(paper, "new"), paper.pairs.order_by("pk")[0], "tie")
    CampaignTally.objects.update(version=7)
    page.get_by_text("As of version 7").wait_for(timeout=20_000)
    page.locator("#agreement-chart .main-svg").first.wait_for()
    Campaign.objects.update(closed_at=NOW)
    page.locator("[hx-trigger='every 5s']").wait_for(state="detached", timeout=20_000)
