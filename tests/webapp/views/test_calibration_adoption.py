"""Adopting the resolution of a calibration, and which votes give none."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import AuditEntry, Campaign
from evaluation.models import AdoptedResolution
from tests.annotation.calibrated_campaigns import paper_campaign
from tests.webapp.laboratory import make_benchmark
from tests.webapp.views.test_calibration import closed, read, words

pytestmark = pytest.mark.usefixtures("few_draws")


def test_a_lead_adopts_and_withdraws(lead: Client, paper: Campaign) -> None:
    closed(paper)
    assert "Adopt this resolution" in read(lead, paper)
    reply = lead.post("/calibration/paper/resolution/adopt/?level=0.6", follow=True)
    assert "The resolution is adopted" in words(reply.content.decode())
    row = AdoptedResolution.objects.get()
    assert (row.level, row.report_name) == (0.6, "paper")
    assert "Adopted. Boards of rubric on Glass mark pairs closer than" in words(
        read(lead, paper, level="0.6")
    )
    assert "That was another report" in words(read(lead, paper))
    assert f"{row.value:.2f}" in lead.get("/calibration/").content.decode()
    lead.post("/calibration/paper/resolution/withdraw/")
    assert AdoptedResolution.objects.get().withdrawn_at is not None
    assert AuditEntry.objects.filter(campaign=paper).count() == 2


def test_refusing_to_adopt_says_why(lead: Client, paper: Campaign) -> None:
    paper.benchmark = make_benchmark()
    paper.save()
    assert "It cannot be adopted now: the campaign is still open" in words(read(lead, paper))
    reply = lead.post("/calibration/paper/resolution/adopt/", follow=True)
    assert "The campaign is still open" in words(reply.content.decode())
    assert not AdoptedResolution.objects.exists()
    assert lead.post("/calibration/paper/resolution/burn/").status_code == 400


def test_only_leads_adopt(viewer: Client, paper: Campaign) -> None:
    closed(paper)
    assert "Adopt this resolution" not in read(viewer, paper)
    assert viewer.post("/calibration/paper/resolution/adopt/").status_code == 403


def test_simulated_raters_are_announced_and_cannot_be_adopted(lead: Client, db: None) -> None:
    text = words(read(lead, closed(paper_campaign(is_simulated=True))))
    assert "Simulated raters. A program cast these votes" in text
    assert "Where simulated raters prefer a side" in text
    assert "the votes are simulated" in text


def test_a_vote_that_saw_the_context_is_not_blind_to_retrieval(lead: Client, db: None) -> None:
    text = words(read(lead, closed(paper_campaign(show_context=True))))
    assert "Not blind to retrieval. Raters saw the retrieved context" in text


def test_imported_votes_say_that_they_are(lead: Client, paper: Campaign) -> None:
    paper.origin, paper.source = Campaign.IMPORTED, {"format": "arena", "file": "votes.jsonl"}
    paper.save()
    text = words(read(lead, paper))
    assert (
        "Imported. The votes were cast elsewhere and read from a file in the format arena" in text
    )
    assert "the votes were imported" in text
