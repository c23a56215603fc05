"""A campaign's calibration page: what it shows, to whom, and while votes arrive."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.calibration.settings import CalibrationSettings
from annotation.models import AuditEntry, Campaign, CampaignTally, Pair, PairScore, Rater
from annotation.services import calibration
from evaluation.models import AdoptedResolution, Judge
from tests.annotation.calibrated_campaigns import paper_campaign
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.laboratory import make_benchmark
from webapp.forms import calibration as forms

PARTIAL = {"HX-Request": "true"}
POLLS = 'hx-trigger="every 5s"'


def read(client: Client, campaign: Campaign, **params: Any) -> str:
    reply = client.get(f"/calibration/{campaign.slug}/", params)
    assert reply.status_code == 200, reply.content
    return reply.content.decode().replace("&#x27;", "'")


def words(html: str) -> str:
    """What a reader reads, without the figures' data."""
    without_data = re.sub(r"<script.*?</script>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", without_data).split())


def closed(campaign: Campaign) -> Campaign:
    campaign.benchmark = make_benchmark()
    campaign.closed_at = NOW
    campaign.save()
    return campaign


def figures(html: str) -> dict[str, Any]:
    found = re.findall(r'<script id="(\S+)" type="application/json">(.*?)</script>', html)
    return {name: json.loads(data) for name, data in found}


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for intervals; a report is never old."""
    monkeypatch.setattr(forms, "DEFAULT", CalibrationSettings(n_resamples=200))
    monkeypatch.setattr(calibration, "SLOW_SECONDS", 600.0)


@pytest.fixture
def paper(db: None) -> Campaign:
    return paper_campaign()


def test_the_figures_of_the_paper_are_on_the_page(viewer: Client, paper: Campaign) -> None:
    html = read(viewer, closed(paper))
    text = words(html)
    assert "prefers the same one in 49 of 61 pairs: 80 % (95 % interval 69 % to 88 %)" in text
    assert "0–2 points 11 of 22, 2–4 points 9 of 10, 4+ points 29 of 29" in text
    assert "71 of 112 63.4 %" in text
    assert "1 τ* 86 of 112 76.8 %" in text
    assert "112 counted votes of people on 112 pairs (51 ties) by 8 raters on 28 questions" in text
    assert set(figures(html)) == {
        "agreement-chart-figure", "tolerance-chart-figure", "resolution-chart-figure",
    }  # fmt: skip


def test_the_chart_has_the_rates_and_counts_of_the_table(viewer: Client, paper: Campaign) -> None:
    rates, *bars = figures(read(viewer, closed(paper)))["agreement-chart-figure"]["data"]
    assert rates["y"] == [0.5, 0.9, 1.0]
    assert {bar["name"]: bar["y"] for bar in bars} == {
        "the judge agrees": [11, 9, 29],
        "the judge disagrees": [11, 1, 0],
        "the voters are tied": [42, 9, 0],
    }


def test_edges_and_level_come_from_the_address(viewer: Client, paper: Campaign) -> None:
    text = words(read(viewer, closed(paper), edges="0, 1, 2", level="0.6"))
    assert "0–1 points 5 of 13, 1–2 points 6 of 9, 2+ points 38 of 39" in text
    assert "at least 60 % of decisive pairs" in text


@pytest.mark.parametrize(
    "params",
    [{"edges": "4,2"}, {"edges": "x"}, {"edges": "nan"}, {"edges": "0,99"}, {"level": "0.5"},
     {"width": "2"}, {"judge": "nobody"}, {"excluded": "yes"}],
)  # fmt: skip
def test_what_cannot_be_chosen_is_refused_in_words(
    viewer: Client, paper: Campaign, params: dict[str, str]
) -> None:
    reply = viewer.get(f"/calibration/{closed(paper).slug}/", params)
    assert reply.status_code == 400
    assert "known:" in reply.content.decode()


def test_another_judge_of_the_same_pairs_can_be_chosen(viewer: Client, paper: Campaign) -> None:
    other = Judge.objects.create(key="o" * 64, name="other", parts={}, created_at=NOW)
    PairScore.objects.bulk_create(
        [
            PairScore(pair=pair, judge=other, first_hundredths=500, second_hundredths=500)
            for pair in paper.pairs.all()
        ]
    )
    text = words(read(viewer, closed(paper), judge="other"))
    assert "other prefers the same one in 0 of 61 pairs" in text


def test_simulated_raters_are_not_called_people(viewer: Client, paper: Campaign) -> None:
    Campaign.objects.filter(pk=paper.pk).update(is_simulated=True)
    Rater.objects.update(kind=Rater.SIMULATED)
    text = words(read(viewer, paper))
    assert "the judge against simulated raters" in text
    assert "Does the judge prefer what simulated raters prefer?" in text
    assert "Which systems simulated raters prefer" in text
    results = text.partition("Does the judge")[2].partition("What was drawn")[0]
    assert "people" not in results.lower()
    exported = viewer.get(f"/calibration/{paper.slug}/export/", {"format": "md"}).content.decode()
    assert "SIMULATED RATERS: these votes say nothing about people." in exported
    assert "people" not in exported.replace("say nothing about people", "").lower()


def test_excluded_raters_are_shown_apart(lead: Client, paper: Campaign) -> None:
    excluded = add_rater(paper, "hasty", excluded_at=NOW, excluded_reason="too fast")
    for pair in paper.pairs.filter(kind=Pair.VOTE)[:4]:
        add_vote(excluded, pair, "a", not_counted="excluded")
    text = words(read(lead, closed(paper)))
    assert "hasty (4 votes: too fast)" in text
    assert "Votes 112 116" in text
    assert "112 counted votes" in text
    counted = words(read(lead, paper, excluded="1"))
    assert "116 counted votes" in counted
    assert "Votes of 1 excluded rater are counted in everything below." in counted


def test_raters_are_named_by_pseudonym_and_linked_for_leads_alone(
    lead: Client, paper: Campaign
) -> None:
    link = '/campaigns/paper/raters/rater%201/"'
    assert link in read(lead, closed(paper))
    User.objects.get(username="lead").groups.set([Group.objects.get(name="viewer")])
    html = read(lead, paper)
    assert link not in html
    assert "rater 1" in html


# ---------- who may read ----------


def test_visitors_are_sent_to_sign_in_unless_campaigns_are_public(
    client: Client, paper: Campaign, settings: Settings
) -> None:
    closed(paper)
    assert client.get("/calibration/paper/")["Location"].startswith("/sign-in/")
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert "49 of 61" in read(client, paper)


def test_whoever_has_a_seat_sees_no_result_until_it_closes(viewer: Client, paper: Campaign) -> None:
    user = User.objects.get(username="viewer")
    assert "49 of 61" in read(viewer, paper)
    add_rater(paper, "me", kind=Rater.SIGNED_IN, user=user)
    text = words(read(viewer, paper))
    assert "Results open when Campaign paper closes" in text
    assert "of 61" not in text
    assert "49 of 61" in read(viewer, closed(paper))


def test_a_rater_who_may_still_join_sees_no_result_either(viewer: Client, paper: Campaign) -> None:
    user = User.objects.get(username="viewer")
    user.groups.add(Group.objects.get(name="rater"))
    assert "You may vote in this campaign" in read(viewer, paper)


def test_visitors_see_no_result_of_an_open_campaign(
    client: Client, paper: Campaign, settings: Settings
) -> None:
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert "of 61" not in read(client, paper)


def test_a_draft_is_there_for_leads_alone(lead: Client, db: None) -> None:
    make_campaign(slug="draft", is_open=False)
    assert "The campaign has not been opened." in lead.get("/calibration/draft/").content.decode()
    User.objects.get(username="lead").groups.clear()
    assert lead.get("/calibration/draft/").status_code == 404
    assert lead.get("/calibration/nothing/").status_code == 404


# ---------- live ----------


def test_the_page_polls_while_it_is_open_and_stops_when_closed(
    viewer: Client, paper: Campaign
) -> None:
    html = read(viewer, paper)
    assert POLLS in html
    assert "known=0.1.open" in html
    assert POLLS not in read(viewer, closed(paper))


def test_a_poll_without_news_brings_nothing_and_one_with_news_the_results(
    viewer: Client, paper: Campaign
) -> None:
    poll = ("/calibration/paper/", {"known": "0.1.open"})
    read(viewer, paper)
    assert viewer.get(*poll, headers=PARTIAL).status_code == 204
    add_vote(add_rater(paper, "new"), paper.pairs.order_by("pk")[0], "tie")
    CampaignTally.objects.update(version=1)
    reply = viewer.get(*poll, headers=PARTIAL)
    assert reply.status_code == 200
    text = reply.content.decode()
    assert "113 counted votes" in words(text)
    assert "<html" not in text
    assert 'class="filters"' not in text
    assert "known=1.1.open" in text
    assert "HX-Request" in reply["Vary"]


def test_closing_is_news(viewer: Client, paper: Campaign) -> None:
    closed(paper)
    reply = viewer.get("/calibration/paper/", {"known": "0.1.open"}, headers=PARTIAL)
    assert reply.status_code == 200
    assert POLLS not in reply.content.decode()


# ---------- adoption ----------


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


# ---------- what must be known first ----------


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


# ---------- queries ----------


def test_a_kept_report_costs_the_same_queries_whatever_the_number_of_votes(
    viewer: Client, db: None, django_assert_max_num_queries: Any
) -> None:
    small, large = make_campaign(slug="small"), closed(paper_campaign())
    Campaign.objects.update(benchmark=large.benchmark, closed_at=NOW)
    add_vote(add_rater(small, "ann"), small.pairs.order_by("pk")[0], "a")
    counts = []
    for campaign in (small, large):
        read(viewer, campaign)
        with django_assert_max_num_queries(30) as seen:
            read(viewer, campaign)
        counts.append(len(seen))
    assert counts[0] == counts[1]
