"""The list of campaigns, and those that are open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from annotation.models import Campaign
from annotation.queries.campaign_heads import head_of, state_of, vote_path
from annotation.queries.campaigns_page import campaigns_page, open_campaigns
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote

HOUR = dt.timedelta(hours=1)


@pytest.mark.parametrize(
    ("times", "state"),
    [
        ({}, "draft"),
        ({"opened_at": NOW}, "open"),
        ({"opened_at": NOW, "opens_at": NOW + HOUR}, "scheduled"),
        ({"opened_at": NOW, "opens_at": NOW}, "open"),
        ({"opened_at": NOW, "closes_at": NOW + HOUR}, "open"),
        ({"opened_at": NOW, "closes_at": NOW}, "closed"),
        ({"opened_at": NOW, "closed_at": NOW}, "closed"),
        ({"closes_at": NOW - HOUR}, "draft"),
    ],
)
def test_the_state_follows_from_the_times(times: dict[str, Any], state: str) -> None:
    assert state_of(Campaign(**times), now=NOW) == state


def test_the_link_is_the_address_where_raters_vote() -> None:
    assert vote_path("abc") == reverse("vote", args=["abc"])


def test_drafts_are_listed_for_leads_alone(db: None) -> None:
    make_campaign(slug="draft", is_open=False)
    make_campaign(slug="open")
    assert [row.head.slug for row in campaigns_page(now=NOW).rows] == ["open"]
    assert {row.head.slug for row in campaigns_page(now=NOW, with_drafts=True).rows} == {
        "draft",
        "open",
    }


def test_a_row_counts_votes_and_raters(toy: Campaign) -> None:
    rater = add_rater(toy, "ann")
    pairs = list(toy.pairs.order_by("position"))
    add_vote(rater, pairs[0], "a")
    add_vote(rater, pairs[1], "b", not_counted="surplus")
    (row,) = campaigns_page(now=NOW).rows
    assert (row.n_votes, row.n_counted, row.n_raters) == (2, 1, 1)
    assert row.head.n_planned == 12


def test_raters_see_open_links_and_others_only_their_own(
    db: None, django_user_model: type[User]
) -> None:
    ann = django_user_model.objects.create_user("ann")
    open_one = make_campaign(slug="open")
    make_campaign(slug="invited", invite_only=True)
    make_campaign(slug="machine", is_simulated=True)

    def offered(**reader: Any) -> set[str]:
        rows = campaigns_page(now=NOW, user_id=ann.pk, **reader).rows
        return {row.head.slug for row in rows if row.own_vote_path}

    assert offered(is_rater=True) == {"open"}
    assert offered() == set()
    add_rater(open_one, "ann", user=ann)
    assert offered() == {"open"}


def test_a_person_who_was_excluded_is_offered_no_link(
    toy: Campaign, django_user_model: type[User]
) -> None:
    ann = django_user_model.objects.create_user("ann")
    add_rater(toy, "ann", user=ann, excluded_at=NOW)
    (row,) = campaigns_page(now=NOW, user_id=ann.pk).rows
    assert row.own_vote_path == ""


def test_open_campaigns_are_of_people_and_open_now(db: None) -> None:
    make_campaign(slug="open")
    make_campaign(slug="draft", is_open=False)
    make_campaign(slug="machine", is_simulated=True)
    closed = make_campaign(slug="closed")
    Campaign.objects.filter(pk=closed.pk).update(closed_at=NOW)
    assert [row.head.slug for row in open_campaigns(now=NOW)] == ["open"]


def test_pages_are_of_thirty_and_a_page_too_far_is_the_last(db: None) -> None:
    for number in range(31):
        make_campaign(slug=f"c{number}", n_pairs=1, n_systems=2)
    page = campaigns_page(now=NOW, page=99)
    assert (page.page, page.n_pages, page.n_campaigns, len(page.rows)) == (2, 2, 31, 1)


def test_the_list_costs_the_same_for_many_campaigns(
    db: None, django_assert_num_queries: Callable[..., Any]
) -> None:
    for number in range(5):
        add_rater(make_campaign(slug=f"c{number}", n_pairs=1, n_systems=2), "ann")
    with django_assert_num_queries(5):
        campaigns_page(now=NOW, user_id=1, is_rater=True, with_drafts=True)


def test_a_head_reads_what_the_campaign_stores(toy: Campaign) -> None:
    head = head_of(toy, now=NOW)
    assert (head.slug, head.judge, head.judge_is_proxy, head.track) == (
        "toy",
        "rubric",
        True,
        "10k",
    )
    assert (head.benchmark, head.is_imported, head.shows_context) == ("", False, False)
