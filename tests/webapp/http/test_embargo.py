from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignQuestion, CampaignTally, Unblinding
from evaluation.models import Benchmark, Cell, CellError, Question, Run
from tests.webapp.laboratory import Scores, make_run

QUESTION = "/benchmarks/glass/questions/GQ1/"
SENTENCE = "embargoed until Glass vote closes"


@pytest.fixture
def campaign(measured: Benchmark) -> Campaign:
    """An open campaign about GQ1 and GQ2."""
    run = Run.objects.get()
    run.options = {"synthesizer": "extractive"}
    run.save()
    made = Campaign.objects.create(
        slug="glass-vote",
        name="Glass vote",
        link_token="link",
        benchmark=measured,
        protocol=run.protocol,
        options=CampaignOptions().as_json(),
        opened_at=timezone.now(),
        created_at=timezone.now(),
    )
    made.runs.add(run)
    CampaignTally.objects.create(campaign=made)
    for key in ("GQ1", "GQ2"):
        CampaignQuestion.objects.create(campaign=made, key=key)
    return made


def answer_page(question: str) -> str:
    cell = Cell.objects.filter(question__question_id=question).order_by("pk")[0]
    return f"/benchmarks/glass/questions/{question}/answers/{cell.pk}/"


@pytest.mark.parametrize("path", ["question", "answer"])
def test_a_visitor_is_told_until_when_answers_are_kept_back(
    client: Client, campaign: Campaign, path: str
) -> None:
    response = client.get(QUESTION if path == "question" else answer_page("GQ1"))
    assert response.status_code == 403
    page = response.content.decode()
    assert SENTENCE in page
    assert "simple-rag" not in page


def test_a_viewer_is_refused_as_a_visitor_is(viewer: Client, campaign: Campaign) -> None:
    assert viewer.get(QUESTION).status_code == 403
    assert not Unblinding.objects.exists()


def test_other_questions_and_the_board_stay_open(client: Client, campaign: Campaign) -> None:
    assert client.get("/benchmarks/glass/questions/GQ3/").status_code == 200
    assert "simple-rag" in client.get("/benchmarks/glass/").content.decode()


@pytest.mark.parametrize(
    "change",
    [
        {"closed_at": timezone.now()},
        {"closes_at": timezone.now() - timedelta(minutes=1)},
        {"opened_at": None},
    ],
)
def test_a_draft_and_a_closed_campaign_keep_nothing_back(
    client: Client, campaign: Campaign, change: dict[str, object]
) -> None:
    Campaign.objects.update(**change)
    assert client.get(QUESTION).status_code == 200


def test_a_lead_is_asked_first_and_marked_by_opening(lead: Client, campaign: Campaign) -> None:
    asked = lead.get(QUESTION)
    assert asked.status_code == 200
    assert "marked as unblinded" in asked.content.decode()
    assert "simple-rag" not in asked.content.decode()
    assert not Unblinding.objects.exists()
    opened = lead.post(QUESTION, follow=True)
    assert "simple-rag" in opened.content.decode()
    mark = Unblinding.objects.get()
    assert (mark.user.username, mark.campaign, mark.what) == ("lead", campaign, QUESTION)
    assert "simple-rag" in lead.get(QUESTION.replace("GQ1", "GQ2")).content.decode()


def test_a_visitor_cannot_open_by_posting(client: Client, campaign: Campaign) -> None:
    assert client.post(QUESTION).status_code == 403
    assert not Unblinding.objects.exists()


def test_a_campaign_that_still_draws_pairs_keeps_all_its_runs_questions_back(
    client: Client, campaign: Campaign
) -> None:
    campaign.options["policy"] = "active"
    campaign.save()
    assert client.get("/benchmarks/glass/questions/GQ9/").status_code == 403


def test_a_question_asked_at_several_phases_is_kept_back_under_its_own_id(
    client: Client, campaign: Campaign
) -> None:
    question = Question.objects.get(question_id="GQ4")
    CampaignQuestion.objects.create(campaign=campaign, question=question, key="GQ4 · before")
    assert client.get("/benchmarks/glass/questions/GQ4/").status_code == 403
    assert client.get("/api/v1/benchmarks/glass/questions/GQ4/").status_code == 403


def test_the_index_names_nobody_as_best_on_an_embargoed_question(
    client: Client, campaign: Campaign
) -> None:
    rows = {
        row["question_id"]: row
        for row in client.get("/api/v1/benchmarks/glass/questions/").json()["rows"]
    }
    assert (rows["GQ1"]["best"], rows["GQ1"]["worst"]) == ("", "")
    assert rows["GQ3"]["best"]
    assert rows["GQ1"]["mean"] is not None


def test_the_index_tells_no_score_of_the_only_variant_that_answered(
    client: Client, campaign: Campaign
) -> None:
    alone: Scores = {"bm25": {"10k": [4.0] * 24, "30k": [7.0] * 24}}
    run = make_run(Benchmark.objects.get(), alone, seed=2)
    given = client.get("/api/v1/benchmarks/glass/questions/", {"protocol": run.protocol.key})
    rows = {row["question_id"]: row for row in given.json()["rows"]}
    assert (rows["GQ1"]["n_scored"], rows["GQ1"]["mean"], rows["GQ1"]["drop"]) == (1, None, None)
    assert (rows["GQ3"]["mean"], rows["GQ3"]["drop"]) == (7.0, 3.0)


def test_a_comparison_leaves_embargoed_questions_out_and_says_so(
    client: Client, campaign: Campaign
) -> None:
    given = client.get("/api/v1/benchmarks/glass/compare/").json()
    shown = {row["question_id"] for row in given["differences"]}
    assert not {"GQ1", "GQ2"} & shown
    assert "GQ3" in shown
    assert given["overall"]["n"] == 24
    assert "Of 2 questions nothing is shown one by one" in given["embargoed"]
    assert "embargoed until" in client.get("/benchmarks/glass/compare/").content.decode()


def test_no_slice_tells_the_difference_on_the_few_of_its_questions_that_are_kept_back(
    client: Client, campaign: Campaign
) -> None:
    questions = Question.objects.filter(question_id__in=["GQ1", "GQ2"])
    told = {value for of in questions for value in of.slices["tier"]}
    all_tiers = {value for of in Question.objects.all() for value in of.slices["tier"]}
    assert told < all_tiers
    given = client.get("/api/v1/benchmarks/glass/compare/").json()
    shown = {one["slice_value"] for one in given["tallies"] if one["slice_name"] == "tier"}
    assert shown == all_tiers - told


def test_the_api_refuses_an_embargoed_question_in_words(client: Client, campaign: Campaign) -> None:
    response = client.get("/api/v1/benchmarks/glass/questions/GQ1/")
    assert response.status_code == 403
    assert SENTENCE in response.json()["detail"]


def test_a_leads_api_request_marks_them(lead: Client, campaign: Campaign) -> None:
    assert lead.get("/api/v1/benchmarks/glass/questions/GQ1/").status_code == 200
    assert Unblinding.objects.get().what == "/api/v1/benchmarks/glass/questions/GQ1/"


def test_answers_of_a_run_come_without_the_embargoed_ones(
    client: Client, campaign: Campaign
) -> None:
    address = f"/api/v1/runs/{Run.objects.get().public_id}/answers/"
    given = client.get(address, {"page_size": 500}).json()
    assert {"GQ1", "GQ2"}.isdisjoint(row["question_id"] for row in given["results"])
    assert "Of 2 questions" in given["embargoed"]
    assert client.get(address, {"question": "GQ1"}).status_code == 403


def test_a_lead_gets_all_answers_and_is_marked(
    lead: Client, campaign: Campaign, django_user_model: type[User]
) -> None:
    address = f"/api/v1/runs/{Run.objects.get().public_id}/answers/"
    given = lead.get(address, {"page_size": 500}).json()
    assert "GQ1" in {row["question_id"] for row in given["results"]}
    assert given["embargoed"] == ""
    assert Unblinding.objects.filter(campaign=campaign).count() == 1


def test_an_error_about_an_embargoed_question_quotes_nothing(
    client: Client, campaign: Campaign
) -> None:
    for question in ("GQ1", "GQ3"):
        cell = Cell.objects.filter(question__question_id=question).order_by("pk")[0]
        CellError.objects.create(
            cell=cell, stage="judge", message=f"could not read {question}", at=timezone.now()
        )
    address = f"/runs/{Run.objects.get().public_id}/"
    for page in (client.get(address), client.get(f"/api/v1{address}")):
        said = page.content.decode()
        assert "could not read GQ3" in said
        assert "could not read GQ1" not in said


@pytest.mark.parametrize("change", [{"is_simulated": True}, {"origin": Campaign.IMPORTED}])
def test_votes_that_no_person_casts_here_keep_nothing_back(
    client: Client, campaign: Campaign, change: dict[str, object]
) -> None:
    Campaign.objects.update(**change)
    assert client.get(QUESTION).status_code == 200


NARROW = {"tier": "L2", "type": "synthesis"}


@pytest.mark.parametrize("page", ["", "sweep/", "contrasts/"])
def test_a_slice_of_few_questions_is_not_shown_while_people_vote_on_one(
    client: Client, campaign: Campaign, page: str
) -> None:
    """Of L2 and synthesis there are four questions, GQ1 among them; of L2 alone eight."""
    for address in (
        f"/benchmarks/glass/{page}",
        f"/api/v1/benchmarks/glass/{page or 'leaderboard/'}",
    ):
        assert client.get(address, {"tier": "L2"}).status_code == 200
        refusal = client.get(address, NARROW)
        assert refusal.status_code == 400
        assert "at least 5 questions" in refusal.content.decode()
    Campaign.objects.update(closed_at=timezone.now())
    assert client.get(f"/benchmarks/glass/{page}", NARROW).status_code == 200


def test_a_lead_may_read_a_slice_of_few_questions(lead: Client, campaign: Campaign) -> None:
    assert lead.get("/benchmarks/glass/", NARROW).status_code == 200
