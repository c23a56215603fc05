"""Several reports, and several judges of one name, behind one board."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client

from annotation.calibration.bundle import verify_bundle
from annotation.models import Campaign, PairScore
from evaluation.models import AdoptedResolution, Benchmark, Judge
from tests.annotation.calibrated_campaigns import paper_campaign
from tests.annotation.toy_campaigns import NOW
from tests.webapp.laboratory import make_benchmark
from tests.webapp.views.test_calibration import words

pytestmark = pytest.mark.usefixtures("few_draws")


@pytest.fixture
def two(db: None) -> tuple[Campaign, Campaign]:
    """Two closed campaigns of one judge on one benchmark."""
    campaigns = paper_campaign(slug="early"), paper_campaign(slug="late")
    Campaign.objects.update(benchmark=make_benchmark(), closed_at=NOW)
    return campaigns


def adopt(campaign: Campaign, *, days: int) -> AdoptedResolution:
    assert campaign.judge is not None
    return AdoptedResolution.objects.create(
        benchmark=Benchmark.objects.get(),
        judge=campaign.judge,
        value=1.0 + days,
        level=0.75,
        n_pairs=61,
        report_hash="ab" * 32,
        report_name=campaign.slug,
        adopted_at=NOW + timedelta(days=days),
    )


def text_of(lead: Client, slug: str, **params: str) -> str:
    return words(lead.get(f"/calibration/{slug}/", params).content.decode())


def test_a_report_that_a_later_one_replaced_does_not_claim_the_boards(
    lead: Client, two: tuple[Campaign, Campaign]
) -> None:
    early, late = two
    adopt(early, days=1)
    assert "Boards do not read it now" not in text_of(lead, "early")
    adopt(late, days=2)
    text = text_of(lead, "early")
    assert "Boards do not read it now: a later report was adopted from late" in text
    assert "Adopted. Boards of" not in text
    assert "Boards go on reading the report of late" in text


def test_withdrawing_says_what_boards_read_then(
    lead: Client, two: tuple[Campaign, Campaign]
) -> None:
    early, late = two
    adopt(late, days=2)
    assert "Boards will say again that the judge is not calibrated here." in text_of(lead, "late")
    adopt(early, days=1)
    text = text_of(lead, "late")
    assert "Boards will read what was adopted before, from early." in text
    assert "not calibrated here" not in text
    reply = lead.post("/calibration/late/resolution/withdraw/", follow=True)
    assert "boards no longer read the votes of this campaign" in words(reply.content.decode())
    assert "Adopted. Boards of rubric" in text_of(lead, "early")


def test_the_list_says_which_report_boards_do_not_read(
    lead: Client, two: tuple[Campaign, Campaign]
) -> None:
    early, late = two
    adopt(early, days=1)
    newest = adopt(late, days=2)

    def listed() -> str:
        return words(lead.get("/calibration/").content.decode())

    assert "2.00 boards read a later one" in listed()
    assert "3.00 boards read" not in listed()
    newest.withdrawn_at = NOW
    newest.save()
    assert "2.00" in listed()
    assert "boards read a later one" not in listed()


@pytest.fixture
def twins(two: tuple[Campaign, Campaign]) -> Judge:
    """A second judge of the same name, by whose scores every preference is turned round."""
    other = Judge.objects.create(
        key="f" * 64, name="rubric", is_proxy=True, parts={}, created_at=NOW
    )
    PairScore.objects.bulk_create(
        PairScore(
            pair=score.pair,
            judge=other,
            first_hundredths=score.second_hundredths,
            second_hundredths=score.first_hundredths,
        )
        for score in PairScore.objects.filter(pair__campaign=two[0]).select_related("pair")
    )
    return other


def test_judges_of_one_name_are_chosen_by_their_keys(lead: Client, twins: Judge) -> None:
    page = lead.get("/calibration/early/").content.decode()
    assert f'<option value="{twins.key}">rubric #ffffff, a proxy</option>' in page
    assert "in 49 of 61 pairs" in words(page)
    chosen = lead.get("/calibration/early/", {"judge": twins.key}).content.decode()
    assert f'<option value="{twins.key}" selected>' in chosen
    assert "in 12 of 61 pairs" in words(chosen)


def test_each_of_them_has_its_own_bundle_and_its_own_adoption(lead: Client, twins: Judge) -> None:
    adopt(Campaign.objects.get(slug="early"), days=1)
    reply = lead.get("/calibration/early/export/", {"format": "json", "judge": twins.key})
    assert reply.status_code == 200
    bundle = json.loads(reply.content)
    assert bundle["context"]["judge"]["key"] == twins.key
    assert verify_bundle(bundle) == ()
    assert "Adopted." in text_of(lead, "early")
    assert "Nothing of this campaign is adopted" in text_of(lead, "early", judge=twins.key)
