"""The votes table and the pairs of a campaign."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import AuditEntry, Campaign, Pair, Unblinding
from evaluation.models import Question
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.laboratory import make_benchmark

PARTIAL = {"HX-Request": "true"}
VOTES, PAIRS = "/campaigns/toy/votes/", "/campaigns/toy/pairs/"
ENTRY = {
    "side": "first", "kind": "name", "found": "Mem0", "quote": "as Mem0 recalls", "times": 1,
    "is_topic": False,
}  # fmt: skip


@pytest.fixture
def toy(db: None) -> Campaign:
    return make_campaign(n_pairs=60)


@pytest.fixture
def voted(toy: Campaign) -> Campaign:
    ann = add_rater(toy, "ann")
    for pair in toy.pairs.order_by("position"):
        add_vote(ann, pair, "a", comment="<script>alert(1)</script> \u202eright")
    return toy


@pytest.fixture
def lead(lead: Client, toy: Campaign) -> Client:
    """Was asked before, and went on."""
    lead.post(VOTES)
    return lead


@pytest.fixture
def newcomer(lead: Client) -> Client:
    """Has opened nothing of the campaign."""
    Unblinding.objects.all().delete()
    return lead


@pytest.mark.parametrize("address", [VOTES, f"{PAIRS}?state=waiting", f"{PAIRS}?answers=1"])
def test_a_lead_is_asked_before_a_page_that_ends_blindness(
    newcomer: Client, voted: Campaign, waiting: Pair, address: str
) -> None:
    asked = newcomer.get(address).content.decode()
    assert "marked as unblinded" in asked
    assert "bm25" not in asked
    assert "anneals after" not in asked
    assert newcomer.get(address, headers=PARTIAL).headers["HX-Redirect"] == address
    assert not Unblinding.objects.exists()
    went_on = newcomer.post(address, follow=True)
    assert went_on.redirect_chain == [(address, 302)]
    assert "marked as unblinded" not in went_on.content.decode()
    assert Unblinding.objects.get().what == address.partition("?")[0]


def test_nobody_is_asked_once_the_vote_is_over(newcomer: Client, voted: Campaign) -> None:
    Campaign.objects.update(closed_at=timezone.now())
    assert "<strong>bm25</strong>" in newcomer.get(VOTES).content.decode()
    assert not Unblinding.objects.exists()


@pytest.mark.parametrize(("slug", "is_asked"), [("glass", True), ("other", False)])
def test_a_lead_is_asked_while_another_campaign_asks_the_same_questions(
    newcomer: Client, voted: Campaign, slug: str, is_asked: bool
) -> None:
    benchmark, another = make_benchmark(), make_campaign(slug="another", n_pairs=1)
    another.benchmark = benchmark if slug == "glass" else make_benchmark(slug=slug)
    another.save()
    question = Question.objects.get(benchmark=another.benchmark, question_id="GQ1")
    another.questions.update(question=question)
    own = Question.objects.get(benchmark=benchmark, question_id="GQ1")
    voted.questions.filter(key="TQ1").update(question=own)
    Campaign.objects.filter(pk=voted.pk).update(benchmark=benchmark, closed_at=timezone.now())
    text = newcomer.get(VOTES).content.decode()
    assert ("marked as unblinded" in text) is is_asked
    assert ("embargoed until Campaign another closes" in text) is is_asked
    if is_asked:
        newcomer.post(VOTES)
        assert Unblinding.objects.get().campaign == another
    assert "<strong>bm25</strong>" in newcomer.get(VOTES).content.decode()


def test_the_list_of_pairs_asks_nothing(newcomer: Client, toy: Campaign) -> None:
    assert "TQ50" in newcomer.get(PAIRS).content.decode()
    assert not Unblinding.objects.exists()


def test_votes_are_shown_with_systems_and_comments_as_text(lead: Client, voted: Campaign) -> None:
    text = lead.get(VOTES).content.decode()
    assert "60 votes are stored, 60 count" in text
    assert "<strong>bm25</strong>" in text
    assert "&lt;script&gt;alert(1)" in text
    assert "\u202e" not in text


def test_a_name_in_a_filter_is_written_with_its_controls(lead: Client, voted: Campaign) -> None:
    voted.systems.filter(label="bm25").update(label="bm\u202e25")
    assert ">bm⟦U+202E⟧25</option>" in lead.get(VOTES).content.decode()


def test_filters_live_in_the_address_and_older_votes_keep_them(
    lead: Client, voted: Campaign
) -> None:
    text = lead.get(VOTES, {"rater": "ann", "choice": "a"}).content.decode()
    older = text.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert "rater=ann" in older
    assert "choice=a" in older
    text = lead.get(f"{VOTES}{older}", headers=PARTIAL).content.decode()
    assert text.count("<time") == 10
    assert "← Newest" in text
    assert "<h1" not in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"choice": "c"}, {"status": "x"}, {"system": "x"}, {"since": "31.3."}, {"until": "x"},
        {"comment": "yes"}, {"before": "x"}, {"rater": "a\0"}, {"question": "\0b"},
    ],
)  # fmt: skip
def test_a_filter_nobody_offers_is_refused(
    lead: Client, voted: Campaign, wrong: dict[str, str]
) -> None:
    assert lead.get(VOTES, wrong).status_code == 400


@pytest.mark.parametrize(
    ("filters", "sentence"),
    [
        ({"rater": "nobody"}, "No rater is called “nobody” here."),
        ({"question": "Q0"}, "No question “Q0” is in this campaign."),
        ({"status": "surplus"}, "No vote is like that."),
        ({"before": "1.1"}, "There are no older votes."),
    ],
)
def test_an_empty_table_says_why(
    lead: Client, voted: Campaign, filters: dict[str, str], sentence: str
) -> None:
    assert sentence in lead.get(VOTES, filters).content.decode()


def test_without_votes_the_table_says_so(lead: Client, toy: Campaign) -> None:
    assert "Nobody has voted yet." in lead.get(VOTES).content.decode()


def test_the_table_costs_few_queries(
    lead: Client, voted: Campaign, django_assert_max_num_queries: Any
) -> None:
    for page in (VOTES, PAIRS):
        with django_assert_max_num_queries(13):
            lead.get(page)


def test_pairs_are_listed_in_order_and_paged(lead: Client, toy: Campaign) -> None:
    text = lead.get(PAIRS).content.decode()
    assert "TQ50" in text
    assert "TQ51" not in text
    rest = text.split('rel="next" href="')[1].split('"')[0]
    text = lead.get(f"{PAIRS}{rest}", headers=PARTIAL).content.decode()
    assert "TQ51" in text
    assert "← From the start" in text


@pytest.fixture
def waiting(toy: Campaign) -> Pair:
    pair = toy.pairs.order_by("position")[0]
    Pair.objects.filter(pk=pair.pk).update(needs_review=True, n_wanted=0, scan=[ENTRY])
    return pair


def test_a_pair_that_waits_is_shown_with_its_texts_and_no_system(
    lead: Client, toy: Campaign, waiting: Pair
) -> None:
    text = lead.get(PAIRS, {"state": "waiting"}).content.decode()
    assert "<strong>Mem0</strong>" in text
    assert "as Mem0 recalls" in text
    assert text.count("anneals after") == 2
    labels = toy.systems.values_list("label", flat=True)
    assert not [label for label in labels if label in text]


def test_a_lead_reads_the_answers_of_a_draft_and_stays_blind(
    newcomer: Client, toy: Campaign
) -> None:
    Campaign.objects.update(opened_at=None)
    assert f'{PAIRS}?answers=1"' in newcomer.get("/campaigns/toy/").content.decode()
    text = newcomer.get(PAIRS, {"answers": "1"}).content.decode()
    assert "the campaign is not open yet" in text
    assert text.count("First answer</h4>") == 10
    assert "anneals after" in text
    labels = toy.systems.values_list("label", flat=True)
    assert not [label for label in labels if label in text]
    assert not Unblinding.objects.exists()
    rest = text.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert "answers=1" in rest
    assert "anneals after" in newcomer.get(f"{PAIRS}{rest}", headers=PARTIAL).content.decode()


def test_a_pair_rejected_while_reading_leads_back_to_where_it_was_read(
    lead: Client, toy: Campaign
) -> None:
    pair = toy.pairs.order_by("position")[3]
    address = f"{PAIRS}{pair.pk}/reject/?answers=1&state=on-vote"
    text = lead.get(PAIRS, {"answers": "1", "state": "on-vote"}).content.decode()
    assert address.replace("&", "&amp;") in text
    reply = lead.post(address)
    assert reply["Location"] == f"{PAIRS}?answers=1&state=on-vote"
    pair.refresh_from_db()
    assert pair.is_rejected
    text = lead.get(PAIRS, {"answers": "1", "state": "rejected"}).content.decode()
    assert f"{PAIRS}{pair.pk}/accept/" in text
    assert f"{PAIRS}{pair.pk}/reject/" not in text


@pytest.mark.parametrize(("decision", "n_wanted"), [("accept", 1), ("reject", 0)])
def test_a_pair_is_accepted_or_rejected_and_logged(
    lead: Client, waiting: Pair, decision: str, n_wanted: int
) -> None:
    reply = lead.post(f"{PAIRS}{waiting.pk}/{decision}/")
    assert reply["Location"] == f"{PAIRS}?state=waiting"
    waiting.refresh_from_db()
    assert (waiting.n_wanted, waiting.is_rejected) == (n_wanted, decision == "reject")
    assert AuditEntry.objects.latest("pk").actor_name == "lead"
    assert "No pair waits for review." in lead.get(reply["Location"]).content.decode()


def test_a_decision_nobody_offers_is_refused(lead: Client, waiting: Pair) -> None:
    assert lead.post(f"{PAIRS}{waiting.pk}/burn/").status_code == 400
    reply = lead.post(f"{PAIRS}999999/accept/", follow=True)
    assert "no pair 999999" in reply.content.decode()


def test_a_viewer_may_not_review(viewer: Client, waiting: Pair) -> None:
    assert viewer.post(f"{PAIRS}{waiting.pk}/accept/").status_code == 403


@pytest.mark.parametrize(
    "wrong", [{"state": "x"}, {"after": "x"}, {"question": "\0"}, {"answers": "yes"}]
)
def test_a_state_nobody_offers_is_refused(
    lead: Client, toy: Campaign, wrong: dict[str, str]
) -> None:
    assert lead.get(PAIRS, wrong).status_code == 400


def test_a_question_that_is_not_there_is_said(lead: Client, toy: Campaign) -> None:
    assert "No question “Q0”" in lead.get(PAIRS, {"question": "Q0"}).content.decode()
